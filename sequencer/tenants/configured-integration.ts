/** Integrations of configs for a walk: each config is one integration, with its own claim. */

import { configFinalizer, effectivePolicyOf, type ProviderHost, redactedMessage } from '../../sdk/host/index.ts';
import {
  claimOf,
  DefiniteError,
  hasFinalizer,
  type Integration,
  isDeleting,
  messageOf,
  type Provider,
  policyAnnotation,
  type SecretRegistry,
} from '../../sdk/index.ts';
import { type BoundConfig, isRecorded, mayUse } from './config-choice.ts';
import { type AnyConfig, claimPrefix, configIntegrationName, configText } from './config-integration-name.ts';
import { problemText } from './config-values.ts';
import type { Connections } from './connections.ts';
import type { TenantIntegration } from './tenant-integration.ts';

/** Config behind an integration of a walk. */
export interface ConfigBehind {
  /** Integration type; its name is the key of the settings of workspaces. */
  readonly type: string;
  /** Credentials of the config, redacted in reports about it; none without a connection. */
  readonly secrets?: SecretRegistry;
  /** Reason why nothing is changed, reported in the condition. @default none */
  readonly problem?: string;
  /** True when the config was deleted. @default false */
  readonly isLost?: boolean;
}

/** Integration of a walk that a config is behind. */
export interface ConfiguredIntegration extends Integration {
  readonly behind: ConfigBehind;
}

/** Returns the config behind an integration; undefined for one of the config file. */
export const configBehind = (integration: Integration): ConfigBehind | undefined =>
  (integration as Partial<ConfiguredIntegration>).behind;

/** Returns the integration under the name by which workspaces have settings for it. */
export const settingsReaderOf = (integration: Integration): Integration => {
  const behind = configBehind(integration);
  return behind === undefined ? integration : { ...integration, name: behind.type };
};

/** Returns an observer to which calls for a config are calls of its type: tenants name configs, and would make series of metrics without a bound. */
function observerFor(observer: ProviderHost['observer'], type: string): ProviderHost['observer'] {
  return {
    refused: (write) => observer.refused?.(write),
    called: (call) => observer.called?.({ ...call, integration: type }),
    recovered: (recovery) => observer.recovered?.({ ...recovery, integration: type }),
    drifted: () => observer.drifted?.(type),
  };
}

/** Returns the host of one integration, which redacts the credentials of its config only, and counts its calls by the type of the config. */
export function hostFor(shared: ProviderHost, integration: Integration): ProviderHost {
  const behind = configBehind(integration);
  if (behind === undefined) return shared;
  const host = { ...shared, observer: observerFor(shared.observer, behind.type) };
  const { secrets } = behind;
  if (secrets === undefined) return host;
  const event: ProviderHost['events']['event'] = (...[about, type, reason, message]) =>
    host.events.event(about, type, reason, redactedMessage(secrets, message));
  return { ...host, secrets, events: { event } };
}

/** Longest chain of causes that is redacted. */
const maxCauses = 8;

/** Redacts a member of an error; a member that is not JSON is dropped. */
function withoutSecretsIn(value: unknown, secrets: SecretRegistry): unknown {
  if (typeof value === 'string') return secrets.redact(value);
  if (typeof value !== 'object' || value === null) return value;
  try {
    return JSON.parse(secrets.redact(JSON.stringify(value)));
  } catch {
    return undefined;
  }
}

/** Redacts the credentials of an integration's config in an error, its members, stack and causes, before it is logged. @returns the error */
export function withoutSecrets(error: unknown, integration: Integration): unknown {
  const secrets = configBehind(integration)?.secrets;
  if (secrets === undefined) return error;
  let next = error;
  try {
    for (let depth = 0; next instanceof Error; depth += 1) {
      const cause = depth < maxCauses ? next.cause : undefined;
      const names = new Set([...Object.keys(next), 'message', 'stack', ...('errors' in next ? ['errors'] : [])]);
      for (const name of names) {
        const value = withoutSecretsIn(next[name as 'message'], secrets);
        Object.defineProperty(next, name, { value, configurable: true, writable: true });
      }
      const shown = cause instanceof Error ? cause : withoutSecretsIn(cause, secrets);
      if ('cause' in next) Object.defineProperty(next, 'cause', { value: shown, configurable: true, writable: true });
      next = cause;
    }
    return error;
  } catch {
    return new Error(secrets.redact(messageOf(error))); // a frozen one
  }
}

/** Surroundings of the integrations of configs. */
export interface ConfiguredHost {
  readonly connections: Connections;
  /** Adds the finalizer to the config before any work under it. @throws DefiniteError, StaleError */
  readonly hold: (config: AnyConfig) => Promise<void>;
}

/** Use of a config by a workspace: chosen, chosen with a problem, or bound and to be left. */
export interface ConfigUse {
  readonly tenant: TenantIntegration;
  readonly config: AnyConfig;
  readonly isChosen: boolean;
  readonly problem?: string | undefined;
}

const never = (): boolean => false;
const refusing = (text: string) => () => {
  throw new DefiniteError(text);
};

/** Returns the declarations of a type that do not need a connection: kinds and outputs. */
const declaredBy = ({ owns = [], outputs = {} }: TenantIntegration) => ({ owns, outputs });

/** Returns the integration of one config for one workspace. */
export function configuredIntegration(
  host: ConfiguredHost,
  { tenant, config, isChosen, problem }: ConfigUse,
): ConfiguredIntegration {
  const found = host.connections.of(config);
  const { type } = config.spec;
  const { condition } = tenant;
  const name = configIntegrationName(config);
  const problemIn = (text: string | undefined) => (isChosen && text !== undefined ? { problem: text } : {});
  if ('problem' in found) {
    const text = problemText(config, found);
    const behind = { type, ...problemIn(problem ?? text) };
    return { name, condition, ...declaredBy(tenant), behind, handles: never, connect: refusing(text) };
  }
  const { integration, secrets } = found;
  const configured: ConfiguredIntegration = {
    ...integration,
    name,
    behind: { type, secrets, ...problemIn(problem) },
    handles: (workspace) => isChosen && problem === undefined && integration.handles(workspace),
    async connect(input) {
      const { workspace } = input.controller;
      const hasStarted = isRecorded(workspace, { integration: name, condition });
      if (!hasStarted && !mayUse(config, workspace))
        throw new DefiniteError(`${configText(config)} does not allow namespace ${workspace.metadata.namespace}`);
      const isHeld = hasStarted && (isDeleting(config) || hasFinalizer(config, configFinalizer));
      const provider: Provider = await found.during(async () => integration.connect(input));
      return {
        async reconcile(settings) {
          if (!isHeld && effectivePolicyOf(workspace, configured).changes) await host.hold(config);
          return found.during(async () => provider.reconcile(settings));
        },
        terminate: () => found.during(async () => provider.terminate()),
      };
    },
  };
  return configured;
}

/**
 * Returns the integration of a type without a config: it reports the problem, if any, and otherwise only allows the condition to be removed. Its name
 * is never claimed, and is none that an integration of the config file can have.
 */
export const emptyIntegration = (type: string, tenant: TenantIntegration, problem?: string): ConfiguredIntegration => ({
  name: `${claimPrefix(type)}none`,
  condition: tenant.condition,
  ...declaredBy(tenant),
  behind: { type, ...(problem !== undefined && { problem }) },
  handles: never,
  connect: refusing(problem ?? `no config of integration type ${type} is used here`),
});

/** Returns the integration for a claim of a deleted config: it reports how the remaining external objects can be removed. */
export function lostIntegration({ integration, type, condition }: BoundConfig): ConfiguredIntegration {
  const text =
    `the integration config of type ${type} was deleted, and its credentials with it (claim ${claimOf(integration)}): ` +
    `create it again with the same name, type and options to delete the external objects, or annotate ${policyAnnotation(condition)}=orphan to keep them`;
  return { name: integration, condition, behind: { type, isLost: true }, handles: never, connect: refusing(text) };
}
