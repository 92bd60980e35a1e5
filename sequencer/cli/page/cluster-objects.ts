/** Objects of the in-memory cluster, as the page lists them. */

import {
  type Client,
  type Clock,
  ConfigMap,
  createReflector,
  Deployment,
  type Kind,
  type KubeObject,
  keyOf,
  Lease,
  Pod,
  Secret,
  Service,
  Store,
} from '../../../sdk/index.ts';
import type { ObjectView } from '../../page/page-model.ts';

/** Objects kept current by watches. */
export interface ClusterObjects {
  list(): readonly ObjectView[];
  /** Notifies the listeners of a change elsewhere. */
  notifyListeners(): void;
  /** Adds a listener; returns a function that removes it. */
  listen(listener: () => void): () => void;
}

/** Name only, without the object's contents. */
const metadataOnly = ({
  apiVersion,
  kind,
  metadata: { name, namespace, uid, resourceVersion },
}: KubeObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: {
    name,
    ...(namespace !== undefined && { namespace }),
    uid: uid ?? '',
    resourceVersion: resourceVersion ?? '',
  },
});

/** Returns the state of an object in a word or two. */
export function stateOf(object: KubeObject): string {
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (object.kind === 'Pod') {
    const { phase = '', conditions = [] } = (object as Pod).status ?? {};
    return conditions.some(({ type, status }) => type === 'Ready' && status === 'True') ? 'Ready' : phase;
  }
  if (object.kind === 'Deployment') {
    const { status, spec } = object as Deployment;
    return `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 1} ready`;
  }
  return object.kind === 'Lease' ? ((object as Lease).spec?.holderIdentity ?? '') : '';
}

const kinds: readonly (readonly [kind: Kind, secret: boolean])[] = [
  [Pod as Kind, false],
  [Deployment as Kind, false],
  [Service as Kind, false],
  [ConfigMap as Kind, true],
  [Secret as Kind, true],
  [Lease as Kind, false],
];

const isSystem = ({ metadata: { namespace = '', name } }: KubeObject): boolean =>
  namespace.startsWith('kube-') || name === 'kube-root-ca.crt' || name === 'kubernetes';

/** Follows the usual kinds of a cluster until the signal aborts. */
export function followObjects(client: Client, clock: Clock, signal: AbortSignal): ClusterObjects {
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const stores = kinds.map(([kind, secret]) => {
    const store = new Store<KubeObject>(secret ? { project: metadataOnly } : {});
    void createReflector({ client, kind, store, clock, onChange: notify }).run(signal);
    return [kind, store] as const;
  });
  return {
    notifyListeners: notify,
    list: () =>
      stores.flatMap(([{ plural }, store]) =>
        store
          .list()
          .filter((object) => !isSystem(object))
          .map((object) => ({
            resource: plural,
            namespace: object.metadata.namespace ?? '',
            name: object.metadata.name,
            state: stateOf(object),
          }))
          .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
      ),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
