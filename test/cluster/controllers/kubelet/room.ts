import { type Amounts, amountsIn, plus } from '../../quota/amounts.ts';
import { podAmountsWithOverhead } from '../../quota/pod-amounts.ts';
import type { Pod } from '../pods/pod.ts';
import type { Node } from './nodes.ts';

/** What is on a node already. */
export interface Load {
  readonly pods: number;
  readonly requests: Amounts;
}

/** Why a pod cannot be put on a node. */
export interface Misfit {
  /** In the scheduler's words. */
  readonly reasons: readonly string[];
  /** Whether it would fit if other pods went away. */
  readonly isOthersFault: boolean;
}

const nothing: Load = { pods: 0, requests: new Map() };

/** Knows what pods ask for, each read once. */
export class Requests {
  readonly #known = new WeakMap<object, Amounts>();

  /** What a pod asks for. */
  of({ spec }: Pod): Amounts {
    const known = this.#known.get(spec);
    if (known !== undefined) return known;
    const amounts = podAmountsWithOverhead(spec, 'requests');
    this.#known.set(spec, amounts);
    return amounts;
  }

  /** What some pods ask for together. */
  load(all: readonly Pod[]): Load {
    const asked = all.map((pod) => this.of(pod)).filter(({ size }) => size > 0);
    return { pods: all.length, requests: asked.reduce(plus, nothing.requests) };
  }
}

/** Why there is no room on a node for a pod that asks for so much; undefined when there is. Nodes that do not say what they have, have room for everything. */
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
