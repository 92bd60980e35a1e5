/** Admission of integration configs by the webhook. */

import type { WrongField } from '../../sdk/host/index.ts';
import { canonicalJson, isDeleting } from '../../sdk/index.ts';
import type { AdmissionContext, AdmissionVerdict } from '../../sdk/webhooks/index.ts';
import type { AnyConfig } from '../tenants/config-integration-name.ts';
import { readConfigSpec } from '../tenants/read-config-spec.ts';
import type { TenantIntegrations } from '../tenants/tenant-integration.ts';
import { mistakeText, verdictOn } from './verdict.ts';

/**
 * Validates a config by the types that the operator opens, as every read of it does. New mistakes refuse it; existing mistakes and a type whose
 * `validate` fails are warnings. Deletions and changes outside of the spec are admitted without validation. Pure.
 */
export function admitConfig(
  config: AnyConfig,
  { old }: Pick<AdmissionContext<AnyConfig>, 'old'>,
  types: TenantIntegrations,
): AdmissionVerdict | undefined {
  if (isDeleting(config)) return undefined;
  if (old !== undefined && canonicalJson(old.spec) === canonicalJson(config.spec)) return undefined;
  const read = readConfigSpec(config, types);
  if (!('mistakes' in read)) return undefined;
  if (read.reason === 'TypeInvalid') return { warnings: read.mistakes.map(mistakeText) };
  return verdictOn(read.mistakes, old === undefined ? [] : mistakesOf(old, types));
}

function mistakesOf(config: AnyConfig, types: TenantIntegrations): readonly WrongField[] {
  const read = readConfigSpec(config, types);
  return 'mistakes' in read ? read.mistakes : [];
}
