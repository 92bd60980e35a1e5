/** Tenants of the keys of a queue. */

import type { KubeObject } from '../../api/object.ts';
import type { WorkOptions } from './work-options.ts';

/** Returns the namespace of a queue key, `[resourceKind ][namespace/]name`; empty without one. */
function namespaceIn(key: string): string {
  const start = key.lastIndexOf(' ') + 1;
  return key.slice(start, Math.max(start, key.indexOf('/', start)));
}

/** Returns the function from a key to its tenant, which never throws; undefined when all keys have one tenant. */
export function tenantsBy(
  by: WorkOptions['tenantBy'],
  objectOf: (key: string) => KubeObject | undefined,
): ((key: string) => string) | undefined {
  if (by === undefined || by === 'namespace') return by && namespaceIn;
  return (key) => {
    const object = objectOf(key);
    try {
      const tenant: unknown = object && by(object);
      return typeof tenant === 'string' ? tenant : namespaceIn(key);
    } catch {
      return namespaceIn(key);
    }
  };
}
