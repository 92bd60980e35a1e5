import type { GuardEntry } from '../api/workspace.ts';
import type { Hold } from './hold.ts';
import type { GuardOptions } from './integration.ts';
import type { Mirror } from './mirror-record.ts';

/** What may be done now that nobody else is at work. */
export type Recourse =
  /** Run the task: nothing is unresolved, or running it again is safe. */
  | { readonly kind: 'run' }
  /** Look for what the unresolved attempt made, and run the task only if it made nothing. */
  | { readonly kind: 'look' }
  /** Run nothing: a person has to say what happened. */
  | { readonly kind: 'ask'; readonly why: string };

/** The journal's answer, and what an attempt would be begun with. */
export interface Unresolved {
  readonly hold: Exclude<Hold, { kind: 'busy' | 'unknown' }>;
  readonly entry: GuardEntry | undefined;
  readonly mirror: Mirror;
  readonly op: GuardEntry['op'];
  readonly options: GuardOptions;
  /** Wall clock, ms. */
  readonly now: number;
  /** How far the holder's clock may be from ours, ms. */
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

/** Decides, purely, what the declared identity allows about an unresolved attempt. */
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

/** Whether anybody can find out, by looking or by a conditional request, what an attempt of this identity has made. */
export const isFindable = ({ identity, recover }: GuardOptions): boolean =>
  identity === 'name' || recover !== undefined;

/** Whether an attempt of which it is not known what became of it may be left open, since it can be found out later. */
export const isRecoverable = ({ identity = 'opaque', recover }: GuardOptions): boolean =>
  identity !== 'opaque' || recover !== undefined;
