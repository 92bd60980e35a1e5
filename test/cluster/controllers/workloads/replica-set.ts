/** Reconcilers of ReplicaSets and ReplicationControllers. */

import type { ApiObject } from '../../apimachinery/object.ts';
import { withCondition, withoutCondition } from '../conditions.ts';
import type { Decision, Reconciler, View, Write } from '../engine/reconciler.ts';
import { compactStatus, statusWrites } from '../engine/status-write.ts';
import { claim, controllerOf, hasLabels, ownersConcerned } from '../ownership.ts';
import { inDeletionOrder } from '../pods/deletion-order.ts';
import { type PodTemplate, podFrom } from '../pods/from-template.ts';
import { type Condition, isActive, isAvailable, isReady, nextAvailable, type Pod, pods } from '../pods/pod.ts';

/** ReplicaSet object. */
export interface ReplicaSet extends ApiObject {
  readonly spec: {
    readonly replicas: number;
    readonly minReadySeconds?: number;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template: PodTemplate;
  };
  readonly status?: {
    readonly replicas?: number;
    readonly fullyLabeledReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}

/** Collection of ReplicaSets. */
export const replicaSets = 'apps/replicasets';

/** Maximum of pods created or deleted per sync. */
const burst = 500;

/** Returns the creation of a workload's pod, with its Events. */
export const podCreation = (owner: ApiObject, template: PodTemplate): Write => ({
  do: 'create',
  object: podFrom(owner, template),
  report: ({ metadata: { name } }) => ({
    about: owner,
    type: 'Normal',
    reason: 'SuccessfulCreate',
    message: `Created pod: ${name}`,
  }),
  reportRefusal: (message) => ({
    about: owner,
    type: 'Warning',
    reason: 'FailedCreate',
    message: `Error creating: ${message}`,
  }),
});

/** Returns the deletion of a workload's pod, with its Events. */
export const podDeletion = (owner: ApiObject, pod: Pod): Write => ({
  do: 'delete',
  object: pod,
  report: () => ({
    about: owner,
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `Deleted pod: ${pod.metadata.name}`,
  }),
  reportRefusal: (message) => ({
    about: owner,
    type: 'Warning',
    reason: 'FailedDelete',
    message: `Error deleting: ${message}`,
  }),
});

/** Returns the pods of a ReplicaSet and of those with the same owner. */
function relatedPods(set: ReplicaSet, view: View): readonly Pod[] {
  const { namespace } = set.metadata;
  const owner = controllerOf(set);
  const family = view
    .list<ReplicaSet>(replicaSets, namespace)
    .filter((other) => owner !== undefined && controllerOf(other)?.uid === owner.uid);
  const siblings = new Set([set, ...family].map(({ metadata }) => metadata.uid));
  return view.list<Pod>(pods, namespace).filter((pod) => siblings.has(controllerOf(pod)?.uid));
}

function replicaWrites(set: ReplicaSet, active: readonly Pod[], view: View): readonly Write[] {
  const missing = set.spec.replicas - active.length;
  if (missing > 0) return Array.from({ length: Math.min(missing, burst) }, () => podCreation(set, set.spec.template));
  if (missing === 0) return [];
  return inDeletionOrder(active, relatedPods(set, view), view.now)
    .slice(0, Math.min(-missing, burst))
    .map((pod) => podDeletion(set, pod));
}

function statusOf(set: ReplicaSet, active: readonly Pod[], { now, refusal }: View): ReplicaSet['status'] {
  const { minReadySeconds = 0, template, replicas } = set.spec;
  const conditions = set.status?.conditions ?? [];
  const reason = active.length < replicas ? 'FailedCreate' : 'FailedDelete';
  const failure = { type: 'ReplicaFailure', status: 'True', reason, message: refusal ?? '' } as const;
  const isKnown = conditions.some(({ type }) => type === 'ReplicaFailure');
  return compactStatus(
    {
      replicas: active.length,
      fullyLabeledReplicas: active.filter(({ metadata }) => hasLabels(template.metadata?.labels, metadata.labels))
        .length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: active.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
      observedGeneration: set.metadata.generation,
      conditions:
        refusal === undefined
          ? withoutCondition(conditions, 'ReplicaFailure')
          : isKnown
            ? conditions
            : withCondition(conditions, failure, now),
    },
    ['replicas'],
  );
}

/** Kind that keeps a number of pods: ReplicaSet or ReplicationController. */
interface Keeper {
  readonly kind: string;
  readonly collection: string;
  readonly component: string;
  /** Returns an equivalent ReplicaSet. */
  readonly asReplicaSet: (object: ApiObject) => ReplicaSet;
}

const keeping = ({ kind, collection, component, asReplicaSet }: Keeper): Reconciler => ({
  collection,
  component,
  concerns: (change, view) =>
    change.collection === pods ? ownersConcerned({ kind, collection, asSelecting: asReplicaSet }, change, view) : [],
  decide(object, view): Decision {
    const set = asReplicaSet(object);
    const candidates = view.list<Pod>(pods, set.metadata.namespace).filter(isActive);
    const { owned, writes } = claim(set, candidates);
    if (writes.length > 0) return { writes };
    const isLeaving = set.metadata.deletionTimestamp !== undefined;
    const changes = isLeaving || view.refusal !== undefined ? [] : replicaWrites(set, owned, view);
    if (changes.length > 0) return { writes: changes };
    return {
      writes: statusWrites(object, statusOf(set, owned, view) ?? {}),
      after: nextAvailable(owned, set.spec.minReadySeconds ?? 0, view.now),
    };
  },
});

/** Keeps the number of pods that a ReplicaSet asks for. */
export const replicaSetReconciler = keeping({
  kind: 'ReplicaSet',
  collection: replicaSets,
  component: 'replicaset-controller',
  asReplicaSet: (object) => object as ReplicaSet,
});

/** Keeps the number of pods that a ReplicationController asks for, as for a ReplicaSet with a label selector. */
export const replicationControllerReconciler = keeping({
  kind: 'ReplicationController',
  collection: '/replicationcontrollers',
  component: 'replication-controller',
  asReplicaSet(object) {
    const { spec } = object as ApiObject & { readonly spec: ReplicaSet['spec'] };
    const matchLabels = (spec.selector ?? {}) as Readonly<Record<string, string>>;
    return { ...object, spec: { ...spec, selector: { matchLabels } } };
  },
});
