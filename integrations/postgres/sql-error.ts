/** Classification of PostgreSQL's errors. */

import { DefiniteError, ExternalAlreadyExistsError, errorOfRequest, ThrottledError } from '../../sdk/index.ts';

/** Error of the server, as `pg` throws it: with a severity, and its SQLSTATE as code. */
export interface SqlError extends Error {
  readonly severity: string;
  readonly code: string;
  readonly detail?: string | undefined;
}

/** Reports whether an error was sent by the server; errors of the connection have a `code` as well, such as EPIPE. */
export const isSqlError = (error: unknown): error is SqlError =>
  error instanceof Error && typeof (error as Partial<SqlError>).severity === 'string';

/** Too many connections, starting up, locked by another connection: nothing was done, and later it may be. */
const later: ReadonlySet<string> = new Set(['53300', '57P03', '55P03']);

/** Connection failure, shutdown, system and internal errors: a statement may have been carried out. */
const unknown = /^(08|58|XX)|^(57P01|57P02|57P05|40003)$/;

/** Role or database of that name exists; 23505 when it was created at the same moment. */
const exists: ReadonlySet<string> = new Set(['42710', '42P04', '23505']);

const advice: Readonly<Record<string, string>> = {
  '55006': 'end these connections, or set the option dropConnections',
  '42501': 'grant the credential what the README of this integration lists',
  '2BP01': 'DROP OWNED BY the role in the databases named there',
};

/** Characters of a server's message that are told. */
const longest = 500;

function textOf({ message, detail, code }: SqlError): string {
  const said = [message, detail].filter((part) => part !== undefined && part !== '').join(': ');
  const next = advice[code] === undefined ? '' : `; ${advice[code]}`;
  return `PostgreSQL says ${said.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, longest)} (${code})${next}`;
}

/** Returns the error to throw for what an operation of the server threw: definite, throttled or of unknown outcome. */
export function callErrorOf(error: unknown): unknown {
  const isClassified =
    error instanceof DefiniteError || error instanceof ThrottledError || error instanceof ExternalAlreadyExistsError;
  if (isClassified || (error as Error)?.name === 'AbortError') return error;
  if (!isSqlError(error)) return errorOfRequest(error, `PostgreSQL does not answer: ${(error as Error)?.message}`);
  if (later.has(error.code)) return new ThrottledError(textOf(error), undefined, { cause: error });
  if (exists.has(error.code)) return new ExternalAlreadyExistsError(textOf(error), { cause: error });
  return unknown.test(error.code)
    ? new Error(textOf(error), { cause: error })
    : new DefiniteError(textOf(error), { cause: error });
}
