import { parseApiVersion } from '../../../sdk/api/kind.ts';
import { checkKind, named, valueIn } from '../admission/review-kind.ts';
import { goHead, goKind, misfit } from '../go-json.ts';
import { type Fields, isFields } from '../objects/object.ts';

/** What a conversion webhook answers. */
export interface ConversionResponse {
  readonly uid?: string;
  /** One for each object of the request, in its order. */
  readonly convertedObjects: readonly Fields[];
  /** @default success */
  readonly result?: { readonly status?: string; readonly message?: string };
}

/** What is sent to a conversion webhook, as Kubernetes documents it for `apiextensions.k8s.io/v1`. */
export interface ConversionReview {
  readonly kind: 'ConversionReview';
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    /** Such as `example.com/v2`. */
    readonly desiredAPIVersion: string;
    readonly objects: readonly Fields[];
  };
}

/** A conversion webhook inside this process: answers what a server would answer; the uid is put in for it. */
export type ConversionFunction = (review: ConversionReview) => ConversionResponse | Promise<ConversionResponse>;

const kind = 'ConversionReview';
const scheme = {
  kinds: ['ConversionReview', 'CustomResourceDefinition', 'CustomResourceDefinitionList'],
  versions: ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'],
};

/** Go's types of what is in a response, and whether a value is one. */
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

/** Only the newer version is looked at so closely. Throws when an answer is not to this review. */
function checkAddressee(response: Fields, { apiVersion, request: { uid } }: ConversionReview): void {
  if (apiVersion !== scheme.versions[0]) return;
  const given = response.uid ?? '';
  if (given !== uid) throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
}

/** Reads the answer to a review. Throws an Error in the server's words. */
export function convertedIn(text: string, review: ConversionReview): readonly unknown[] {
  const value = valueIn(text) ?? {};
  if (!isFields(value)) throw new Error(`couldn't get version/kind; json parse error: ${misfit(value, goHead)}`);
  const { apiVersion } = review;
  checkKind(value, { apiVersion, kind }, scheme);
  if (isFields(value.response)) checkTypes(value.response);
  else if (value.response) responseOf(value, review);
  const [given, expected] = [named(value), named({ apiVersion, kind })];
  if (apiVersion === scheme.versions[0] && given !== expected) {
    throw new Error(`expected webhook response of ${expected}, got ${given}`);
  }
  const response = responseOf(value, review);
  checkAddressee(response, review);
  const { status = '', message } = (response.result ?? {}) as Fields;
  if (status !== 'Success') throw new Error(String(message || `response.result.status was '${status}', not 'Success'`));
  return (response.convertedObjects ?? []) as readonly unknown[];
}
