/** Preemption: chooses a node and the lower-priority pods to evict from it. */

import { equal, type Fields, isFields } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import type { View } from '../engine/reconciler.ts';
import type { Node } from '../node-lifecycle/nodes.ts';
import { type Pod, podCondition } from '../pods/pod.ts';
import type { Filter } from './filter.ts';
import type { FilterFailure } from './node-resources.ts';
import { priorityOf, type SchedulingSnapshot, withoutPods } from './snapshot.ts';

/** Node that fits the pod once its victims are evicted. */
export interface Candidate {
  readonly node: Node;
  /** Pods to evict, most important first. */
  readonly victims: readonly Pod[];
  /** Number of victims whose eviction violates a PodDisruptionBudget. */
  readonly violations: number;
}

/** Result of preemption: the chosen candidate, or a message. */
export type Preemption = { readonly candidate: Candidate } | { readonly message: string };

const noVictims = 'No preemption victims found for incoming pod';
const noHelp = 'Preemption is not helpful for scheduling';

const startOf = ({ status, metadata }: Pod): string => status?.startTime ?? metadata.creationTimestamp ?? '';

/** Orders pods by importance: higher priority first, then earlier start. */
const byImportance = (a: Pod, b: Pod): number =>
  priorityOf(b) - priorityOf(a) || (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0);

/** Returns the pods whose eviction, in this order, would violate a PodDisruptionBudget. */
function violatingBudgets(pods: readonly Pod[], view: View): ReadonlySet<Pod> {
  const budgets = view.list('policy/poddisruptionbudgets').map(({ metadata, spec, status }) => ({
    namespace: metadata.namespace,
    selector: isFields(spec) ? spec.selector : undefined,
    disrupted: isFields(status) && isFields(status.disruptedPods) ? status.disruptedPods : {},
    left: isFields(status) ? Number(status.disruptionsAllowed ?? 0) : 0,
  }));
  /** Reports whether the eviction of a pod spends a budget. */
  const spends = ({ metadata }: Pod, budget: (typeof budgets)[number]): boolean => {
    const { selector } = budget;
    if (budget.namespace !== metadata.namespace || !isFields(selector) || equal(selector, {})) return false;
    return selectsLabels(selector, metadata.labels ?? {}) && !Object.hasOwn(budget.disrupted, metadata.name);
  };
  const found = new Set<Pod>();
  for (const pod of pods) {
    if (Object.keys(pod.metadata.labels ?? {}).length === 0) continue;
    for (const budget of budgets) {
      if (!spends(pod, budget)) continue;
      budget.left -= 1;
      if (budget.left < 0) found.add(pod);
    }
  }
  return found;
}

/** Selects the victims on a node: as few as possible, the least important first. */
function selectVictims(
  snapshot: SchedulingSnapshot,
  node: Node,
  { filter, view }: PreemptionContext,
): Candidate | FilterFailure {
  const { pod, podsByNode } = snapshot;
  const lower = (podsByNode.get(node.metadata.name) ?? []).filter((one) => priorityOf(one) < priorityOf(pod));
  if (lower.length === 0) return { reasons: [noVictims], preemptionMayHelp: false };
  const gone = new Set(lower);
  const problem = filter(withoutPods(snapshot, node, gone))(node);
  if (problem !== undefined) return problem;
  const ordered = lower.toSorted(byImportance);
  const against = violatingBudgets(ordered, view);
  for (const one of [...ordered.filter((it) => against.has(it)), ...ordered.filter((it) => !against.has(it))]) {
    gone.delete(one);
    if (filter(withoutPods(snapshot, node, gone))(node) !== undefined) gone.add(one);
  }
  const victims = ordered.filter((one) => gone.has(one));
  return { node, victims, violations: victims.filter((one) => against.has(one)).length };
}

/** Criteria between candidates, in order; the lowest value wins. */
const criteria: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => (victims[0] === undefined ? Number.NEGATIVE_INFINITY : priorityOf(victims[0])),
  ({ victims }) => victims.reduce((sum, one) => sum + priorityOf(one) + 2 ** 31, 0),
  ({ victims }) => victims.length,
  ({ victims }) =>
    -Date.parse(
      victims
        .filter((one) => priorityOf(one) === priorityOf(victims[0]!))
        .map(startOf)
        .sort()[0] ?? '',
    ),
];

function pickOneNode(candidates: readonly Candidate[]): Candidate {
  let left = candidates;
  for (const of of criteria) {
    if (left.length === 1) break;
    const least = Math.min(...left.map(of).filter((value) => !Number.isNaN(value)));
    const next = left.filter((candidate) => of(candidate) === least);
    if (next.length > 0) left = next;
  }
  return left[0]!;
}

/** Dependencies of {@link preempt}. */
export interface PreemptionContext {
  readonly filter: Filter;
  readonly view: View;
}

/** Returns the reason why a pod may not preempt others, if any. */
function ineligibility({ pod, podsByNode }: SchedulingSnapshot): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const leaving = (podsByNode.get(pod.status?.nominatedNodeName ?? '') ?? []).some(
    (one) =>
      one.metadata.deletionTimestamp !== undefined &&
      priorityOf(one) < priorityOf(pod) &&
      podCondition(one, 'DisruptionTarget')?.reason === 'PreemptionByScheduler',
  );
  return leaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

/** Looks for a node to clear for an unschedulable pod; `failures` holds the reason for each node. */
export function preempt(
  snapshot: SchedulingSnapshot,
  failures: readonly FilterFailure[],
  context: PreemptionContext,
): Preemption {
  const why = ineligibility(snapshot);
  if (why !== undefined) return { message: why };
  const found = snapshot.nodes.map((node, index): Candidate | FilterFailure =>
    failures[index]!.preemptionMayHelp
      ? selectVictims(snapshot, node, context)
      : { reasons: [noHelp], preemptionMayHelp: false },
  );
  const candidates = found.filter((one) => 'victims' in one);
  if (candidates.length > 0) return { candidate: pickOneNode(candidates) };
  const reasons = found.filter((one) => 'reasons' in one).flatMap((one) => one.reasons);
  return { message: `0/${snapshot.nodes.length} nodes are available: ${histogram(reasons)}.` };
}

/** Counts equal texts: `1 Insufficient cpu, 2 node(s) were unschedulable`. */
export function histogram(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => `${count} ${text}`)
    .sort()
    .join(', ');
}

/** Returns the status of a preempted pod, with its DisruptionTarget condition. */
export function preemptedStatus({ status, spec }: Pod, now: string): Fields {
  const { schedulerName = 'default-scheduler' } = spec as Fields;
  const others = (status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: `${schedulerName}: preempting to accommodate a higher priority pod`,
    lastProbeTime: null,
    lastTransitionTime: now,
  };
  return { ...status, conditions: [...others, condition] };
}
