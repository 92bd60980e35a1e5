/** Resource requests of pods against the allocatable resources of nodes. */

import { type Amounts, amountsIn, plus } from '../../quota/amounts.ts';
import { podAmountsWithOverhead } from '../../quota/pod-amounts.ts';
import type { Pod } from '../pods/pod.ts';
import type { Node } from './nodes.ts';

/** Pods and requests already on a node. */
export interface Load {
  readonly pods: number;
  readonly requests: Amounts;
}

/** Reasons why a pod does not fit a node. */
export interface Misfit {
  /** Texts, as kube-scheduler writes them. */
  readonly reasons: readonly string[];
  /** True when evicting other pods could make it fit. */
  readonly isOthersFault: boolean;
}

const nothing: Load = { pods: 0, requests: new Map() };

/** Resource requests of pods, cached. */
export class Requests {
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
  load(all: readonly Pod[]): Load {
    const asked = all.map((pod) => this.of(pod)).filter(({ size }) => size > 0);
    return { pods: all.length, requests: asked.reduce(plus, nothing.requests) };
  }
}

/** Returns the reasons why a node lacks resources for a pod; undefined when it has enough. Nodes without `allocatable` fit any pod. */
export function lackOfRoom(asked: Amounts, { status }: Node, load: Load = nothing): Misfit | undefined {
  if (status?.allocatable === undefined) return undefined;
  const room = amountsIn(status.allocatable);
  const reasons: string[] = [];
  let isOthersFault = true;
  const most = room.get('pods');
  if (most !== undefined && BigInt(load.pods + 1) * 10n ** 9n > most.nano) reasons.push('Too many pods');
  for (const [name, { nano }] of asked) {
    const there = room.get(name)?.nano ?? 0n;
    if (nano === 0n || nano <= there - (load.requests.get(name)?.nano ?? 0n)) continue;
    reasons.push(`Insufficient ${name}`);
    if (nano > there) isOthersFault = false;
  }
  return reasons.length === 0 ? undefined : { reasons, isOthersFault };
}
