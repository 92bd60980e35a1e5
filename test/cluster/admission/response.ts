/** Reads and validates AdmissionReview responses. */

import { base64Fault } from '../apimachinery/go/go-base64.ts';
import { goHead, unmarshalError } from '../apimachinery/go/go-json.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { checkKind, decodeReview, goKindName } from '../webhooks/review-decoding.ts';
import type { AdmissionResponse } from './review.ts';

/** Parts of a review that its response is checked against. */
export interface ExpectedResponse {
  readonly uid: string;
  /** Version of the review. */
  readonly apiVersion: string;
  readonly mutating: boolean;
}

const callFailure = (why: string): Error => new Error(`failed to call webhook: ${why}`);
const invalid = (why: string): Error => new Error(`received invalid webhook response: ${why}`);

const kind = 'AdmissionReview';
const known = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** Go types of the fields of a response. */
const types: Readonly<Record<string, readonly [type: string, fits: (value: unknown) => boolean]>> = {
  uid: ['types.UID', (value) => typeof value === 'string'],
  allowed: ['bool', (value) => typeof value === 'boolean'],
  status: ['v1.Status', isFields],
  patchType: ['v1.PatchType', (value) => typeof value === 'string'],
  auditAnnotations: ['map[string]string', isFields],
  warnings: ['[]string', Array.isArray],
};

function checkTypes(response: Fields): void {
  for (const [name, [type, fits]] of Object.entries(types)) {
    const value = response[name];
    if (value === undefined || value === null || fits(value)) continue;
    const where = `struct field AdmissionResponse.response.${name} of type`;
    throw callFailure(unmarshalError(value, type).replace('value of type', where));
  }
  const { patch } = response;
  const bad = typeof patch === 'string' ? base64Fault(patch) : undefined;
  if (bad !== undefined) throw callFailure(`illegal base64 data at input byte ${bad}`);
}

/** Throws unless patch and patchType come together, and from a mutating webhook only. */
function checkPatch({ patch, patchType }: AdmissionResponse, mutating: boolean): void {
  const [hasPatch, hasType] = [patch !== undefined && patch !== '', typeof patchType === 'string'];
  const [given, missing] = hasPatch ? ['patch', 'patchType'] : ['patchType', 'patch'];
  if (!mutating && (hasPatch || hasType)) throw invalid(`validating webhook may not return response.${given}`);
  if (hasPatch !== hasType) throw invalid(`webhook returned response.${given} but not response.${missing}`);
  if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
}

function reviewIn(text: string, apiVersion: string): Fields {
  try {
    const value = decodeReview(text) ?? {};
    if (!isFields(value))
      throw new Error(`couldn't get version/kind; json parse error: ${unmarshalError(value, goHead)}`);
    checkKind(value, { apiVersion, kind }, { kinds: [kind], versions: known });
    return value;
  } catch (error) {
    throw callFailure((error as Error).message);
  }
}

/** Parses a webhook's response. Throws an Error in the server's words. */
export function responseIn(text: string, { uid, apiVersion, mutating }: ExpectedResponse): AdmissionResponse {
  const value = reviewIn(text, apiVersion);
  if (!isFields(value.response)) throw invalid('webhook response was absent');
  checkTypes(value.response);
  const response = value.response as unknown as AdmissionResponse;
  // v1beta1 responses are validated less strictly.
  if (apiVersion !== known[0]) {
    const { patch, ...rest } = response;
    return mutating && patch ? { ...rest, patch, patchType: 'JSONPatch' } : rest;
  }
  if ((response.uid ?? '') !== uid) {
    throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  const given = goKindName(value);
  const expected = goKindName({ apiVersion, kind });
  if (given !== expected) throw invalid(`expected webhook response of ${expected}, got ${given}`);
  checkPatch(response, mutating);
  return response;
}
