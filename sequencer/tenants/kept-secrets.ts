/** Keeps the credentials of configs that are being deleted. */

import { isDeleting, type Secret } from '../../sdk/index.ts';
import type { SecretOf } from './config-values.ts';

/** Limit of the configs whose Secrets are remembered: those read last. */
const mostConfigs = 10_000;

/**
 * Returns what finds the Secrets of configs, and for a config that is being deleted the last one found of one that is gone: a namespace loses its
 * Secrets at once, while the config has to serve what is left under it. Known is what this process has read.
 */
export function keepingSecrets(secretOf: SecretOf): SecretOf {
  const kept = new Map<string, Map<string, Secret>>();
  return (config, name) => {
    const { uid = '' } = config.metadata;
    const known = kept.get(uid);
    const found = secretOf(config, name);
    if (found === undefined) return isDeleting(config) ? known?.get(name) : undefined;
    kept.delete(uid);
    kept.set(uid, (known ?? new Map<string, Secret>()).set(name, found));
    if (kept.size > mostConfigs) kept.delete([...kept.keys()][0]!);
    return found;
  };
}
