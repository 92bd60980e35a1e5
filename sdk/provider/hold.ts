import type { GuardEntry } from '../api/workspace.ts';

/** What a condition's journal entry means to whoever wants to begin an attempt now. */
export type Hold =
  /** Nothing unresolved: begin. */
  | { readonly kind: 'free' }
  /** Somebody is at work, or a request of theirs may still be carried out: come back in `retryAfter` ms. */
  | { readonly kind: 'busy'; readonly retryAfter: number }
  /** The holder died, and every request it sent is dead too: only what the identity allows. */
  | { readonly kind: 'dead' }
  /** Our claim is there and the entry is not: it was lost, and nobody who knew it is at work any more. */
  | { readonly kind: 'lost' }
  /** A person has to say what happened. */
  | { readonly kind: 'unknown' };

export interface HoldQuestion {
  readonly entry: GuardEntry | undefined;
  /** The entry's holder is this process, which is not at work on it now. */
  readonly own: boolean;
  /** ms on our monotonic clock since the entry (or its absence) was first seen as it is. */
  readonly unmovedFor: number;
  /** Our lease, ms. */
  readonly lease: number;
  /** How long a request that was given up may still be carried out, ms. */
  readonly maxRequest: number;
}

const waiting = (kind: 'dead' | 'lost', wait: number, unmovedFor: number): Hold =>
  unmovedFor >= wait ? { kind } : { kind: 'busy', retryAfter: Math.ceil(wait - unmovedFor) };

/**
 * Decides, purely. The quarantine is `lease + maxRequest`; another holder's intent is left alone for its lease (no beat) and then the quarantine;
 * our own ended attempt for `maxRequest` only, since we know that nothing was sent after its end.
 */
export function holdOf({ entry, own, unmovedFor, lease, maxRequest }: HoldQuestion): Hold {
  const quarantine = lease + maxRequest;
  if (entry === undefined) return waiting('lost', lease + quarantine, unmovedFor);
  if (entry.phase === 'unknown') return { kind: 'unknown' };
  if (entry.phase !== 'intent') return { kind: 'free' };
  const theirs = (entry.leaseSeconds ?? lease / 1000) * 1000;
  return waiting('dead', own ? maxRequest : theirs + quarantine, unmovedFor);
}
