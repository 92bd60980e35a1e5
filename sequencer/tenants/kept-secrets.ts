/** Credentials of configs that are being deleted. */

import { isDeleting, type Secret } from '../../sdk/index.ts';
import type { SecretOf } from './config-values.ts';

/** Maximum number of configs with remembered Secrets; the last read ones are kept. */
const maxConfigs = 10_000;

/**
 * Returns a lookup of the Secrets of configs. For a config that is being deleted it returns the last read version of a deleted Secret: the deletion of
 * a namespace removes its Secrets at once, while the config is needed for the clean-up. Only Secrets read by this process are known.
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
    if (kept.size > maxConfigs) kept.delete([...kept.keys()][0]!);
    return found;
  };
}
