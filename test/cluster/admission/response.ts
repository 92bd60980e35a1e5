import { parse } from 'yaml';
import { parseApiVersion } from '../../../sdk/api/kind.ts';
import { goHead, misfit } from '../go-json.ts';
import { type Fields, isFields } from '../objects/object.ts';
import type { AdmissionResponse } from './review.ts';

/** What a webhook was asked. */
export interface Question {
  readonly uid: string;
  /** Of the review. */
  readonly apiVersion: string;
  readonly mutating: boolean;
}

const failed = (why: string): Error => new Error(`failed to call webhook: ${why}`);
const invalid = (why: string): Error => new Error(`received invalid webhook response: ${why}`);

const kind = 'AdmissionReview';
const known = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** JSON, or what YAML makes of it, as Go reads both. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parse(text);
  }
}

/** Throws when a body is no review of the version that was asked for. */
function checkKind({ apiVersion, kind: given }: Fields, wanted: string): void {
  const [at, name] = [apiVersion || wanted, given || kind];
  if (at === wanted && name === kind) return;
  if (name !== kind || !known.includes(String(at))) {
    throw failed(
      `no kind ${JSON.stringify(name)} is registered for version ${JSON.stringify(at)} in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  const [from, to] = [at, wanted].map((one) => parseApiVersion(String(one)).version);
  throw failed(`converting (${from}.${kind}) to (${to}.${kind}): unknown conversion`);
}

/** Go's types of what is in a response. */
const types: Readonly<Record<string, readonly [type: string, fits: (value: unknown) => boolean]>> = {
  uid: ['types.UID', (value) => typeof value === 'string'],
  allowed: ['bool', (value) => typeof value === 'boolean'],
  status: ['v1.Status', isFields],
  patchType: ['v1.PatchType', (value) => typeof value === 'string'],
  auditAnnotations: ['map[string]string', isFields],
  warnings: ['[]string', Array.isArray],
};

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function checkTypes(response: Fields): void {
  for (const [name, [type, fits]] of Object.entries(types)) {
    const value = response[name];
    if (value === undefined || value === null || fits(value)) continue;
    const where = `struct field AdmissionResponse.response.${name} of type`;
    throw failed(misfit(value, type).replace('value of type', where));
  }
  const { patch } = response;
  if (typeof patch !== 'string' || base64.test(patch)) return;
  throw failed(`illegal base64 data at input byte ${/^[A-Za-z0-9+/]*/.exec(patch)![0].length}`);
}

/** Throws unless a patch and its type come together, and from who may change anything. */
function checkPatch({ patch, patchType }: AdmissionResponse, mutating: boolean): void {
  const [hasPatch, hasType] = [patch !== undefined && patch !== '', typeof patchType === 'string'];
  if (!mutating && hasPatch) throw invalid('validating webhook may not return response.patch');
  if (!mutating && hasType) throw invalid('validating webhook may not return response.patchType');
  if (hasPatch && !hasType) throw invalid('webhook returned response.patch but not response.patchType');
  if (!hasPatch && hasType) throw invalid('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
}

const named = ({ apiVersion = '', kind: given = '' }: Fields): string => {
  const { group, version } = parseApiVersion(String(apiVersion ?? ''));
  return `${group}/${version}, Kind=${given ?? ''}`;
};

/** Reads a webhook's answer. Throws an Error in the server's words. */
export function responseIn(text: string, { uid, apiVersion, mutating }: Question): AdmissionResponse {
  const value = valueIn(text) ?? {};
  if (!isFields(value)) throw failed(`couldn't get version/kind; json parse error: ${misfit(value, goHead)}`);
  checkKind(value, apiVersion);
  if (!isFields(value.response)) throw invalid('webhook response was absent');
  checkTypes(value.response);
  const response = value.response as unknown as AdmissionResponse;
  // The older version is not looked at so closely.
  if (apiVersion !== known[0]) {
    const { patch, ...rest } = response;
    return mutating && patch ? { ...rest, patch, patchType: 'JSONPatch' } : rest;
  }
  if ((response.uid ?? '') !== uid) {
    throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  const given = named(value);
  const expected = named({ apiVersion, kind });
  if (given !== expected) throw invalid(`expected webhook response of ${expected}, got ${given}`);
  checkPatch(response, mutating);
  return response;
}

const texts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** These leave it to the server to say why. */
const saidByServer = [403, 406, 415];

/** An answer of HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A Status in a body, which says more than its code. */
function statusIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isStatus = isFields(value) && value.kind === 'Status' && value.status !== 'Success';
    return isStatus && typeof value.message === 'string' ? value.message : undefined;
  } catch {
    return undefined;
  }
}

/** Why an answer is none; undefined when it may be one. */
function refusalIn({ status, type, text }: HttpAnswer): string | undefined {
  if (status >= 200 && status <= 206) return undefined;
  const said = statusIn(text);
  if (said !== undefined) return said;
  const own = type.startsWith('text/') ? text.trim() : 'unknown';
  if (saidByServer.includes(status)) return own;
  if (texts[status] !== undefined) return texts[status];
  if (status >= 500) return `an error on the server (${JSON.stringify(own)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

/** Throws an Error in the server's words when an answer of HTTP has no review. */
export function checkAnswer(answer: HttpAnswer): void {
  const { status, type, text } = answer;
  const refusal = refusalIn(answer);
  if (refusal !== undefined) throw failed(refusal);
  if (text === '') throw failed(`0-length response with status code: ${status} and content type: ${type}`);
}
