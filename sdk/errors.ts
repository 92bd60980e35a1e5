/**
 * Errors of the package: one class for each reaction of the engine and each mistake of a caller. Match them by `instanceof`, `reason` or `code`,
 * never by text.
 * Any other error means: retry with back-off.
 */

import './supported-node.ts';
import { boundedRetryAfter } from './retry.ts';

/** Body of a failed response of an API server, as sent. */
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

/** Request that an {@link ApiError} answers. */
export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  readonly server: string;
}

/** Refusal of a request by the API server. `code` is the HTTP status, `reason` the server's reason, `status` the whole response. */
export class ApiError extends Error {
  static {
    ApiError.prototype.name = 'ApiError';
  }
  readonly code: number;
  readonly reason: string;
  readonly status: Status;
  readonly request: RequestInfo;
  /** Delay in ms before the request may be repeated, if the server named one. */
  readonly retryAfter: number | undefined;

  constructor(status: Status, request: RequestInfo, retryAfter?: number) {
    super(status.message ?? `${request.method} ${request.path}: HTTP ${status.code}`);
    this.code = status.code ?? 0;
    this.reason = status.reason ?? '';
    this.status = status;
    this.request = request;
    const seconds = status.details?.retryAfterSeconds ?? 0;
    this.retryAfter = retryAfter ?? (seconds > 0 ? boundedRetryAfter(seconds * 1000) : undefined);
  }
}

/** 404: the object, its namespace or its kind does not exist. */
export class NotFoundError extends ApiError {
  static {
    NotFoundError.prototype.name = 'NotFoundError';
  }
}

/** 409 AlreadyExists: an object of that name exists. */
export class AlreadyExistsError extends ApiError {
  static {
    AlreadyExistsError.prototype.name = 'AlreadyExistsError';
  }
}

/** 409 Conflict: the object has changed since it was read. The engine requeues without reporting it. */
export class ConflictError extends ApiError {
  static {
    ConflictError.prototype.name = 'ConflictError';
  }
}

/** 422: the object violates its schema, or a JSON patch's `test` or path did not hold. `status.details.causes` names the fields. */
export class InvalidError extends ApiError {
  static {
    InvalidError.prototype.name = 'InvalidError';
  }
}

/** 401 or 403: missing permissions. The message names the verb and the resource. */
export class ForbiddenError extends ApiError {
  static {
    ForbiddenError.prototype.name = 'ForbiddenError';
  }
}

/** 410: the requested resourceVersion or continue token has been compacted; list again. */
export class ExpiredError extends ApiError {
  static {
    ExpiredError.prototype.name = 'ExpiredError';
  }
}

/** No response (connection refused or reset, or a timeout): a write may have been carried out unless {@link UnreachableError.notSent}. */
export class UnreachableError extends Error {
  static {
    UnreachableError.prototype.name = 'UnreachableError';
  }
  readonly request: RequestInfo;
  /** True when the request was not sent: it has had no effect. */
  readonly notSent: boolean;

  constructor(request: RequestInfo, cause: unknown, notSent: boolean) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${request.method} ${request.server}${request.path}: no answer (${reason})`, { cause });
    this.request = request;
    this.notSent = notSent;
  }
}

/** Terminal failure: the engine does not retry until the object changes. */
export class GiveUpError extends Error {
  static {
    GiveUpError.prototype.name = 'GiveUpError';
  }
}

/** Failure with a request for its retry: the delay (else the retry policy decides) and the state of the next run. */
export class RetryError extends Error {
  static {
    RetryError.prototype.name = 'RetryError';
  }
  /** ms */
  readonly retryAfter: number | undefined;
  /** State of the next run; undefined leaves the state unchanged. */
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

/** The state on which a decision was based has changed: nothing was done, and the engine runs the object again at once. */
export class StaleError extends Error {
  static {
    StaleError.prototype.name = 'StaleError';
  }
}

/**
 * Refusal of a patch whose tests all hold: an admission policy, a quota or the served schema forbids the change. Nothing was done; the cause is the
 * server's response. Without a cause, the change was accepted but not stored as it was written. A retry fails until the rule changes.
 */
export class RefusedError extends Error {
  static {
    RefusedError.prototype.name = 'RefusedError';
  }
}

/** Reports whether the error is a lost race: not reported, the engine runs again. */
export const isRace = (error: unknown): boolean => error instanceof StaleError || error instanceof ConflictError;

/** Another holder took the guard over during the call: the result was passed to it, and nothing else was written. */
export class FencedError extends Error {
  static {
    FencedError.prototype.name = 'FencedError';
  }
}

/** Another holder is active, or a person has to decide first: nothing was done; retry after `retryAfter` ms, if given. */
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

/** Refusal by a third party without any effect: the condition becomes `Error`, and the retry policy decides on the next attempt. */
export class DefiniteError extends Error {
  static {
    DefiniteError.prototype.name = 'DefiniteError';
  }
}

/** Throttling by a third party without any effect: retried after `retryAfter` ms, from a second to an hour, or, if it named no time, with back-off. */
export class ThrottledError extends Error {
  static {
    ThrottledError.prototype.name = 'ThrottledError';
  }
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = retryAfter !== undefined && retryAfter > 0 ? boundedRetryAfter(retryAfter) : undefined;
  }
}

/** Value of a plug-in that violates its contract. The message names the integration, the member, the expected and the actual value. */
export class ContractError extends TypeError {
  static {
    ContractError.prototype.name = 'ContractError';
  }
  /** Ids contained in the invalid result. */
  readonly refs: readonly Readonly<Record<string, unknown>>[];

  constructor(message: string, refs: ContractError['refs'] = []) {
    super(message);
    this.refs = refs;
  }
}

/** Mistake that an end user can fix, with the code of its row in docs/errors.md (`E#nnnn`) and a hint. */
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
