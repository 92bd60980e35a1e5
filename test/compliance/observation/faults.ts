/** Faults of calls to the third party. */

import { type Failures, failuresOf } from '../subject/failures.ts';
import type { InjectedResponse } from './injected-responses.ts';

/**
 * Fault of a call. `hang` gets no response until its signal aborts; `silent` is carried out, and gets none until a time-out of the function that made it,
 * or its signal; `answered` gets another response.
 */
export type Fault = 'definite' | 'throttled' | 'lost before' | 'lost after' | 'hang' | 'silent' | 'answered';

/** Fault with the index of the subject's failure of that class, from 0; `answered` with the response to inject. */
export interface CallFault {
  readonly kind: Fault;
  readonly variant?: number;
  readonly answer?: InjectedResponse;
}

const classOf = {
  definite: 'definite',
  throttled: 'throttled',
  'lost before': 'ambiguous',
  'lost after': 'ambiguous',
} as const;

/** Reports whether a call with this fault is carried out. */
export const isCarriedOut = (fault: CallFault | undefined): boolean =>
  fault === undefined ||
  fault.kind === 'lost after' ||
  fault.kind === 'silent' ||
  (fault.kind === 'answered' && fault.answer?.isCarriedOut === true);

/** Arguments and response of a call, without its fault. */
export interface CallEnd {
  readonly args: readonly unknown[];
  /** Response of the third party, if the call was carried out. */
  readonly own: unknown;
  readonly signal: AbortSignal | undefined;
}

/** Returns the result of a call with a fault: an Error to throw, or any other value as its response. */
export async function faultResult(
  failures: Failures,
  fault: CallFault,
  { args, own, signal }: CallEnd,
): Promise<unknown> {
  if (fault.kind === 'answered') return fault.answer?.respond(own instanceof Response ? own : undefined, signal);
  if (fault.kind === 'hang' || fault.kind === 'silent') return new Error('no answer');
  const declared = failuresOf(failures, classOf[fault.kind]);
  return declared[(fault.variant ?? 0) % declared.length]?.(...(args as readonly never[])) ?? new Error('no answer');
}

const descriptions: Readonly<Record<Exclude<Fault, 'answered'>, string>> = {
  definite: 'was refused',
  throttled: 'was throttled',
  'lost before': 'was lost on its way',
  'lost after': 'was carried out and its answer lost',
  hang: 'got no answer',
  silent: 'was carried out and got no answer',
};

/** Describes a call with this fault, for a report. */
export const describeFault = (fault: CallFault): string =>
  fault.kind === 'answered'
    ? `${isCarriedOut(fault) ? 'was carried out and' : 'was'} answered by ${fault.answer?.description}`
    : descriptions[fault.kind];

/** Returns a promise that rejects only when the signal aborts, or has aborted. */
export const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
