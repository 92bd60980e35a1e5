/** Errors of a class that says that nothing has happened, where something may have. */

import { DefiniteError, ThrottledError } from '../../../sdk/index.ts';
import type { FunctionName, Invocation } from './invocations.ts';

/** Reports whether an error says that nothing has happened. */
export const claimsNoEffect = (error: unknown): error is Error =>
  error instanceof DefiniteError || error instanceof ThrottledError;

/** Describes the mistake of an error that says that nothing has happened, where a change was carried out and its response lost; undefined for any other. */
export function misclassifiedLoss({ name, calls }: Invocation, error: unknown): string | undefined {
  if (!claimsNoEffect(error)) return undefined;
  const lost = calls.find(({ fault, changed }) => changed && fault !== undefined);
  return (
    lost &&
    `${name} threw ${error.name} when the answer to ${lost.name} was lost${lost.fault === 'answered' ? ' or could not be read' : ''}, though that had been carried out: throw the error itself, or what errorOfRequest and errorOfResponse make of it; DefiniteError and ThrottledError say that nothing has happened`
  );
}

/** Returns the change of an invocation whose answer was lost, if any. */
export const lostChange = ({ calls }: Invocation): string | undefined =>
  calls.find(({ fault, changed }) => changed && fault !== undefined)?.name;

const searches: Readonly<Partial<Record<FunctionName, string>>> = {
  find: 'it looks for something else than what create puts on it, or the third party lists it late, which listLagMs says',
  recover: 'look at the third party, by context.key or by a mark that the task has put on it',
};

/** Describes the mistake of a search that does not find the object of a creation whose response was lost; undefined for any other. */
function missedChange({ name, calls }: Invocation, answer: unknown, lost: string | undefined): string | undefined {
  if (lost === undefined || answer !== undefined || searches[name] === undefined) return undefined;
  const failed = calls.find(({ fault }) => fault !== undefined);
  return failed === undefined
    ? `${name} answered undefined for what ${lost} had made, whose answer was lost: ${searches[name]}`
    : `${name} answered undefined though its call ${failed.name} had failed: what could not be read is taken for nothing, and it is made twice; let the error out, and the search is repeated`;
}

/** Describes a task that changes something after a call that reads has failed; undefined for any other. */
function blindChange({ name, calls }: Invocation): string | undefined {
  if (name !== 'task') return undefined;
  const read = calls.findIndex(({ name: call, fault }) => fault !== undefined && /^(GET|HEAD) /.test(call));
  const change = read === -1 ? undefined : calls.slice(read).find((call) => /^(POST|PUT|PATCH) /.test(call.name));
  return (
    change &&
    `the task of a guard made the call ${change.name} though ${calls[read]?.name} had failed: what could not be read is taken for nothing, and it is made twice; let the error out, and the task is repeated`
  );
}

/** Describes an error that says that nothing has happened, where an earlier call of the same function has created something: a mistake unless that was undone. */
function misclassifiedChange({ name, calls }: Invocation, error: unknown): string | undefined {
  const made = claimsNoEffect(error) ? calls.find(({ fault, changed }) => changed && fault === undefined) : undefined;
  return (
    made &&
    `${name} threw ${(error as Error).name} though ${made.name} had made something: that error says that nothing has happened, so nothing looks for it. ${
      name === 'create'
        ? 'Answer { id, upToDate: false } after the first request, and let update do the rest'
        : 'Await checkpoint(id) after each request that makes something'
    }; or remove what was made before you throw`
  );
}

/** Describes a task that answers though what it was to change is gone; undefined for any other. */
function missedTarget({ name, calls }: Invocation): string | undefined {
  const missed =
    name === 'task'
      ? calls.findLast(
          (call) =>
            call.fault === undefined && /^(POST|PUT|PATCH) /.test(call.name) && /^HTTP (404|410)/.test(call.end ?? ''),
        )
      : undefined;
  return (
    missed &&
    `the task of a guard answers though ${missed.name} said ${missed.end}: what it was to change is gone, and is never made again; where a change finds nothing, make it anew, and answer its new id`
  );
}

/** Describes a call with a signal that has aborted, where that of the function has not; undefined where there is none. */
function strangeSignal({ name, calls }: Invocation, args: readonly unknown[]): string | undefined {
  const { signal } = (args.at(-1) ?? {}) as { readonly signal?: AbortSignal };
  const late = calls.find((call) => call.fault === undefined && call.signal?.aborted && call.signal !== signal);
  return late === undefined || signal === undefined || signal.aborted
    ? undefined
    : `${name} sends ${late.name} with a signal of its own that has aborted: an AbortController for several calls stays aborted for good after the first; pass context.signal, or AbortSignal.any of it and a new one, in each call`;
}

/** Returns the possible mistakes of a function that has answered. @param lost change whose response an earlier one has lost */
export const suspicionsOfAnswer = (by: Invocation, answer: unknown, lost: string | undefined) => [
  missedChange(by, answer, lost),
  blindChange(by),
  missedTarget(by),
];

/** Returns the possible mistakes of a function that has thrown. */
export const suspicionsOfError = (by: Invocation, args: readonly unknown[], error: unknown) => [
  misclassifiedChange(by, error),
  strangeSignal(by, args),
];
