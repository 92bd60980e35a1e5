/** Decides whether an attempt may begin, by the journal entry and its age. */

import type { GuardEntry } from '../../api/workspace.ts';
import { maxGuardLease } from '../host/host.ts';

/** Meaning of a condition's journal entry for a process that wants to begin an attempt. */
export type LockState =
  /** Nothing is unresolved: an attempt may begin. */
  | { readonly kind: 'free' }
  /** Another attempt is active, or one of its requests may still be carried out: retry in `retryAfter` ms. */
  | { readonly kind: 'busy'; readonly retryAfter: number }
  /** The holder is dead, and so are all its requests: only actions that the identity allows. */
  | { readonly kind: 'dead' }
  /** The claim exists without an entry: it was lost, and no process that knew it is active. */
  | { readonly kind: 'lost' }
  /** A person has to resolve the attempt. */
  | { readonly kind: 'unknown' };

export interface LockStateInput {
  readonly entry: GuardEntry | undefined;
  /** The entry's holder is this process, which is not running the attempt now. */
  readonly own: boolean;
  /** ms on this process's monotonic clock since the entry (or its absence) was first observed in its state. */
  readonly unchangedFor: number;
  /** Lease of this process in ms. */
  readonly lease: number;
  /** Time in ms within which an abandoned request may still be carried out. */
  readonly maxRequest: number;
}

const waiting = (kind: 'dead' | 'lost', wait: number, unchangedFor: number): LockState =>
  unchangedFor >= wait ? { kind } : { kind: 'busy', retryAfter: Math.ceil(wait - unchangedFor) };

/**
 * Decides the lock state of a condition; pure. The quarantine is `lease + maxRequest`. Another holder's intent is respected for its lease without a heartbeat plus the
 * quarantine; an ended attempt of this process for `maxRequest` only, since nothing was sent after its end.
 */
export function lockStateOf({ entry, own, unchangedFor, lease, maxRequest }: LockStateInput): LockState {
  const quarantine = lease + maxRequest;
  if (entry === undefined) return waiting('lost', lease + quarantine, unchangedFor);
  if (entry.phase === 'unknown') return { kind: 'unknown' };
  if (entry.phase !== 'intent') return { kind: 'free' };
  const theirs = Math.min((entry.leaseSeconds ?? lease / 1000) * 1000, maxGuardLease);
  return waiting('dead', own ? maxRequest : theirs + quarantine, unchangedFor);
}
