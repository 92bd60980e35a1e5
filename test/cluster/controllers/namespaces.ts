import { type Machinery, timestampOf } from '../machinery.ts';
import { createObject } from '../objects/create.ts';
import { deleteObject } from '../objects/delete.ts';
import { scopeOf } from '../objects/managing.ts';
import { type ApiObject, type Draft, draftOf, equal, isFields } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import type { Resource } from '../registry.ts';
import { specFinalizersOf } from '../strategies/namespace.ts';
import type { Controller } from './reaction.ts';

const manager = 'kube-controller-manager';

interface Remaining {
  readonly resource: Resource;
  readonly objects: readonly ApiObject[];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

const resourceName = ({ info: { plural, group } }: Resource): string => `${plural}.${group}`;

const countText = (counts: ReadonlyMap<string, number>, unit: string): string =>
  [...counts]
    .sort()
    .map(([name, count]) => `${name} ${unit.replace('#', String(count))}`)
    .join(', ');

function countsOf(
  remaining: readonly Remaining[],
  namesOf: (part: Remaining) => readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const part of remaining) for (const name of namesOf(part)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const discovered = {
  type: 'NamespaceDeletionDiscoveryFailure',
  status: 'False',
  reason: 'ResourcesDiscovered',
  message: 'All resources successfully discovered',
};
const parsed = {
  type: 'NamespaceDeletionGroupVersionParsingFailure',
  status: 'False',
  reason: 'ParsedGroupVersions',
  message: 'All legacy kube types successfully parsed',
};
const contentDeleted = {
  type: 'NamespaceDeletionContentFailure',
  status: 'False',
  reason: 'ContentDeleted',
  message: 'All content successfully deleted, may be waiting on finalization',
};
const contentRemoved = { status: 'False', reason: 'ContentRemoved', message: 'All content successfully removed' };
const noFinalizers = {
  status: 'False',
  reason: 'ContentHasNoFinalizers',
  message: 'All content-preserving finalizers finished',
};

const remainingContent = (counts: ReadonlyMap<string, number>) => ({
  status: 'True',
  reason: 'SomeResourcesRemain',
  message: `Some resources are remaining: ${countText(counts, 'has # resource instances')}`,
});
const remainingFinalizers = (counts: ReadonlyMap<string, number>) => ({
  status: 'True',
  reason: 'SomeFinalizersRemain',
  message: `Some content in the namespace has finalizers remaining: ${countText(counts, 'in # resource instances')}`,
});

/** The five conditions of a namespace on its way out. */
function conditionsOf(remaining: readonly Remaining[], now: string): Condition[] {
  const content = countsOf(remaining, ({ resource, objects }) => objects.map(() => resourceName(resource)));
  const finalizers = countsOf(remaining, ({ objects }) => objects.flatMap(({ metadata }) => metadata.finalizers ?? []));
  return [
    discovered,
    parsed,
    contentDeleted,
    { type: 'NamespaceContentRemaining', ...(content.size > 0 ? remainingContent(content) : contentRemoved) },
    { type: 'NamespaceFinalizersRemaining', ...(finalizers.size > 0 ? remainingFinalizers(finalizers) : noFinalizers) },
  ].map((condition) => ({ ...condition, lastTransitionTime: now }));
}

/** Conditions that say the same keep their time. */
function merged(namespace: ApiObject, fresh: readonly Condition[]): Condition[] {
  const known = isFields(namespace.status) ? ((namespace.status.conditions as Condition[] | undefined) ?? []) : [];
  return fresh.map((condition) => {
    const before = known.find(({ type }) => type === condition.type);
    return before?.status === condition.status
      ? { ...condition, lastTransitionTime: before.lastTransitionTime }
      : condition;
  });
}

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
  const { store, registry, clock } = machinery;

  const remainingIn = (name: string): Remaining[] =>
    registry
      .collections()
      .filter(({ info }) => info.namespaced && info.verbs.includes('delete'))
      .map((resource) => ({ resource, objects: store.page(resource.collection, { prefix: `${name}/` }).objects }))
      .filter(({ objects }) => objects.length > 0);

  // Pods go first: what they use has to stay until they have stopped.
  const podsIn = (remaining: readonly Remaining[]) => remaining.find(({ resource }) => resource.collection === '/pods');

  const empty = (name: string): void => {
    const remaining = remainingIn(name);
    const pods = podsIn(remaining);
    for (const { resource, objects } of pods === undefined ? remaining : [pods]) {
      for (const object of objects) {
        if (object.metadata.deletionTimestamp === undefined) deleteObject({ machinery, resource }, object, {});
      }
    }
  };

  const finish = (name: string): void => {
    const namespace = store.get(namespaces.collection, name);
    if (namespace === undefined || !specFinalizersOf(namespace).includes('kubernetes')) return;
    const remaining = remainingIn(name);
    const draft = draftOf(namespace);
    if (remaining.length > 0) {
      draft.status = {
        ...(namespace.status as object),
        conditions: merged(namespace, conditionsOf(remaining, timestampOf(clock.now()))),
      };
      updateObject(scopeOf({ machinery, resource: namespaces, manager, subresource: 'status' }), namespace, draft);
      return;
    }
    draft.spec = { finalizers: specFinalizersOf(namespace).filter((finalizer) => finalizer !== 'kubernetes') };
    updateObject(scopeOf({ machinery, resource: namespaces, manager, subresource: 'finalize' }), namespace, draft);
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
  const { store, registry } = machinery;
  const resource = registry.find('v1', plural)!;
  const scope = scopeOf({ machinery, resource, manager });
  const ensure = (namespace: string): void => {
    const current = store.get(resource.collection, `${namespace}/${name}`);
    const draft = draftIn(namespace);
    if (current === undefined) createObject(scope, draft);
    else {
      const right = { ...current, ...draft, metadata: current.metadata };
      if (!equal(right, current)) updateObject(scope, current, draftOf(right));
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
