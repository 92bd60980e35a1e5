import { firstManagers } from '../bootstrap/managed.ts';
import { type Machinery, timestampOf } from '../machinery.ts';
import { createObject } from '../objects/create.ts';
import { deleteObject } from '../objects/delete.ts';
import { scopeOf } from '../objects/managing.ts';
import { type ApiObject, type Draft, draftOf, equal } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import type { Resource } from '../registry.ts';
import { specFinalizersOf } from '../strategies/namespace.ts';
import { emptyingConditions, type Remaining } from './namespace-conditions.ts';
import type { Controller } from './reaction.ts';

const manager = 'kube-controller-manager';

const everythingIn = ({ registry, store }: Machinery, name: string): readonly Remaining[] =>
  registry
    .collections()
    .filter(({ info }) => info.namespaced && info.verbs.includes('delete'))
    .map((resource) => ({ resource, objects: store.page(resource.collection, { prefix: `${name}/` }).objects }))
    .filter(({ objects }) => objects.length > 0);

/** How deleted namespaces are emptied. */
export interface NamespaceOptions {
  /** ms by the cluster's clock from a deletion until something is done about it; a real server takes a moment. @default 0 */
  readonly delay?: number;
}

/** Empties deleted namespaces and lets them go when nothing is left. */
export function namespaceController(
  machinery: Machinery,
  namespaces: Resource,
  { delay = 0 }: NamespaceOptions,
): Controller {
  const { store, clock } = machinery;

  const remainingIn = (name: string): readonly Remaining[] => everythingIn(machinery, name);
  // Pods go first: what they use has to stay until they have stopped.
  const podsIn = (remaining: readonly Remaining[]) => remaining.find(({ resource }) => resource.collection === '/pods');

  const empty = (name: string): void => {
    const remaining = remainingIn(name);
    const pods = podsIn(remaining);
    for (const { resource, objects } of pods === undefined ? remaining : [pods]) {
      for (const object of objects) {
        if (object.metadata.deletionTimestamp === undefined)
          deleteObject({ machinery, resource }, object, { propagationPolicy: 'Background' });
      }
    }
  };

  /** Says how far it is, as upstream does: of pods, which everything else waits for, nothing is said. */
  const report = (namespace: ApiObject, remaining: readonly Remaining[]): ApiObject => {
    const told = podsIn(remaining) === undefined ? remaining : [];
    const conditions = emptyingConditions(namespace, told, timestampOf(clock.now()));
    const status = { ...(namespace.status as object), conditions };
    if (equal(status, namespace.status)) return namespace;
    const scope = scopeOf({ machinery, resource: namespaces, manager, subresource: 'status' });
    return updateObject(scope, namespace, { ...draftOf(namespace), status }).object;
  };

  const finish = (name: string): void => {
    const namespace = store.get(namespaces.collection, name);
    if (namespace === undefined || specFinalizersOf(namespace).length === 0) return;
    const remaining = remainingIn(name);
    const told = report(namespace, remaining);
    if (remaining.length > 0 || !specFinalizersOf(told).includes('kubernetes')) return;
    const draft = draftOf(told);
    const finalizers = specFinalizersOf(told).filter((finalizer) => finalizer !== 'kubernetes');
    draft.spec = finalizers.length > 0 ? { finalizers } : {};
    updateObject(scopeOf({ machinery, resource: namespaces, manager, subresource: 'finalize' }), told, draft);
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

/** What is kept in every namespace. */
export interface KeptObject {
  readonly plural: string;
  readonly name: string;
  draftIn(namespace: string): Draft;
}

/** Keeps one object in every namespace that is not on its way out: made with the namespace, made again when it is deleted, put right when it is written. */
function keeper(machinery: Machinery, { plural, name, draftIn }: KeptObject): Controller {
  const { store, registry, clock } = machinery;
  const resource = registry.find('v1', plural)!;
  const scope = { machinery, resource };
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

/** The `default` ServiceAccount of each namespace. */
export const serviceAccount: KeptObject = {
  plural: 'serviceaccounts',
  name: 'default',
  draftIn: (namespace) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } }),
};

/** Each namespace's ConfigMap with the authority's certificate, in PEM. */
export const rootCaOf = ({ authority }: Pick<Machinery, 'authority'>): KeptObject => {
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

/** Gives each namespace its `default` ServiceAccount. */
export const serviceAccountController = (machinery: Machinery): Controller => keeper(machinery, serviceAccount);

/** Gives each namespace the ConfigMap with the authority's certificate. */
export const rootCaController = (machinery: Machinery): Controller => keeper(machinery, rootCaOf(machinery));
