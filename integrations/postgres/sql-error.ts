/** Classification of PostgreSQL's errors. */

import { DefiniteError, ExternalAlreadyExistsError, errorOfRequest, ThrottledError } from '../../sdk/index.ts';
import { shortLine } from '../quoted-text.ts';

/** Error of the server, as `pg` throws it: with a severity, and its SQLSTATE as code. */
export interface SqlError extends Error {
  readonly severity: string;
  readonly code: string;
  readonly detail?: string | undefined;
}

/** Reports whether an error was sent by the server; errors of the connection have a `code` as well, such as EPIPE. */
export const isSqlError = (error: unknown): error is SqlError =>
  error instanceof Error && typeof (error as Partial<SqlError>).severity === 'string';

/** Transient refusals without an effect: too many connections, starting up, locked by another connection. */
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

/** Characters of a server's message that are reported. */
const maxLength = 500;

function textOf({ message, detail, code }: SqlError): string {
  const said = [message, detail].filter((part) => part !== undefined && part !== '').join(': ');
  const next = Object.hasOwn(advice, code) ? `; ${advice[code]}` : '';
  const state = /^[\dA-Z]{5}$/.test(code) ? code : 'no SQLSTATE';
  return `PostgreSQL says ${shortLine(said, maxLength)} (${state})${next}`;
}

/** Returns the server's error as a cause, unless it is too long for logs, since the fields of a server are unbounded. */
function causeOf(error: SqlError): ErrorOptions {
  const said = Object.values({ ...error, message: error.message }).filter((value) => typeof value === 'string');
  return said.join('').length > maxLength ? {} : { cause: error };
}

/** Converts an error of the server into a DefiniteError, a ThrottledError, or an Error with an unknown outcome. */
export function callErrorOf(error: unknown): unknown {
  const isClassified =
    error instanceof DefiniteError || error instanceof ThrottledError || error instanceof ExternalAlreadyExistsError;
  if (isClassified || (error as Error)?.name === 'AbortError') return error;
  if (!isSqlError(error)) return errorOfRequest(error, `PostgreSQL does not answer: ${(error as Error)?.message}`);
  const said = [textOf(error), causeOf(error)] as const;
  if (later.has(error.code)) return new ThrottledError(said[0], undefined, said[1]);
  if (exists.has(error.code)) return new ExternalAlreadyExistsError(...said);
  return unknown.test(error.code) ? new Error(...said) : new DefiniteError(...said);
}
