/** Resource requests of pods against the allocatable resources of nodes. */

import { podAmountsWithOverhead } from '../../quota/pod-usage.ts';
import { type Amounts, amountsIn, plus } from '../../quota/resource-lists.ts';
import type { Node } from '../node-lifecycle/nodes.ts';
import type { Pod } from '../pods/pod.ts';

/** Pods and requests already on a node. */
export interface NodeUsage {
  readonly pods: number;
  readonly requests: Amounts;
}

/** Reasons why a pod does not fit a node. */
export interface FilterFailure {
  /** Texts, as kube-scheduler writes them. */
  readonly reasons: readonly string[];
  /** True when evicting other pods could make it fit. */
  readonly preemptionMayHelp: boolean;
}

const nothing: NodeUsage = { pods: 0, requests: new Map() };

/** Resource requests of pods, cached. */
export class PodRequests {
  readonly #known = new WeakMap<object, Amounts>();

  /** Returns the requests of a pod. */
  of({ spec }: Pod): Amounts {
    const known = this.#known.get(spec);
    if (known !== undefined) return known;
    const amounts = podAmountsWithOverhead(spec, 'requests');
    this.#known.set(spec, amounts);
    return amounts;
  }

  /** Sums the requests of pods. */
  usage(all: readonly Pod[]): NodeUsage {
    const requested = all.map((pod) => this.of(pod)).filter(({ size }) => size > 0);
    return { pods: all.length, requests: requested.reduce(plus, nothing.requests) };
  }
}

const amountOf = (amounts: Amounts, name: string): bigint => amounts.get(name)?.nano ?? 0n;

/** Returns the reasons why a node lacks resources for a pod; undefined when it has enough. Nodes without `allocatable` fit any pod. */
export function insufficientResources(
  requested: Amounts,
  { status }: Node,
  usage: NodeUsage = nothing,
): FilterFailure | undefined {
  if (status?.allocatable === undefined) return undefined;
  const allocatable = amountsIn(status.allocatable);
  const reasons: string[] = [];
  let preemptionMayHelp = true;
  const most = allocatable.get('pods');
  if (most !== undefined && BigInt(usage.pods + 1) * 10n ** 9n > most.nano) reasons.push('Too many pods');
  for (const [name, { nano }] of requested) {
    const available = amountOf(allocatable, name);
    if (nano === 0n || nano <= available - amountOf(usage.requests, name)) continue;
    reasons.push(`Insufficient ${name}`);
    if (nano > available) preemptionMayHelp = false;
  }
  return reasons.length === 0 ? undefined : { reasons, preemptionMayHelp };
}
