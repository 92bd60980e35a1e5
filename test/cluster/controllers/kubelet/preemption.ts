/** Preemption: chooses a node and the lower-priority pods to evict from it. */

import { equal, type Fields, isFields } from '../../objects/object.ts';
import { selectsLabels } from '../../selectors/label-selector.ts';
import { type Pod, podCondition } from '../pods/pod.ts';
import type { View } from '../reconciler.ts';
import type { Fitting } from './fitting.ts';
import type { Node } from './nodes.ts';
import type { Misfit } from './room.ts';
import { priorityOf, type Situation, without } from './situation.ts';

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
function violating(pods: readonly Pod[], view: View): ReadonlySet<Pod> {
  const budgets = view.list('policy/poddisruptionbudgets').map(({ metadata, spec, status }) => ({
    namespace: metadata.namespace,
    selector: isFields(spec) ? spec.selector : undefined,
    disrupted: isFields(status) && isFields(status.disruptedPods) ? status.disruptedPods : {},
    left: isFields(status) ? Number(status.disruptionsAllowed ?? 0) : 0,
  }));
  const found = new Set<Pod>();
  for (const pod of pods) {
    const { namespace, name, labels = {} } = pod.metadata;
    if (Object.keys(labels).length === 0) continue;
    for (const budget of budgets) {
      const { selector } = budget;
      if (budget.namespace !== namespace || !isFields(selector) || equal(selector, {})) continue;
      if (!selectsLabels(selector, labels) || name in budget.disrupted) continue;
      budget.left -= 1;
      if (budget.left < 0) found.add(pod);
    }
  }
  return found;
}

/** Selects the victims on a node: as few as possible, the least important first. */
function clearing(situation: Situation, node: Node, { fits, view }: Means): Candidate | Misfit {
  const { pod, on } = situation;
  const lower = (on.get(node.metadata.name) ?? []).filter((one) => priorityOf(one) < priorityOf(pod));
  if (lower.length === 0) return { reasons: [noVictims], isOthersFault: false };
  const gone = new Set(lower);
  const problem = fits(without(situation, node, gone))(node);
  if (problem !== undefined) return problem;
  const ordered = lower.toSorted(byImportance);
  const against = violating(ordered, view);
  for (const one of [...ordered.filter((it) => against.has(it)), ...ordered.filter((it) => !against.has(it))]) {
    gone.delete(one);
    if (fits(without(situation, node, gone))(node) !== undefined) gone.add(one);
  }
  const victims = ordered.filter((one) => gone.has(one));
  return { node, victims, violations: victims.filter((one) => against.has(one)).length };
}

/** Criteria between candidates, in order; the lowest value wins. */
const preferences: readonly ((candidate: Candidate) => number)[] = [
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

function best(candidates: readonly Candidate[]): Candidate {
  let left = candidates;
  for (const of of preferences) {
    if (left.length === 1) break;
    const least = Math.min(...left.map(of).filter((value) => !Number.isNaN(value)));
    const next = left.filter((candidate) => of(candidate) === least);
    if (next.length > 0) left = next;
  }
  return left[0]!;
}

/** Dependencies of {@link preempt}. */
export interface Means {
  readonly fits: Fitting;
  readonly view: View;
}

/** Returns the reason why a pod may not preempt others, if any. */
function forbidden({ pod, on }: Situation): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const leaving = (on.get(pod.status?.nominatedNodeName ?? '') ?? []).some(
    (one) =>
      one.metadata.deletionTimestamp !== undefined &&
      priorityOf(one) < priorityOf(pod) &&
      podCondition(one, 'DisruptionTarget')?.reason === 'PreemptionByScheduler',
  );
  return leaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

/** Looks for a node to clear for an unschedulable pod; `misfits` holds the reason for each node. */
export function preempt(situation: Situation, misfits: readonly Misfit[], means: Means): Preemption {
  const why = forbidden(situation);
  if (why !== undefined) return { message: why };
  const found = situation.nodes.map((node, index): Candidate | Misfit =>
    misfits[index]!.isOthersFault ? clearing(situation, node, means) : { reasons: [noHelp], isOthersFault: false },
  );
  const candidates = found.filter((one) => 'victims' in one);
  if (candidates.length > 0) return { candidate: best(candidates) };
  const reasons = found.filter((one) => 'reasons' in one).flatMap((one) => one.reasons);
  return { message: `0/${situation.nodes.length} nodes are available: ${histogram(reasons)}.` };
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
export function preempted({ status, spec }: Pod, now: string): Fields {
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
