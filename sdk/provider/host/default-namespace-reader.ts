/** Reads from the workspace's namespace by default. */

import type { Kind } from '../../api/kind.ts';
import type { KubeObject, ObjectKey } from '../../api/object.ts';
import type { ListOptions, Reader } from '../../client/client.ts';

/** Returns the key of an object, by default in the workspace's namespace if the kind is namespaced. */
export const keyIn = (namespace: string, kind: Pick<Kind, 'namespaced'>, key: ObjectKey): ObjectKey =>
  kind.namespaced ? { namespace, ...key } : key;

/** Wraps a reader to read from one namespace by default. */
export const defaultNamespaceReader = (client: Reader, namespace: string): Reader => ({
  get: (kind, key, options) => client.get(kind, keyIn(namespace, kind, key), options),
  list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}) {
    const { namespace: chosen = namespace, ...rest } = options;
    return client.list(kind, kind.namespaced && chosen !== '' ? { ...rest, namespace: chosen } : rest);
  },
});
