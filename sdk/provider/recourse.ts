/** Decides how an unresolved attempt may be resolved. */

import type { GuardEntry } from '../api/workspace.ts';
import type { Hold } from './hold.ts';
import type { GuardOptions } from './integration.ts';
import type { Mirror } from './mirror-record.ts';

/** Action allowed once no other holder is active. */
export type Recourse =
  /** Run the task: nothing is unresolved, or repeating it is safe. */
  | { readonly kind: 'run' }
  /** Search for the result of the unresolved attempt, and run the task only if there is none. */
  | { readonly kind: 'look' }
  /** Run nothing: a person has to resolve the attempt. */
  | { readonly kind: 'ask'; readonly why: string };

/** State of the journal, and the input of the new attempt. */
export interface Unresolved {
  readonly hold: Exclude<Hold, { kind: 'busy' | 'unknown' }>;
  readonly entry: GuardEntry | undefined;
  readonly mirror: Mirror;
  readonly op: GuardEntry['op'];
  readonly options: GuardOptions;
  /** Wall clock, ms. */
  readonly now: number;
  /** Largest skew between the holder's clock and this one, in ms. */
  readonly skew: number;
}

const ask = (why: string): Recourse => ({ kind: 'ask', why });

function byKey({ hold, entry, op, options, now, skew }: Unresolved): Recourse {
  if (hold.kind === 'lost' || entry === undefined)
    return ask('its journal entry was lost, and with it which keys were used');
  if (entry.op !== op) return ask(`it has to be resolved before "${op}" may begin`);
  const age = now - Date.parse(entry.began ?? entry.since ?? '') + skew;
  if (options.validForMs !== undefined && !(age < options.validForMs))
    return ask('the third party may no longer remember its key');
  return { kind: 'run' };
}

/** Decides which action the declared identity allows for an unresolved attempt; pure. */
export function recourseOf(unresolved: Unresolved): Recourse {
  const { hold, entry, mirror, options } = unresolved;
  if (hold.kind === 'lost' && mirror.kind === 'elsewhere')
    return ask(
      `its ids were written by the operator of another cluster (${mirror.record.cluster}) for workspace uid ${mirror.record.uid}`,
    );
  if (hold.kind === 'free' && entry?.lost === true && options.recover !== undefined) return { kind: 'look' };
  if (hold.kind === 'free' || options.identity === 'name') return { kind: 'run' };
  if (options.recover !== undefined) return { kind: 'look' };
  if (options.identity === 'key') return byKey(unresolved);
  return ask(hold.kind === 'lost' ? 'its journal entry was lost' : 'its holder has died');
}

/** Reports whether the result of an attempt with this identity can be found, by a search or by a conditional request. */
export const isFindable = ({ identity, recover }: GuardOptions): boolean =>
  identity === 'name' || recover !== undefined;

/** Reports whether an attempt with an unknown outcome may stay open, since its outcome can be found later. */
export const isRecoverable = ({ identity = 'opaque', recover }: GuardOptions): boolean =>
  identity !== 'opaque' || recover !== undefined;
