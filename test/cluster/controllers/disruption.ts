/** Controller of PodDisruptionBudgets. */

import type { OwnerReference } from '../../../sdk/api/object.ts';
import { type ApiObject, equal } from '../apimachinery/object.ts';
import { selectsLabels } from '../apimachinery/selectors/match-label-selector.ts';
import type { Change } from '../storage/store.ts';
import { conditionOf, transitionTime } from './conditions.ts';
import { type Decision, type Reconciler, shortest, type View, type Write } from './engine/reconciler.ts';
import { statusWrites } from './engine/status-write.ts';
import { amountOf, type IntOrPercent } from './int-or-percent.ts';
import { controllerOf } from './ownership.ts';
import { type Condition, isReady, isTerminating, type Pod, pods } from './pods/pod.ts';

/** PodDisruptionBudget. */
interface Budget extends ApiObject {
  readonly spec: {
    readonly selector?: unknown;
    readonly minAvailable?: IntOrPercent;
    readonly maxUnavailable?: IntOrPercent;
  };
  readonly status?: {
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
}

interface ScaledOwner extends ApiObject {
  readonly spec?: { readonly replicas?: number };
}

const budgets = 'policy/poddisruptionbudgets';
/** Time after which an entry of `disruptedPods` expires, in ms; upstream's. */
const deletionTimeout = 120_000;

/** Collections of scaled workloads by kind. */
const collections: ReadonlyMap<string, string> = new Map([
  ['ReplicaSet', 'apps/replicasets'],
  ['Deployment', 'apps/deployments'],
  ['StatefulSet', 'apps/statefulsets'],
  ['ReplicationController', '/replicationcontrollers'],
]);

/** Finds the workload whose `replicas` counts: the ReplicaSet's Deployment, if that is its controller. */
function scaleOf({ kind, name }: OwnerReference, namespace: string, view: View): ScaledOwner | undefined {
  const found = view.get<ScaledOwner>(collections.get(kind) ?? '', `${namespace}/${name}`);
  const above = found && kind === 'ReplicaSet' ? controllerOf(found) : undefined;
  return (above?.kind === 'Deployment' ? scaleOf(above, namespace, view) : undefined) ?? found;
}

/** Sums the replicas of the workloads behind pods; an Error when an owner is not found. */
function expectedScale(selected: readonly Pod[], view: View): number | Error {
  const scales = new Map<string, number>();
  for (const pod of selected) {
    const owner = controllerOf(pod);
    if (owner === undefined) continue;
    const scaled = scaleOf(owner, pod.metadata.namespace ?? '', view);
    if (scaled === undefined) return new Error(`found no controllers for pod "${pod.metadata.name}"`);
    scales.set(scaled.metadata.uid ?? '', scaled.spec?.replicas ?? 0);
  }
  return [...scales.values()].reduce((sum, count) => sum + count, 0);
}

interface Expectation {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

function expectationOf({ spec }: Budget, selected: readonly Pod[], view: View): Expectation | Error {
  if (typeof spec.minAvailable === 'number')
    return { expectedPods: selected.length, desiredHealthy: spec.minAvailable };
  if (spec.minAvailable === undefined && spec.maxUnavailable === undefined)
    return { expectedPods: 0, desiredHealthy: 0 };
  const expectedPods = expectedScale(selected, view);
  if (expectedPods instanceof Error) return expectedPods;
  const desiredHealthy =
    spec.maxUnavailable === undefined
      ? amountOf(spec.minAvailable, expectedPods, 'up')
      : Math.max(0, expectedPods - amountOf(spec.maxUnavailable, expectedPods, 'up'));
  return { expectedPods, desiredHealthy };
}

function condition(
  { metadata, status }: Budget,
  [value, reason, message]: readonly [string, string, string],
  now: number,
): readonly Condition[] {
  const type = 'DisruptionAllowed';
  const lastTransitionTime = transitionTime(conditionOf(status?.conditions, type), value, now);
  const observedGeneration = metadata.generation;
  return [{ type, status: value, reason, message, observedGeneration, lastTransitionTime }];
}

/** Returns the entries of `disruptedPods` whose pods are neither terminating, gone nor expired. */
function stillDisrupted({ status }: Budget, selected: readonly Pod[], now: number): ReadonlyMap<string, string> {
  const running = new Set(selected.filter((pod) => !isTerminating(pod)).map(({ metadata }) => metadata.name));
  const known = Object.entries(status?.disruptedPods ?? {});
  return new Map(known.filter(([name, time]) => running.has(name) && Date.parse(time) + deletionTimeout >= now));
}

function decide(budget: Budget, view: View): Decision {
  const { now } = view;
  const { selector } = budget.spec;
  const selected =
    selector === undefined
      ? []
      : view
          .list<Pod>(pods, budget.metadata.namespace)
          .filter(({ metadata }) => selectsLabels(selector, metadata.labels));
  const expected = expectationOf(budget, selected, view);
  if (expected instanceof Error) {
    const conditions = condition(budget, ['False', 'SyncFailed', expected.message], now);
    const zero = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    return { writes: statusWrites(budget, { ...zero, ...budget.status, disruptionsAllowed: 0, conditions }) };
  }
  const disruptedPods = stillDisrupted(budget, selected, now);
  const currentHealthy = selected.filter(
    (pod) => !isTerminating(pod) && !disruptedPods.has(pod.metadata.name) && isReady(pod),
  ).length;
  const spare = currentHealthy - expected.desiredHealthy;
  const disruptionsAllowed = expected.expectedPods > 0 ? Math.max(0, spare) : 0;
  const said =
    disruptionsAllowed > 0 ? (['True', 'SufficientPods', ''] as const) : (['False', 'InsufficientPods', ''] as const);
  const status = {
    observedGeneration: budget.metadata.generation,
    ...(disruptedPods.size > 0 && { disruptedPods: Object.fromEntries(disruptedPods) }),
    disruptionsAllowed,
    currentHealthy,
    ...expected,
    conditions: condition(budget, said, now),
  };
  const writes = statusWrites(budget, status);
  const waits = [...disruptedPods.values()].map((time) => Date.parse(time) + deletionTimeout + 1 - now);
  return {
    writes: [...writes, ...noPods(budget, selected.length, writes)],
    after: shortest(waits),
  };
}

/** Returns a NoPods event when the status changes and no pod matches. */
function noPods(about: Budget, count: number, writes: readonly Write[]): readonly Write[] {
  if (count > 0 || writes.length === 0) return [];
  return [{ do: 'event', event: { about, type: 'Normal', reason: 'NoPods', message: 'No matching pods found' } }];
}

function concerns({ collection, object, previous }: Change, view: View): string[] {
  const { namespace } = object.metadata;
  const isScale = [...collections.values()].includes(collection) && !equal(object.spec, previous?.spec);
  if (collection !== pods && !isScale) return [];
  return view
    .list<Budget>(budgets, namespace)
    .filter(
      ({ spec }) =>
        isScale ||
        selectsLabels(spec.selector, object.metadata.labels) ||
        (previous !== undefined && selectsLabels(spec.selector, previous.metadata.labels)),
    )
    .map(({ metadata: { name } }) => `${namespace}/${name}`);
}

/** Computes the allowed disruptions of PodDisruptionBudgets. */
export const disruptionReconciler: Reconciler = {
  collection: budgets,
  component: 'disruption-controller',
  concerns,
  decide: (object, view) => decide(object as Budget, view),
};
