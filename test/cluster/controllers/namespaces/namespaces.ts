/** Namespace lifecycle: empties deleted namespaces, and keeps a ServiceAccount and the root CA in each. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, draftOf, equal } from '../../apimachinery/object.ts';
import { specFinalizersOf } from '../../apis/core/namespace-strategy.ts';
import { firstManagers } from '../../managed-fields/initial-managers.ts';
import { createObject } from '../../objects/create.ts';
import { deleteObject } from '../../objects/delete.ts';
import { scopeOf } from '../../objects/managed-fields.ts';
import { updateObject } from '../../objects/update.ts';
import type { Resource } from '../../resources/registry.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { ChangeHandler } from '../engine/change-worker.ts';
import { emptyingConditions, type Remaining } from './namespace-conditions.ts';

const manager = 'kube-controller-manager';

const everythingIn = ({ registry, store }: ServerContext, name: string): readonly Remaining[] =>
  registry
    .collections()
    .filter(({ info }) => info.namespaced && info.verbs.includes('delete'))
    .map((resource) => ({ resource, objects: store.page(resource.collection, { prefix: `${name}/` }).objects }))
    .filter(({ objects }) => objects.length > 0);

/** Options of the namespace controller. */
export interface NamespaceOptions {
  /** Delay between a deletion and the removal of content, in ms by the cluster's clock; a real server takes a moment. @default 0 */
  readonly delay?: number;
}

/** Creates the controller that empties deleted namespaces and removes their finalizer. */
export function namespaceController(
  server: ServerContext,
  namespaces: Resource,
  { delay = 0 }: NamespaceOptions,
): ChangeHandler {
  const { store, clock } = server;

  const remainingIn = (name: string): readonly Remaining[] => everythingIn(server, name);
  // Pods go first: the objects they use have to stay until they have stopped.
  const podsIn = (remaining: readonly Remaining[]) => remaining.find(({ resource }) => resource.collection === '/pods');

  const empty = (name: string): void => {
    const remaining = remainingIn(name);
    const pods = podsIn(remaining);
    for (const { resource, objects } of pods === undefined ? remaining : [pods]) {
      for (const object of objects) {
        if (object.metadata.deletionTimestamp === undefined)
          deleteObject({ server, resource }, object, { propagationPolicy: 'Background' });
      }
    }
  };

  /** Updates the deletion conditions. As upstream, nothing is reported while pods remain, since the rest waits for them. */
  const report = (namespace: ApiObject, remaining: readonly Remaining[]): ApiObject => {
    const shown = podsIn(remaining) === undefined ? remaining : [];
    const conditions = emptyingConditions(namespace, shown, clock.now());
    const status = { ...(namespace.status as object), conditions };
    if (equal(status, namespace.status)) return namespace;
    const scope = scopeOf({ server, resource: namespaces, manager, subresource: 'status' });
    return updateObject(scope, namespace, { ...draftOf(namespace), status }).object;
  };

  const finish = (name: string): void => {
    const namespace = store.get(namespaces.collection, name);
    if (namespace === undefined || specFinalizersOf(namespace).length === 0) return;
    const remaining = remainingIn(name);
    const updated = report(namespace, remaining);
    if (remaining.length > 0 || !specFinalizersOf(updated).includes('kubernetes')) return;
    const draft = draftOf(updated);
    const finalizers = specFinalizersOf(updated).filter((finalizer) => finalizer !== 'kubernetes');
    draft.spec = finalizers.length > 0 ? { finalizers } : {};
    updateObject(scopeOf({ server, resource: namespaces, manager, subresource: 'finalize' }), updated, draft);
  };

  const work = (name: string): void => {
    empty(name);
    finish(name);
  };

  return ({ collection, type, object }) => {
    const name = collection === namespaces.collection ? object.metadata.name : object.metadata.namespace;
    if (name === undefined || (collection !== namespaces.collection && type !== 'DELETED')) return;
    if (store.get(namespaces.collection, name)?.metadata.deletionTimestamp === undefined) return;
    if (delay <= 0) work(name);
    else clock.after(delay, () => work(name));
  };
}

const rootCaText =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Object that every namespace has. */
export interface KeptObject {
  readonly plural: string;
  readonly name: string;
  draftIn(namespace: string): Draft;
}

/** Creates a controller that keeps one object in every active namespace: created, recreated after a deletion, and restored after a change. */
function keepInEveryNamespace(server: ServerContext, { plural, name, draftIn }: KeptObject): ChangeHandler {
  const { store, registry, clock } = server;
  const resource = registry.find('v1', plural)!;
  const scope = { server, resource };
  const ensure = (namespace: string): void => {
    const current = store.get(resource.collection, `${namespace}/${name}`);
    const draft = draftIn(namespace);
    if (current === undefined) {
      const managers = firstManagers(resource.collection, draft, timestampOf(clock.now()));
      createObject({ ...scope, managedFields: () => managers }, draft);
    } else {
      const right = { ...current, ...draft, metadata: current.metadata };
      if (!equal(right, current)) updateObject(scopeOf({ ...scope, manager }), current, draftOf(right));
    }
  };
  return ({ collection, key, type, object }) => {
    const namespace = collection === '/namespaces' ? key : object.metadata.namespace;
    const relevant =
      collection === '/namespaces'
        ? type === 'ADDED'
        : collection === resource.collection && type !== 'ADDED' && object.metadata.name === name;
    if (!relevant || namespace === undefined) return;
    const current = store.get('/namespaces', namespace);
    if (current !== undefined && current.metadata.deletionTimestamp === undefined) ensure(namespace);
  };
}

/** Default ServiceAccount of a namespace. */
export const serviceAccount: KeptObject = {
  plural: 'serviceaccounts',
  name: 'default',
  draftIn: (namespace) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } }),
};

/** Returns the ConfigMap `kube-root-ca.crt` with the authority's certificate, in PEM. */
export const rootCaOf = ({ authority }: Pick<ServerContext, 'authority'>): KeptObject => {
  const name = 'kube-root-ca.crt';
  const annotations = { 'kubernetes.io/description': rootCaText };
  return {
    plural: 'configmaps',
    name,
    draftIn: (namespace) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, annotations: { ...annotations } },
      data: { 'ca.crt': authority().certificate },
    }),
  };
};

/** Creates the controller of the `default` ServiceAccounts. */
export const serviceAccountController = (server: ServerContext): ChangeHandler =>
  keepInEveryNamespace(server, serviceAccount);

/** Creates the controller of the `kube-root-ca.crt` ConfigMaps. */
export const rootCaController = (server: ServerContext): ChangeHandler =>
  keepInEveryNamespace(server, rootCaOf(server));
