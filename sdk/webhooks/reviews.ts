/** Reviews as API servers send them: AdmissionReview and ConversionReview of version v1. */

import { isJsonObject } from '../api/json.ts';
import type { KubeObject } from '../api/object.ts';
import type { AdmissionVerdict, FieldMistake } from './declarations.ts';

/** Thrown for an invalid review, which is answered with 400. */
export class ReviewError extends Error {
  static {
    ReviewError.prototype.name = 'ReviewError';
  }
}

/** Request of an AdmissionReview. */
export interface AdmissionReviewRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly userInfo?: { readonly username?: string; readonly uid?: string; readonly groups?: readonly string[] };
  readonly object?: KubeObject | null;
  readonly oldObject?: KubeObject | null;
  readonly dryRun?: boolean;
}

/** Request of a ConversionReview. */
export interface ConversionReviewRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
}

type ReviewMembers = Readonly<Record<string, unknown>>;

/** Returns the request of a review. @throws ReviewError for another kind, or without a uid */
function requestIn(body: unknown, apiVersion: string, kind: string): ReviewMembers & { readonly uid: string } {
  const review = isJsonObject(body) ? body : {};
  if (review.apiVersion !== apiVersion || review.kind !== kind)
    throw new ReviewError(`expected a ${kind} of ${apiVersion}`);
  const { request } = review;
  if (!isJsonObject(request) || typeof request.uid !== 'string' || request.uid === '')
    throw new ReviewError(`${kind}: request.uid is missing`);
  return request as ReviewMembers & { readonly uid: string };
}

const operations: readonly unknown[] = ['CREATE', 'UPDATE', 'DELETE'] satisfies AdmissionReviewRequest['operation'][];

const isObject = (value: unknown): boolean => isJsonObject(value) && isJsonObject(value.metadata);

/** Reads the request of an AdmissionReview. @throws ReviewError */
export function readAdmissionReview(body: unknown): AdmissionReviewRequest {
  const request = requestIn(body, 'admission.k8s.io/v1', 'AdmissionReview');
  const { operation, object, oldObject, kind } = request;
  if (!operations.includes(operation)) throw new ReviewError(`AdmissionReview: operation ${operation} is not handled`);
  if (!isJsonObject(kind)) throw new ReviewError('AdmissionReview: request.kind is missing');
  if (!isObject(operation === 'DELETE' ? oldObject : object) || (operation === 'UPDATE' && !isObject(oldObject)))
    throw new ReviewError('AdmissionReview: the object is missing');
  return request as unknown as AdmissionReviewRequest;
}

/** Reads the request of a ConversionReview. @throws ReviewError */
export function readConversionReview(body: unknown): ConversionReviewRequest {
  const request = requestIn(body, 'apiextensions.k8s.io/v1', 'ConversionReview');
  const { desiredAPIVersion, objects } = request;
  if (typeof desiredAPIVersion !== 'string' || !Array.isArray(objects) || !objects.every(isObject))
    throw new ReviewError('ConversionReview: request.desiredAPIVersion or request.objects is missing');
  return request as unknown as ConversionReviewRequest;
}

/** Maximum length of a warning and of all warnings that API servers accept; maximum length of a message and number of mistakes in a response. */
const max = { warning: 256, warnings: 4096, message: 1024, mistakes: 64 };

/** Truncates a text and replaces control characters: API servers drop warnings that have any. */
const line = (text: string, length: number): string =>
  Array.from(text.slice(0, 2 * length).replaceAll(/\p{Cc}+/gu, ' '))
    .slice(0, length)
    .join('');

/** Returns the warnings, bounded so that API servers pass all of them on. */
export function boundedWarnings(warnings: readonly string[]): readonly string[] {
  let left = max.warnings;
  return warnings
    .map((warning) => line(warning, max.warning))
    .filter((warning) => {
      left -= warning.length;
      return warning !== '' && left >= 0;
    });
}

const causeOf = ({ field, message, reason = 'FieldValueInvalid' }: FieldMistake) => ({
  reason,
  message: line(message, max.message),
  field: line(field, max.message),
});

/** Returns the status of a refusal in the words of API servers: `Site.example.com "a" is invalid: spec.host: must be …`. */
function invalidStatus({ name = '', kind: { group, kind } }: AdmissionReviewRequest, errors: readonly FieldMistake[]) {
  const causes = errors.slice(0, max.mistakes).map(causeOf);
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const left = errors.length - causes.length;
  const all = left > 0 ? [...texts, `and ${left} more`] : texts;
  const listed = all.length === 1 ? all[0] : `[${all.join(', ')}]`;
  return {
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message: `${group === '' ? kind : `${kind}.${group}`} ${JSON.stringify(name)} is invalid: ${listed}`,
    details: { name, group, kind, causes },
  };
}

/** Returns the response to an admission request. */
export function admissionResponse(
  request: AdmissionReviewRequest,
  { errors = [], denied, warnings = [] }: AdmissionVerdict,
) {
  const refusal =
    errors.length > 0
      ? invalidStatus(request, errors)
      : denied !== undefined && {
          status: 'Failure',
          code: 403,
          reason: 'Forbidden',
          message: line(denied, max.message),
        };
  const bounded = boundedWarnings(warnings);
  return {
    uid: request.uid,
    allowed: refusal === false,
    ...(refusal !== false && { status: refusal }),
    ...(bounded.length > 0 && { warnings: bounded }),
  };
}

/** Wraps the response to a review. */
export const admissionReview = (response: object): object => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response,
});

/** Wraps the response to a conversion. */
export const conversionReview = (response: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  response,
});
