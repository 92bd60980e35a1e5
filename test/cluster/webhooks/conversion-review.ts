/** ConversionReviews: types, and decoding of responses. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import { goHead, goKind, unmarshalError } from '../apimachinery/go/go-json.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { checkKind, decodeReview, goKindName } from './review-decoding.ts';

/** Response of a conversion webhook. */
export interface ConversionResponse {
  readonly uid?: string;
  /** Converted objects, in the order of the request. */
  readonly convertedObjects: readonly Fields[];
  /** Result of the conversion. @default success */
  readonly result?: { readonly status?: string; readonly message?: string };
}

/** Review that a conversion webhook receives, in the form of `apiextensions.k8s.io/v1`. */
export interface ConversionReview {
  readonly kind: 'ConversionReview';
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    /** Target version, such as `example.com/v2`. */
    readonly desiredAPIVersion: string;
    readonly objects: readonly Fields[];
  };
}

/** In-process conversion webhook: returns the response; its uid is filled in. */
export type ConversionFunction = (review: ConversionReview) => ConversionResponse | Promise<ConversionResponse>;

const kind = 'ConversionReview';
const scheme = {
  kinds: ['ConversionReview', 'CustomResourceDefinition', 'CustomResourceDefinitionList'],
  versions: ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'],
};

/** Go types of the fields of a response, with a check for each. */
const types: Readonly<Record<string, readonly [type: string, fits: (value: unknown) => boolean]>> = {
  uid: ['types.UID', (value) => typeof value === 'string'],
  convertedObjects: ['[]runtime.RawExtension', Array.isArray],
  result: ['v1.Status', isFields],
};

function checkTypes(response: Fields): void {
  for (const [name, [type, fits]] of Object.entries(types)) {
    const value = response[name];
    if (value === undefined || value === null || fits(value)) continue;
    const where = `Go struct field ConversionResponse.response.${name} of type ${type}`;
    throw new Error(`json: cannot unmarshal ${goKind(value)} into ${where}`);
  }
}

function responseOf({ response }: Fields, { apiVersion }: ConversionReview): Fields {
  if (response === undefined || response === null) throw new Error('no response provided');
  if (isFields(response)) return response;
  const type = `${parseApiVersion(apiVersion).version}.ConversionResponse`;
  throw new Error(
    `json: cannot unmarshal ${goKind(response)} into Go struct field ConversionReview.response of type ${type}`,
  );
}

/** Throws when a v1 response has another uid than its review; v1beta1 is not checked. */
function checkUid(response: Fields, { apiVersion, request: { uid } }: ConversionReview): void {
  if (apiVersion !== scheme.versions[0]) return;
  const given = response.uid ?? '';
  if (given !== uid) throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
}

/** Throws unless the result of a conversion is a success. */
function checkResult({ result }: Fields): void {
  const { status = '', message } = (result ?? {}) as Fields;
  if (status !== 'Success') throw new Error(String(message || `response.result.status was '${status}', not 'Success'`));
}

/** Decodes the response to a review. Throws an Error in the server's words. */
export function convertedObjectsIn(text: string, review: ConversionReview): readonly unknown[] {
  const value = decodeReview(text) ?? {};
  if (!isFields(value))
    throw new Error(`couldn't get version/kind; json parse error: ${unmarshalError(value, goHead)}`);
  const { apiVersion } = review;
  checkKind(value, { apiVersion, kind }, scheme);
  if (isFields(value.response)) checkTypes(value.response);
  else if (value.response) responseOf(value, review);
  const [given, expected] = [goKindName(value), goKindName({ apiVersion, kind })];
  if (apiVersion === scheme.versions[0] && given !== expected) {
    throw new Error(`expected webhook response of ${expected}, got ${given}`);
  }
  const response = responseOf(value, review);
  checkUid(response, review);
  checkResult(response);
  return (response.convertedObjects ?? []) as readonly unknown[];
}
