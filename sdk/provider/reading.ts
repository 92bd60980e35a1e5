import type { Kind } from '../api/kind.ts';
import type { KubeObject, ObjectKey } from '../api/object.ts';
import type { ListOptions, Reader } from '../client/client.ts';

/** The key of an object: of the workspace's namespace, where the kind has namespaces and the key names none. */
export const keyIn = (namespace: string, kind: Pick<Kind, 'namespaced'>, key: ObjectKey): ObjectKey =>
  kind.namespaced ? { namespace, ...key } : key;

/** A reader that reads from one namespace, unless told otherwise. */
export const readingFrom = (client: Reader, namespace: string): Reader => ({
  get: (kind, key, options) => client.get(kind, keyIn(namespace, kind, key), options),
  list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}) {
    const { namespace: chosen = namespace, ...rest } = options;
    return client.list(kind, kind.namespaced && chosen !== '' ? { ...rest, namespace: chosen } : rest);
  },
});
