/**
 * One class per "what the engine does next" or "what the caller did wrong". Never matched by text: use `instanceof`, `reason` or `code`.
 * Everything else that is thrown means: retry with back-off.
 */

import { redact } from './redact.ts';

/** The body of a failed answer of an API server, as it was sent. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly status?: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
    readonly retryAfterSeconds?: number;
  };
  readonly code?: number;
}

/** What was asked when an {@link ApiError} came back. */
export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  readonly server: string;
}

/** The API server refused a request. `code` is the HTTP status, `reason` the server's word for it, `status` its whole answer. */
export class ApiError extends Error {
  static {
    ApiError.prototype.name = 'ApiError';
  }
  readonly code: number;
  readonly reason: string;
  readonly status: Status;
  readonly request: RequestInfo;
  /** ms to wait before asking again, if the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: Status, request: RequestInfo, retryAfter?: number) {
    super(status.message ?? `${request.method} ${request.path}: HTTP ${status.code}`);
    this.code = status.code ?? 0;
    this.reason = status.reason ?? '';
    this.status = status;
    this.request = request;
    this.retryAfter =
      retryAfter ??
      (status.details?.retryAfterSeconds !== undefined ? status.details.retryAfterSeconds * 1000 : undefined);
  }
}

/** 404: the object, its namespace or its kind is not there. */
export class NotFoundError extends ApiError {
  static {
    NotFoundError.prototype.name = 'NotFoundError';
  }
}

/** 409 AlreadyExists: an object of that name is there. */
export class AlreadyExistsError extends ApiError {
  static {
    AlreadyExistsError.prototype.name = 'AlreadyExistsError';
  }
}

/** 409 Conflict: the object has changed since it was read. The engine reads again and says nothing. */
export class ConflictError extends ApiError {
  static {
    ConflictError.prototype.name = 'ConflictError';
  }
}

/** 422: the object breaks its schema, or a JSON patch's `test` or path did not hold. `status.details.causes` says which field. */
export class InvalidError extends ApiError {
  static {
    InvalidError.prototype.name = 'InvalidError';
  }
}

/** 401 or 403: missing rights. The message says which verb on what. */
export class ForbiddenError extends ApiError {
  static {
    ForbiddenError.prototype.name = 'ForbiddenError';
  }
}

/** 410: the resourceVersion or continue token asked for has been compacted away; list again. */
export class ExpiredError extends ApiError {
  static {
    ExpiredError.prototype.name = 'ExpiredError';
  }
}

/** No answer came (refused, reset, timed out): for a write, it is unknown whether it was carried out. */
export class UnreachableError extends Error {
  static {
    UnreachableError.prototype.name = 'UnreachableError';
  }
  readonly request: RequestInfo;
  /** The request never left: nothing can have happened. */
  readonly notSent: boolean;

  constructor(request: RequestInfo, cause: unknown, notSent: boolean) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${request.method} ${request.server}${request.path}: no answer (${why})`, { cause });
    this.request = request;
    this.notSent = notSent;
  }
}

/** Not again before something changes: the engine does not retry. */
export class GiveUpError extends Error {
  static {
    GiveUpError.prototype.name = 'GiveUpError';
  }
}

/** A failure that says what comes next: when to try again (else the retry policy decides), and what the next run is to know. */
export class RetryError extends Error {
  static {
    RetryError.prototype.name = 'RetryError';
  }
  /** ms. */
  readonly retryAfter: number | undefined;
  /** Becomes the state of the next run; undefined: the state stays as it is. */
  readonly state: Readonly<Record<string, unknown>> | undefined;

  constructor(
    message: string,
    options: ErrorOptions & { readonly retryAfter?: number; readonly state?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, options);
    this.retryAfter = options.retryAfter;
    this.state = options.state;
  }
}

/** What a decision was based on has changed: nothing has happened, the engine runs again at once. */
export class StaleError extends Error {
  static {
    StaleError.prototype.name = 'StaleError';
  }
}

/**
 * The API server refused a patch although everything that it tests holds: an admission policy, a quota or the schema that is served stands against it.
 * Nothing has happened. The cause is the server's answer; asking again does not change it before somebody changes the rule.
 */
export class RefusedError extends Error {
  static {
    RefusedError.prototype.name = 'RefusedError';
  }
}

/** Whether something has changed under us: nothing to tell anybody, the engine looks again. */
export const isRace = (error: unknown): boolean => error instanceof StaleError || error instanceof ConflictError;

/** Another holder took the guard over while we worked: what we learned was handed to it, nothing else was written. */
export class FencedError extends Error {
  static {
    FencedError.prototype.name = 'FencedError';
  }
}

/** Somebody else is at work there, or a person has to decide first: nothing has happened; come back after `retryAfter` ms, if given. */
export class BusyError extends Error {
  static {
    BusyError.prototype.name = 'BusyError';
  }
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** A third party said no and nothing has happened there: the condition becomes `Error`, and the retry policy decides when to try again. */
export class DefiniteError extends Error {
  static {
    DefiniteError.prototype.name = 'DefiniteError';
  }
}

/** A third party asks for patience and nothing has happened there: tried again after `retryAfter` ms, or, where it did not say when, with back-off. */
export class ThrottledError extends Error {
  static {
    ThrottledError.prototype.name = 'ThrottledError';
  }
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}

/** A plug-in gave what its contract does not allow. The message names the integration, the member, what was expected and what was found. */
export class ContractError extends TypeError {
  static {
    ContractError.prototype.name = 'ContractError';
  }
  /** Ids that came with the wrong answer. */
  readonly refs: readonly Readonly<Record<string, unknown>>[];

  constructor(message: string, refs: ContractError['refs'] = []) {
    super(message);
    this.refs = refs;
  }
}

/** A mistake an end user can mend, with the code of its row in docs/errors.md (`E#nnnn`) and what to do next. */
export class UserError extends Error {
  static {
    UserError.prototype.name = 'UserError';
  }
  readonly code: `E#${string}`;
  readonly hint: string | undefined;

  constructor(
    code: `E#${string}`,
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** The delay in ms that something thrown asks for itself: its numeric `retryAfter`. */
export function retryAfterOf(thrown: unknown): number | undefined {
  const wish: unknown =
    typeof thrown === 'object' && thrown !== null && 'retryAfter' in thrown ? thrown.retryAfter : undefined;
  return typeof wish === 'number' && Number.isFinite(wish) ? Math.max(0, wish) : undefined;
}

/** The message of anything that was thrown, an Error or not, without what looks like a secret: see {@link redact}. */
export const messageOf = (thrown: unknown): string => redact(thrown instanceof Error ? thrown.message : String(thrown));

/** Anything that was thrown, as an Error; what was none is kept as its cause. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
