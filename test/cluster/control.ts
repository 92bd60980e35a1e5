import { type KubeObject, keyOf, type ObjectKey } from '../../sdk/api/object.ts';
import type { Handler, User } from './http/message.ts';
import type { Machinery } from './machinery.ts';
import type { ApiObject, Fields } from './objects/object.ts';
import { threeWayPatch } from './patch/merge.ts';
import type { Resource } from './registry.ts';

/** What names a kind. */
export type KindName = Pick<KubeObject, 'apiVersion' | 'kind'>;

/** Straight access to what a cluster holds. */
export interface Control {
  /** Creates or changes an object as `kubectl apply` would; answers what the server then holds. Rejects with the server's message. */
  apply<T extends KubeObject>(object: T): Promise<ApiObject>;
  /** The current object, or undefined. Throws when the kind is not served. */
  get(kind: KindName, key: ObjectKey): ApiObject | undefined;
  /** The current objects of a kind, in the order of their keys. Throws when the kind is not served. */
  list(kind: KindName, namespace?: string): readonly ApiObject[];
}

/** The path of a resource's collection, in a namespace where it has one. */
export const pathOf = ({ apiVersion, info }: Resource, namespace: string): string =>
  `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/${info.namespaced ? `namespaces/${namespace}/` : ''}${info.plural}`;

const types = { POST: 'application/json', PATCH: 'application/merge-patch+json' } as const;

/** What was applied last, by collection and key: what is missing from it next time was taken away. */
export type Applied = ReadonlyMap<string, KubeObject>;

/** Who writes, and through what. */
export interface ControlOptions {
  readonly handle: Handler;
  readonly user: User;
  readonly applied: Map<string, KubeObject>;
}

/** Control over a machinery, whose handler does the writes. */
export function createControl({ registry, store }: Machinery, { handle, user, applied }: ControlOptions): Control {
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
