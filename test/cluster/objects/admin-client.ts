/** Direct access to the objects of a cluster, past HTTP. */

import { type KubeObject, keyOf, type ObjectKey } from '../../../sdk/api/object.ts';
import type { ApiObject, Fields } from '../apimachinery/object.ts';
import { threeWayPatch } from '../apimachinery/patch/merge-patch.ts';
import type { Handler, User } from '../requests/message.ts';
import type { Resource } from '../resources/registry.ts';
import type { ServerContext } from '../server/server-context.ts';

/** Reference to a kind: its apiVersion and kind. */
export type KindName = Pick<KubeObject, 'apiVersion' | 'kind'>;

/** Direct access to the objects of a cluster. */
export interface AdminClient {
  /** Creates or updates an object as `kubectl apply` does and returns the stored object. Rejects with the server's message. */
  apply<T extends KubeObject>(object: T): Promise<ApiObject>;
  /** Returns the current object, or undefined. Throws when the kind is not served. */
  get(kind: KindName, key: ObjectKey): ApiObject | undefined;
  /** Returns the current objects of a kind in key order. Throws when the kind is not served. */
  list(kind: KindName, namespace?: string): readonly ApiObject[];
}

/** Returns the path of a resource's collection, inside the namespace if the resource is namespaced. */
export const pathOf = ({ apiVersion, info }: Resource, namespace: string): string =>
  `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/${info.namespaced ? `namespaces/${namespace}/` : ''}${info.plural}`;

const types = { POST: 'application/json', PATCH: 'application/merge-patch+json' } as const;

/** Last applied objects, by collection and key; fields missing from the next apply are removed, as with kubectl's last-applied annotation. */
export type Applied = ReadonlyMap<string, KubeObject>;

/** Options of {@link createAdminClient}: handler, user of the writes, and last applied objects. */
export interface AdminClientOptions {
  readonly handle: Handler;
  readonly user: User;
  readonly applied: Map<string, KubeObject>;
}

/** Creates a {@link AdminClient}: reads from the store, writes through the handler. */
export function createAdminClient(
  { registry, store }: ServerContext,
  { handle, user, applied }: AdminClientOptions,
): AdminClient {
  const resourceFor = (kind: KindName): Resource => {
    const resource = registry.ofKind(kind);
    if (resource !== undefined) return resource;
    throw new Error(
      `the cluster serves no ${kind.kind} of ${kind.apiVersion}: apply its CustomResourceDefinition first`,
    );
  };
  const send = async (method: keyof typeof types, url: string, body: object): Promise<Fields> => {
    const headers = { 'content-type': types[method], 'user-agent': 'cluster-control' };
    const response = await handle({ method, url, headers, body: Buffer.from(JSON.stringify(body)), user });
    return JSON.parse(response.body.toString()) as Fields;
  };

  return {
    async apply(object) {
      const resource = resourceFor(object);
      const collection = pathOf(resource, object.metadata.namespace ?? 'default');
      const id = `${resource.collection} ${keyOf(object.metadata)}`;
      let result = await send('POST', collection, object);
      if (result.reason === 'AlreadyExists') {
        const patch = threeWayPatch(applied.get(id), object as unknown as Fields);
        const url = `${collection}/${object.metadata.name}`;
        result = await send('PATCH', url, patch);
      }
      if (result.kind === 'Status') throw new Error(String(result.message));
      applied.set(id, object);
      return result as unknown as ApiObject;
    },
    get(kind, key) {
      const resource = resourceFor(kind);
      const stored = store.get(resource.collection, keyOf(key));
      return stored && resource.view(stored);
    },
    list(kind, namespace) {
      const resource = resourceFor(kind);
      const prefix = namespace === undefined ? '' : `${namespace}/`;
      return store.page(resource.collection, { prefix }).objects.map(resource.view);
    },
  };
}
