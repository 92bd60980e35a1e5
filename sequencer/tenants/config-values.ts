/** Reads the options and credentials of a config, as they are now. */

import { integrationTypeLabel } from '../../sdk/host/index.ts';
import { isDeleting, type Secret } from '../../sdk/index.ts';
import { type AnyConfig, configText } from './config-integration-name.ts';
import { type ConfigSpec, mistakesText, readConfigSpec } from './read-config-spec.ts';
import type { TenantIntegrations } from './tenant-integration.ts';

/** Reason for which a config cannot be used. */
export interface ConfigProblem {
  /** Machine-readable CamelCase word, as in a condition. */
  readonly reason: string;
  readonly problem: string;
}

/** Options as parsed by the schemas, and credentials by name. */
export interface ConfigValues extends ConfigSpec {
  readonly secrets: Readonly<Record<string, string>>;
}

/** Returns the Secret that a config references by this name, if it exists and has the label. */
export type SecretOf = (config: AnyConfig, name: string) => Secret | undefined;

/** Longest credential, in bytes. */
const maxSecretLength = 65_536;

/** Returns a version text of a connection's inputs: the config's spec and its Secrets. */
export function versionOf(config: AnyConfig, secretOf: SecretOf): string {
  const names = new Set(Object.values(config.spec.secretRefs ?? {}).map(({ name }) => name));
  const secrets = [...names].map((name) => {
    const { uid, resourceVersion } = secretOf(config, name)?.metadata ?? {};
    return [name, uid, resourceVersion];
  });
  return JSON.stringify([config.metadata.uid, config.metadata.generation, secrets]);
}

/** Reads one credential; the text of a problem names no part of its value. */
function readSecret(config: AnyConfig, name: string, secretOf: SecretOf): string | ConfigProblem {
  const { type, secretRefs = {} } = config.spec;
  const ref = secretRefs[name]!; // validated by readConfigSpec
  const at = `spec.secretRefs.${name}: Secret ${ref.name}`;
  const secret = secretOf(config, ref.name);
  if (secret === undefined)
    return {
      reason: 'SecretMissing',
      problem: `${at} does not exist, or has no label ${integrationTypeLabel}=${type}, by which it is open to configs`,
    };
  const label = secret.metadata.labels?.[integrationTypeLabel];
  if (label !== type)
    return { reason: 'SecretMissing', problem: `${at} has the label ${integrationTypeLabel}=${label}, not ${type}` };
  const encoded = Object.hasOwn(secret.data ?? {}, ref.key) ? secret.data?.[ref.key] : undefined;
  const bytes = Buffer.from(encoded ?? '', 'base64');
  if (bytes.length === 0)
    return { reason: 'SecretKeyMissing', problem: `${at} has no key ${ref.key}, or an empty one` };
  if (bytes.length > maxSecretLength)
    return { reason: 'SecretInvalid', problem: `${at}, key ${ref.key} is longer than ${maxSecretLength} bytes` };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { reason: 'SecretInvalid', problem: `${at}, key ${ref.key} is not UTF-8 text` };
  }
}

/** Reads the values of a config; its spec is validated by {@link readConfigSpec}. */
export function readConfig(
  config: AnyConfig,
  { types, secretOf }: { readonly types: TenantIntegrations; readonly secretOf: SecretOf },
): ConfigValues | ConfigProblem {
  const read = readConfigSpec(config, types);
  if ('mistakes' in read) return { reason: read.reason, problem: mistakesText(read) };
  const secrets: Record<string, string> = {};
  for (const name of read.tenant.secrets ?? []) {
    const value = readSecret(config, name, secretOf);
    if (typeof value !== 'string') return value;
    secrets[name] = value;
  }
  return { ...read, secrets };
}

/** Returns the reason of a condition of workspaces that use an unusable config. */
export const problemText = (config: AnyConfig, { problem }: ConfigProblem): string =>
  `${configText(config)}${isDeleting(config) ? ' (being deleted)' : ''} cannot be used: ${problem}`;
