/** Refusals as Status objects, worded as kube-apiserver's `errors.NewX`. */

import { type FieldError, invalidStatus, quoted } from './field-error.ts';
import type { Fields } from './object.ts';
import { qualifiedKindOf, qualifiedResourceOf, type ResourceInfo } from './resource-info.ts';

/** Details of a Status. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** Refusal that the handler answers with its `status`. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  /** HTTP status code. */
  readonly code: number;
  /** Status object of the answer. */
  readonly status: Fields;

  constructor(status: Fields) {
    super(String(status.message));
    this.code = Number(status.code);
    this.status = status;
  }
}

/** HTTP status code of each reason. */
const codes = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;

/** Machine-readable reason of a refusal. */
export type Reason = keyof typeof codes;

const statusFields = (code: number, message: string, more: Fields): Fields => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  ...more,
  code,
});

/** Creates a refusal; the code follows from the reason. */
export const failure = (reason: Reason, message: string, details?: StatusDetails): StatusError =>
  new StatusError(statusFields(codes[reason], message, { reason, ...(details !== undefined && { details }) }));

type Named = Pick<ResourceInfo, 'group' | 'plural'>;
type Kinded = Pick<ResourceInfo, 'group' | 'kind'>;

/** Details that name a resource by its plural. */
const detailsOf = ({ group, plural }: Named, name?: string): StatusDetails => ({
  ...(name !== undefined && name !== '' && { name }),
  ...(group !== '' && { group }),
  kind: plural,
});

/** 400 with the given message. */
export const badRequest = (message: string): StatusError => failure('BadRequest', message);

/** 500 without a reason, for unexpected errors. */
export const unexpected = (message: string): StatusError => new StatusError(statusFields(500, message, {}));

/** 404 of one object. */
export const notFound = (resource: Named, name: string): StatusError =>
  failure('NotFound', `${qualifiedResourceOf(resource)} ${quoted(name)} not found`, detailsOf(resource, name));

/** 404 of a path within a known group and version. */
export const noSuchResource = (): StatusError =>
  failure('NotFound', 'the server could not find the requested resource', {});

/** 405 of a method without a route. */
export const methodNotAllowed = (): StatusError =>
  failure('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** State of a name that is already taken: its object is being deleted, or the name was generated. */
export interface NameConflict {
  readonly deleting?: boolean;
  readonly generated?: boolean;
}

/** 405 of a verb that a resource does not support. */
export const verbNotSupported = (resource: Named, verb: string): StatusError =>
  failure(
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind ${JSON.stringify(qualifiedResourceOf(resource))}`,
    detailsOf(resource),
  );

/** 409 of a name that is taken. */
export function alreadyExists(resource: Named, name: string, { deleting, generated }: NameConflict = {}): StatusError {
  const before = deleting ? 'object is being deleted: ' : '';
  const after = generated ? ', the server was not able to generate a unique name for the object' : '';
  const message = `${before}${qualifiedResourceOf(resource)} "${name}" already exists${after}`;
  return failure('AlreadyExists', message, {
    ...detailsOf(resource, name),
    ...(generated && { retryAfterSeconds: 1 }),
  });
}

/** 409 with the given message. */
export const conflict = (resource: Named, name: string, why: string): StatusError =>
  failure(
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedResourceOf(resource)} "${name}": ${why}`,
    detailsOf(resource, name),
  );

/** 409 of a stale resourceVersion. */
export const modified = (resource: Named, name: string): StatusError =>
  conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

/** 409 of a failed delete precondition; it names the kind. */
export const preconditionFailed = (kind: Kinded, name: string, why: string): StatusError =>
  failure('Conflict', `Operation cannot be fulfilled on ${qualifiedKindOf(kind)} "${name}": ${why}`, {
    name,
    ...(kind.group !== '' && { group: kind.group }),
    kind: kind.kind,
  });

/** 403 of one object, optionally with `causes`. */
export function forbidden(
  resource: Named,
  name: string,
  { why, causes }: { readonly why: string; readonly causes?: StatusDetails['causes'] },
): StatusError {
  const subject = name === '' ? qualifiedResourceOf(resource) : `${qualifiedResourceOf(resource)} "${name}"`;
  return failure('Forbidden', `${subject} is forbidden: ${why}`, {
    ...detailsOf(resource, name),
    ...(causes !== undefined && { causes }),
  });
}

/** 422 with the field errors of an object. */
export const invalid = (kind: Kinded, name: string, errors: readonly FieldError[]): StatusError =>
  new StatusError(invalidStatus(kind, name, errors) as unknown as Fields);

/** 422 of an options object, such as DeleteOptions. */
export const invalidOptions = (kind: string, errors: readonly FieldError[]): StatusError =>
  invalid({ group: 'meta.k8s.io', kind }, '', errors);

/** 422 of a patch that cannot be applied to the object. */
export const unprocessable = (): StatusError =>
  failure('Invalid', 'the server rejected our request due to an error in our request', {});

/** 410 of a compacted resourceVersion. */
export const expired = (message: string): StatusError => failure('Expired', message);

/** 415 with the accepted media types. */
export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  failure(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** Success Status that answers a deletion. */
export const deletedStatus = (resource: Named, name: string, uid: string | undefined): Fields => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { ...detailsOf(resource, name), ...(uid !== undefined && { uid }) },
});
