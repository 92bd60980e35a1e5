import { equal, type Fields, isFields } from '../../objects/object.ts';
import { selectsLabels } from '../../selectors/label-selector.ts';
import { type Pod, podCondition } from '../pods/pod.ts';
import type { View } from '../reconciler.ts';
import type { Fitting } from './fitting.ts';
import type { Node } from './nodes.ts';
import type { Misfit } from './room.ts';
import { priorityOf, type Situation, without } from './situation.ts';

/** A node that can be cleared for a pod, and what has to go. */
export interface Candidate {
  readonly node: Node;
  /** The most important first. */
  readonly victims: readonly Pod[];
  /** How many of them go against their budgets. */
  readonly violations: number;
}

/** What preemption comes to: a node to clear, or what to say about it. */
export type Preemption = { readonly candidate: Candidate } | { readonly message: string };

const noVictims = 'No preemption victims found for incoming pod';
const noHelp = 'Preemption is not helpful for scheduling';

const startOf = ({ status, metadata }: Pod): string => status?.startTime ?? metadata.creationTimestamp ?? '';

/** More important ones first: of a higher priority, or there for longer. */
const byImportance = (a: Pod, b: Pod): number =>
  priorityOf(b) - priorityOf(a) || (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0);

/** Which of some pods would go against a budget, when all of them went in this order. */
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

/** What has to go from a node so that the pod fits there: as little as possible, and rather what is not important. */
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

/** What decides between candidates, most important first; the least wins. */
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

/** What it takes to see whether a pod would fit. */
export interface Means {
  readonly fits: Fitting;
  readonly view: View;
}

/** Why a pod may not send others away; undefined when it may. */
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

/** Looks for a node that can be cleared for a pod that fits nowhere; `misfits` says of each node why. */
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

/** How often each of some texts is there: `1 Insufficient cpu, 2 node(s) were unschedulable`. */
export function histogram(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => `${count} ${text}`)
    .sort()
    .join(', ');
}

/** A pod's status once it is on its way out for another one. */
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
