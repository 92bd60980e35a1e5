/** Classification of the errors of S3 and IAM. */

import { DefiniteError, ExternalAlreadyExistsError, errorOfRequest, ThrottledError } from '../../sdk/index.ts';

/** Error that the server sent, as the AWS SDK throws it: its code is the name. */
export interface AwsError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** Reports whether an error was sent by the server; errors of the connection have no status. */
export const isAwsError = (error: unknown): error is AwsError =>
  error instanceof Error && typeof (error as Partial<AwsError>).$metadata?.httpStatusCode === 'number';

/** Reports whether the server sent an error with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  isAwsError(error) && codes.includes(error.name);

/** Too many requests, or another one about the same is under way: nothing was done, and later it may be. */
const later =
  /^(SlowDown|Throttling|ThrottlingException|RequestLimitExceeded|TooManyRequests.*|OperationAborted|ConcurrentModification(Exception)?)$/;

/** Bucket or user of that name exists. */
const exists = /^(BucketAlreadyExists|BucketAlreadyOwnedByYou|EntityAlreadyExists(Exception)?)$/;

/** The request did not arrive completely, or nobody knows. */
const unknown = /^(RequestTimeout|RequestTimeoutException|InternalError|InternalFailure)$/;

const advice: Readonly<Record<string, string>> = {
  AccessDenied: 'it belongs to another account, or the credential lacks what the README of this integration lists',
  BucketNotEmpty: 'empty it, or set the option emptyOnDelete',
  NotImplemented: 'this server does not have what is asked for: leave it out',
};

/** Characters of a server's message that are told. */
const longest = 500;

function textOf({ message, name }: AwsError): string {
  const next = advice[name] === undefined ? '' : `; ${advice[name]}`;
  return `S3 says ${message.replaceAll(/\s+/g, ' ').slice(0, longest)} (${name.slice(0, 100)})${next}`;
}

function retryAfterOf({ $response }: AwsError): number | undefined {
  const seconds = Number($response?.headers?.['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : undefined;
}

/** Returns the error to throw for what an operation of the server threw: definite, throttled or of unknown outcome. */
export function s3ErrorOf(error: unknown): unknown {
  const isClassified =
    error instanceof DefiniteError || error instanceof ThrottledError || error instanceof ExternalAlreadyExistsError;
  if (isClassified || (error as Error)?.name === 'AbortError') return error;
  if (!isAwsError(error)) return errorOfRequest(error, `S3 does not answer: ${(error as Error)?.message}`);
  const [text, status] = [textOf(error), error.$metadata.httpStatusCode];
  if (exists.test(error.name)) return new ExternalAlreadyExistsError(text, { cause: error });
  if (status === 429 || later.test(error.name)) return new ThrottledError(text, retryAfterOf(error), { cause: error });
  const isRefusal = (status >= 400 && status < 500 && status !== 408) || status === 501;
  return isRefusal && !unknown.test(error.name)
    ? new DefiniteError(text, { cause: error })
    : new Error(text, { cause: error });
}
