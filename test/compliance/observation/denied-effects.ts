/** Errors that deny an effect which may have happened. */

import { DefiniteError, ThrottledError } from '../../../sdk/index.ts';
import type { Invocation } from './invocations.ts';

/** Reports whether an error says that nothing has happened. */
export const deniesEffect = (error: unknown): error is Error =>
  error instanceof DefiniteError || error instanceof ThrottledError;

/** Detects an error that denies an effect although a change was carried out and only its response was lost, or was none. */
export function deniesLost({ name, calls }: Invocation, error: unknown): string | undefined {
  if (!deniesEffect(error)) return undefined;
  const lost = calls.find(({ fault, changed }) => changed && fault !== undefined);
  return (
    lost &&
    `${name} threw ${error.name} when the answer to ${lost.name} was lost${lost.fault === 'answered' ? ' or could not be read' : ''}, though that had been carried out: throw the error itself, or what errorOfRequest and errorOfResponse make of it; DefiniteError and ThrottledError say that nothing has happened`
  );
}
