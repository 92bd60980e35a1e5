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
export const missedChange = (name: FunctionName, answer: unknown, lost: string | undefined): string | undefined =>
  lost === undefined || answer !== undefined || searches[name] === undefined
    ? undefined
    : `${name} answered undefined for what ${lost} had made, whose answer was lost: ${searches[name]}`;

/** Describes an error that says that nothing has happened, where an earlier call of the same function has created something: a mistake unless that was undone. */
export function misclassifiedChange({ name, calls }: Invocation, error: unknown): string | undefined {
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
