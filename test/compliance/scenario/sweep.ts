/** Scenarios with a fault in one call each. */

import type { Call, FaultPlan } from '../observation/effect.ts';
import { type CallFault, describeFault, type Fault } from '../observation/faults.ts';
import { readerOf } from '../observation/invocations.ts';
import { failuresOf } from '../subject/failures.ts';
import type { Subject } from '../subject/subject.ts';
import { expectEnd, expectGone, inContext, nondeterminismAdvice, runAll, runHappyPath } from './expected-end.ts';
import { expect, fail } from './report.ts';
import { expectRetryAfter } from './retry-after.ts';
import { Scenario } from './scenario.ts';

/** Fault of one call. */
export interface SweepFault extends CallFault {
  /** Deletes the workspace as soon as the call has failed. */
  readonly deleted?: boolean;
  /** Fails all further calls as well, until the workspace is deleted. */
  readonly lasts?: boolean;
  /** Fails the first search of the next attempt as well. */
  readonly isSearchLost?: boolean;
}

/**
 * Returns the faults to inject into a call, by its number from 1: one for a call that reads, since it does not matter whether that was
 * carried out; all for any other, and one with the workspace deleted meanwhile.
 */
export function faultsOfCall(
  call: Call,
  nth: number,
  { kinds, subject }: { readonly kinds: readonly Fault[]; readonly subject: Subject },
): readonly SweepFault[] {
  const looks = readerOf(call.by) !== undefined || /^(GET|HEAD) /.test(call.name);
  const isRead = looks && !call.changed && subject.time !== 'real' && subject.target !== 'cluster';
  const variants = failuresOf(subject.failures ?? {}, 'ambiguous').map((_, variant) => variant);
  return kinds.flatMap((kind): readonly SweepFault[] => {
    if (kind === 'silent') return call.changed ? [{ kind }] : [];
    if (kind !== 'lost after') return [{ kind, variant: nth - 1 }];
    if (isRead) return [];
    return [...variants.map((variant) => ({ kind, variant })), { kind, deleted: true }];
  });
}

const isUnanswered = (fault: Fault | undefined): boolean => fault === 'hang' || fault === 'silent';
/**
 * Returns the further faults of a call after one by which the same function has created something: it and all after it are refused, and the
 * workspace is deleted meanwhile.
 */
export const faultsOfLaterCall = ({ after, by }: Call): readonly SweepFault[] =>
  after !== undefined && (by === 'create' || by === 'task') ? [{ kind: 'definite', deleted: true, lasts: true }] : [];

/** Returns the further fault of a call by which the task of a guard has created something: its response is lost, and the search for it fails. */
export const faultsOfSearch = ({ changed, by, name }: Call): readonly SweepFault[] =>
  changed && by === 'task' && !name.startsWith('DELETE ') ? [{ kind: 'lost after', isSearchLost: true }] : [];

/** Reports whether a call may be one that searches for what an earlier attempt has created. */
const isSearch = ({ name, by }: Pick<Call, 'name' | 'by'>): boolean =>
  by === 'recover' || (by === 'task' && /^(GET|HEAD) /.test(name));

/** Returns the faults of a scenario: that of the call and, where it is wanted, that of the first search after it. */
function faultPlan(nth: number, { lasts, isSearchLost, ...fault }: SweepFault): NonNullable<FaultPlan['fault']> {
  let isSearched = !isSearchLost;
  return (number, call) => {
    if (number === nth || (lasts && number > nth)) return fault;
    if (number < nth || isSearched || !isSearch(call)) return undefined;
    isSearched = true;
    return { kind: 'lost before' };
  };
}

/** Expects a call without a response to have ended with its attempt. @throws Finding */
function expectSignalHonoured({ effects }: Scenario): void {
  const call = effects.calls.find(({ fault, end }) => isUnanswered(fault) && end === undefined);
  if (call === undefined || call.signal?.aborted) return;
  fail(
    call.signal === undefined
      ? 'it was made without a signal, and outlives its lease'
      : 'its signal never aborted, and it outlives its lease',
    'a request that is not waited for any more may be carried out at any time: pass context.signal, not one of your own',
  );
}

/** Describes what else happens beside a fault, for a report. */
function circumstanceOf({ deleted, isSearchLost }: SweepFault): string {
  if (deleted) return ', and the workspace deleted at once';
  return isSearchLost ? ', and the first search for it failed' : '';
}

/** Faults of each call of a scenario. */
export interface Sweep {
  /** True where the scenario may end in `Unknown`. */
  readonly mayAsk: boolean;
  readonly faults: (call: Call, nth: number) => readonly SweepFault[];
}

/** Injects faults into one call after the other, each in a scenario of its own. @returns the number of scenarios */
export async function sweep(subject: Subject, { mayAsk, faults }: Sweep): Promise<number> {
  const { calls, expected, secrets, lasted } = await runHappyPath(subject);
  const runWithFault = (nth: number, { deleted = false, ...fault }: SweepFault) =>
    Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        if (deleted) {
          await scenario.until(() => scenario.effects.calls.length >= nth);
          scenario.effects.removeFaults();
          return expectGone(scenario, mayAsk);
        }
        await expectEnd(scenario, { expected, secrets, mayAsk });
        const isMade = scenario.effects.calls.length >= nth || subject.time === 'real';
        expect(isMade, 'it was not made in another scenario', nondeterminismAdvice);
        expectSignalHonoured(scenario);
        if (subject.time !== 'real') expectRetryAfter(scenario.effects.calls);
      },
      {
        fault: faultPlan(nth, fault),
        recordsChanges: fault.lasts === true,
        usualDuration: isUnanswered(fault.kind) ? lasted : undefined,
      },
    );
  const scenarios = calls.flatMap((call, index) =>
    faults(call, index + 1).map((fault) => () => {
      const nth = index + 1;
      const when = `call ${nth} (${call.name}) ${describeFault(fault)}${circumstanceOf(fault)}`;
      return inContext(when, () => runWithFault(nth, fault));
    }),
  );
  await runAll(scenarios);
  return scenarios.length;
}
