/** State of a shard by its Lease: the states of kubernetes-controller-sharding. Pure. */

import type { Lease } from '../../api/kinds.ts';

/**
 * `ready` holds its Lease; `expired` has not renewed it in time; `uncertain` has not for twice that time, so that its Lease is removed; `dead` has
 * released it, or has lost it; `orphaned` has been dead for a minute, so that its Lease is deleted.
 */
export type ShardState = 'ready' | 'expired' | 'uncertain' | 'dead' | 'orphaned';

/** State of a shard, and the ms until it changes if the Lease does not. */
export interface TimedState {
  readonly state: ShardState;
  /** Absent: never. */
  readonly changesAfter?: number;
}

/** ms of a Lease that names no duration. */
const usualDuration = 15_000;
/** ms for which the Lease of a dead shard is kept. */
const deadTime = 60_000;

/** Returns the ms for which a renewal of a Lease counts. */
export const leaseDurationOf = (spec: Lease['spec']): number =>
  (spec?.leaseDurationSeconds ?? 0) * 1000 || usualDuration;

/**
 * Returns the state of a shard.
 * @param age ms since its Lease was last seen to change, on the clock of this process: other clocks do not matter
 */
export function shardStateOf({ metadata: { name }, spec }: Pick<Lease, 'metadata' | 'spec'>, age: number): TimedState {
  const duration = leaseDurationOf(spec);
  const until = (state: ShardState, end: number): TimedState => ({ state, changesAfter: end - age });
  if (spec?.holderIdentity !== name)
    return age < duration + deadTime ? until('dead', duration + deadTime) : { state: 'orphaned' };
  if (age < duration) return until('ready', duration);
  return age < 2 * duration ? until('expired', 2 * duration) : { state: 'uncertain' };
}

/** Reports whether objects are left with a shard in this state, or assigned to it: it may still run them. */
export const isAvailable = (state: ShardState): boolean =>
  state === 'ready' || state === 'expired' || state === 'uncertain';
