/** Classification of the errors of AWS's services, as the AWS SDK throws them. */

import { DefiniteError, ExternalAlreadyExistsError, errorOfRequest, ThrottledError } from '../../sdk/index.ts';
import { shortLine } from '../quoted-text.ts';

/** Error that the server sent, as the AWS SDK throws it: its code is the name. */
export interface AwsError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
  /** Texts that some services send in place of a message. */
  readonly messages?: readonly string[];
}

/** Error codes of one service, with advice. */
export interface AwsErrorRules {
  /** Name of the service, for messages. */
  readonly service: string;
  /** Codes of throttled requests, which had no effect, besides status 429. */
  readonly throttled: RegExp;
  /** Codes of creations of existing objects. @default none */
  readonly exists?: RegExp;
  /** Next step by code. */
  readonly advice: Readonly<Record<string, string>>;
}

/** Reports whether an error was sent by the server; errors of the connection have no status. */
export const isAwsError = (error: unknown): error is AwsError =>
  error instanceof Error && typeof (error as Partial<AwsError>).$metadata?.httpStatusCode === 'number';

/** Reports whether the server sent an error with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  isAwsError(error) && codes.includes(error.name);

/** Codes of requests that did not arrive completely, or whose outcome is unknown. */
const ambiguousCodes = /^(RequestTimeout|RequestTimeoutException|InternalError|InternalFailure)$/;

/** Maximum length of a server's message in an error. */
const maxLength = 500;

function textOf({ message, messages = [], name }: AwsError, { service, advice }: AwsErrorRules): string {
  const text = message || (Array.isArray(messages) ? messages.slice(0, 3).join(', ') : '');
  const next = Object.hasOwn(advice, name) ? `; ${advice[name]}` : '';
  return `${service} says ${shortLine(text, maxLength)} (${name.slice(0, 100)})${next}`;
}

function retryAfterOf({ $response }: AwsError): number | undefined {
  const seconds = Number($response?.headers?.['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : undefined;
}

/** Reports whether a status means a refusal, without any effect. */
const isRefusal = (status: number): boolean => (status >= 400 && status < 500 && status !== 408) || status === 501;

/** Reports whether the class of an error determines the outcome. */
const isClassified = (error: unknown): boolean =>
  error instanceof DefiniteError ||
  error instanceof ThrottledError ||
  error instanceof ExternalAlreadyExistsError ||
  (error as Error | undefined)?.name === 'AbortError';

/** Converts an error of the service into a DefiniteError, a ThrottledError, or an Error with an unknown outcome. */
export function awsErrorOf(error: unknown, rules: AwsErrorRules): unknown {
  if (isClassified(error)) return error;
  if (!isAwsError(error))
    return errorOfRequest(error, `${rules.service} does not answer: ${(error as Error)?.message}`);
  const [text, status] = [textOf(error, rules), error.$metadata.httpStatusCode];
  if (rules.exists?.test(error.name)) return new ExternalAlreadyExistsError(text, { cause: error });
  if (status === 429 || rules.throttled.test(error.name))
    return new ThrottledError(text, retryAfterOf(error), { cause: error });
  return isRefusal(status) && !ambiguousCodes.test(error.name)
    ? new DefiniteError(text, { cause: error })
    : new Error(text, { cause: error });
}
