/** Client of a server of hooks: signs requests, validates responses, and classifies failures by their possible effect. */

import { randomUUID } from 'node:crypto';
import { ContractError, DefiniteError, ExternalAlreadyExistsError, isJsonObject } from '../../sdk/index.ts';
import { httpApi } from '../http-api.ts';
import { shortLine } from '../quoted-text.ts';
import { type CheckedClientOptions, checkedClientOptions, type HooksClientOptions } from './options.ts';
import {
  type HooksAnswers,
  type HooksRefusal,
  hooksProtocol,
  type MistakeInMessage,
  messageCheck,
} from './protocol.ts';
import { signedHeaders } from './signature.ts';

/** Members of a request besides protocol and function. */
export type HooksArguments = Readonly<Record<string, unknown>>;

/** Calls of the functions of one server. */
export interface HooksClient {
  /**
   * Calls a function once.
   * @throws DefiniteError for a refusal without an effect, ExternalAlreadyExistsError for an existing object of `create`, ThrottledError for a rate
   * limit, HookMissingError for a missing function; ContractError for a response that violates the protocol, with the id in it; another
   * Error when the outcome is unknown
   */
  call<Name extends keyof HooksAnswers>(
    name: Name,
    members: HooksArguments,
    signal: AbortSignal,
  ): Promise<HooksAnswers[Name]>;
}

/** Thrown for a function that the server does not have; without any effect. */
export class HookMissingError extends DefiniteError {
  static {
    HookMissingError.prototype.name = 'HookMissingError';
  }
}

/** Statuses from 400 to 499 whose body determines the effect; without throttling and statuses of an unknown effect. */
const refusals: readonly number[] = Array.from({ length: 100 }, (_, nth) => 400 + nth).filter(
  (status) => ![408, 425, 429].includes(status),
);

/** Returns the server's words in a failure. */
function reasonOf(body: unknown): string | undefined {
  const message = (body as { readonly error?: { readonly message?: unknown } } | null | undefined)?.error?.message;
  return typeof message === 'string' ? message : undefined;
}

/** Returns the error to throw for a refusal of a function. */
function errorOf(name: string, { effect, reason }: HooksRefusal, text: string): Error {
  if (effect !== 'none') return new Error(text);
  if (reason === 'exists' && name === 'create') return new ExternalAlreadyExistsError(text);
  return reason === 'unknown-function' ? new HookMissingError(text) : new DefiniteError(text);
}

/** Called function, and the body of its response. */
interface FunctionResponse {
  readonly name: string;
  readonly body: unknown;
}

/** Returns the error for a response with a status from 400 to 499; definite only if its body reports no effect. */
async function errorOfRefusal(
  what: string,
  { name, body }: FunctionResponse,
  mistakeIn: MistakeInMessage,
): Promise<Error> {
  const mistake = await mistakeIn('error', body);
  if (mistake !== undefined)
    return new Error(
      `${what} without { error: { effect, message } } (${shortLine(mistake)}): it is not known what has happened`,
    );
  const { error } = body as { readonly error: HooksRefusal };
  return errorOf(name, error, `${what}: ${shortLine(error.message)}`);
}

/** Returns the error for a response that violates the protocol; for `create` with its id, since the object may exist. */
async function errorOfAnswer(
  message: string,
  { name, body }: FunctionResponse,
  mistakeIn: MistakeInMessage,
): Promise<Error> {
  const isMade = name === 'create' && isJsonObject(body) && (await mistakeIn('id', body.id)) === undefined;
  return new ContractError(message, isMade ? [{ slot: '', id: body.id }] : []);
}

/** Creates a client; its limits apply to all of its requests together. */
export function clientOf({ name: server, keys, url, ...bounds }: CheckedClientOptions): HooksClient {
  const api = httpApi({
    ...bounds,
    vendor: server,
    url,
    headers: (body) => signedHeaders(keys, { id: `msg_${randomUUID()}`, now: bounds.clock.now(), body }),
    reasonOf,
  });
  const mistakeIn = messageCheck();
  return {
    async call(name, members, signal) {
      const what = `${server}: ${name}`;
      const request = { protocol: hooksProtocol, function: name, ...members };
      const { status, body = {} } = await api.request({
        method: 'POST',
        path: '',
        body: request,
        signal,
        expected: refusals,
      });
      if (status >= 400) throw await errorOfRefusal(`${what}: HTTP ${status}`, { name, body }, mistakeIn);
      const mistake = await mistakeIn(`${name}Answer`, body);
      if (mistake !== undefined)
        throw await errorOfAnswer(
          `${what}: an answer that is not as ${hooksProtocol} says: ${mistake}`,
          { name, body },
          mistakeIn,
        );
      return body as HooksAnswers[typeof name];
    },
  };
}

/** Creates a client of a server of hooks, for tools; {@link httpHooks} has its own. @throws TypeError naming the missing, invalid or unknown option */
export const hooksClient = (options: HooksClientOptions): HooksClient => clientOf(checkedClientOptions(options));
