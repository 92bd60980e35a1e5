/** States of shards, derived from their Leases as in kubernetes-controller-sharding. All functions are pure. */

import type { Lease } from '../../api/kinds.ts';
import { maxLeaseDuration } from '../lease-bounds.ts';

/**
 * `ready`: the shard holds its Lease; `expired`: it has not renewed the Lease within the lease duration; `uncertain`: not within twice that duration either, so that
 * the sharder acquires the Lease; `dead`: the Lease was released or acquired; `orphaned`: dead for a minute, so that the Lease is deleted.
 */
export type ShardState = 'ready' | 'expired' | 'uncertain' | 'dead' | 'orphaned';

/** State of a shard, and the ms until it changes without a change of the Lease. */
export interface TimedState {
  readonly state: ShardState;
  /** ms until the next state; absent for a final one. */
  readonly changesAfter?: number;
}

/** Duration in ms of a Lease without one. */
const defaultDuration = 15_000;
/** ms after which a dead shard becomes orphaned. */
const orphanAfter = 60_000;

/** Returns the duration of a Lease in ms: an hour at most, and the default instead of one that is not positive, since any writer can set it. */
export function leaseDurationOf(spec: Lease['spec']): number {
  const duration = (spec?.leaseDurationSeconds ?? 0) * 1000;
  return duration > 0 ? Math.min(duration, maxLeaseDuration) : defaultDuration;
}

/**
 * Returns the state of a shard.
 * @param age ms since the last observed change of its Lease, on the monotonic clock of this process
 */
export function shardStateOf({ metadata: { name }, spec }: Pick<Lease, 'metadata' | 'spec'>, age: number): TimedState {
  const duration = leaseDurationOf(spec);
  const until = (state: ShardState, end: number): TimedState => ({ state, changesAfter: end - age });
  if (spec?.holderIdentity !== name)
    return age < duration + orphanAfter ? until('dead', duration + orphanAfter) : { state: 'orphaned' };
  if (age < duration) return until('ready', duration);
  return age < 2 * duration ? until('expired', 2 * duration) : { state: 'uncertain' };
}

/** Reports whether a shard in this state keeps its objects and is assigned new ones, since it may still run. */
export const isAvailable = (state: ShardState): boolean =>
  state === 'ready' || state === 'expired' || state === 'uncertain';
