/** Decides how an unresolved attempt may be resolved. */

import type { GuardEntry } from '../../api/workspace.ts';
import type { GuardOptions } from '../contract/integration.ts';
import type { Mirror } from '../journal/read-mirror.ts';
import type { LockState } from './lock-state.ts';

/** Action allowed once no other holder is active. */
export type RecoveryDecision =
  /** Run the task: nothing is unresolved, or repeating it is safe. */
  | { readonly kind: 'run' }
  /** Search for the result of the unresolved attempt, and run the task only if there is none. */
  | { readonly kind: 'search' }
  /** Run nothing: a person has to resolve the attempt. */
  | { readonly kind: 'ask'; readonly why: string };

/** State of the journal, and the input of the new attempt. */
export interface UnresolvedAttempt {
  readonly lock: Exclude<LockState, { kind: 'busy' | 'unknown' }>;
  readonly entry: GuardEntry | undefined;
  readonly mirror: Mirror;
  readonly op: GuardEntry['op'];
  readonly options: GuardOptions;
  /** Wall clock, ms. */
  readonly now: number;
  /** Largest skew between the holder's clock and this one, in ms. */
  readonly skew: number;
}

const askPerson = (why: string): RecoveryDecision => ({ kind: 'ask', why });

function byKey({ lock, entry, op, options, now, skew }: UnresolvedAttempt): RecoveryDecision {
  if (lock.kind === 'lost' || entry === undefined)
    return askPerson('its journal entry was lost, and with it which keys were used');
  if (entry.op !== op) return askPerson(`it has to be resolved before "${op}" may begin`);
  const age = now - Date.parse(entry.began ?? entry.since ?? '') + skew;
  if (options.validForMs !== undefined && !(age >= 0 && age < options.validForMs))
    return askPerson('the third party may have forgotten its key'); // also if it began in the future: a clock was wrong
  return { kind: 'run' };
}

/** Decides which action the declared identity allows for an unresolved attempt; pure. */
export function recoveryDecisionOf(unresolved: UnresolvedAttempt): RecoveryDecision {
  const { lock, entry, mirror, options } = unresolved;
  if (lock.kind === 'lost' && mirror.kind === 'otherCluster')
    return askPerson(
      `its ids were written by the operator of another cluster (${mirror.record.cluster}) for workspace uid ${mirror.record.uid}`,
    );
  if (lock.kind === 'free') return { kind: entry?.lost === true && options.recover !== undefined ? 'search' : 'run' };
  if (options.identity === 'name') return { kind: 'run' };
  if (options.recover !== undefined) return { kind: 'search' };
  if (options.identity === 'key') return byKey(unresolved);
  return askPerson(lock.kind === 'lost' ? 'its journal entry was lost' : 'its holder has died');
}

/** Reports whether the result of an attempt with this identity can be found, by a search or by a conditional request. */
export const isFindable = ({ identity, recover }: GuardOptions): boolean =>
  identity === 'name' || recover !== undefined;

/** Reports whether an attempt with an unknown outcome may stay open, since its outcome can be found later. */
export const isRecoverable = ({ identity = 'opaque', recover }: GuardOptions): boolean =>
  identity !== 'opaque' || recover !== undefined;
