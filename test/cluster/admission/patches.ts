/** Applies JSON patches of mutating webhooks, with the errors of Go's evanphx/json-patch. */

import { unmarshalError } from '../apimachinery/go/go-json.ts';
import { syntaxFaultOf } from '../apimachinery/go/go-json-syntax.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { applyJsonPatch } from '../apimachinery/patch/json-patch.ts';
import { withLiteralTests } from '../apimachinery/patch/literal-test-values.ts';
import { failure, type StatusError } from '../apimachinery/status.ts';
import type { AdmissionResponse, AdmissionReview } from './review.ts';

const undecodable = 'received undecodable patch in webhook response';

/** Decodes a patch in base64. Throws an Error in the server's words. */
function operationsIn(patch: string): readonly Fields[] {
  const text = Buffer.from(patch, 'base64').toString();
  const fault = syntaxFaultOf(text);
  if (fault !== undefined) throw new Error(`${undecodable}: ${fault}`);
  const value: unknown = withLiteralTests(text, JSON.parse(text) ?? []);
  if (Array.isArray(value)) return value as Fields[];
  throw new Error(`${undecodable}: ${unmarshalError(value, 'jsonpatch.Patch')}`);
}

/** Throws an Error in the server's words for an undecodable patch or an unknown patch type. */
export function checkPatch({ patch, patchType }: AdmissionResponse): void {
  if (patch === undefined || patch === '' || operationsIn(patch).length === 0) return;
  if (patchType !== 'JSONPatch') throw new Error(`unsupported patch type ${JSON.stringify(patchType)}`);
}

const internalError = (message: string): StatusError =>
  failure('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const holds = (object: unknown, path: string): boolean => {
  const segments = path.split('/').slice(1);
  const found = segments.reduce<unknown>(
    (at, one) =>
      typeof at === 'object' && at !== null
        ? (at as Fields)[one.replaceAll('~1', '/').replaceAll('~0', '~')]
        : undefined,
    object,
  );
  return typeof found === 'object' && found !== null;
};

/** Returns the error of an operation that cannot be applied, in the library's words. */
function faultOf({ op, path: given }: Fields, object: Fields): string {
  const path = String(given ?? '');
  if (op === 'test') return `testing value ${path} failed: test failed`;
  const isInside = path !== '' && holds(object, parentOf(path));
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (op === 'replace')
    return `replace operation does not apply: doc is missing ${isInside ? 'key' : 'path'}: ${path}: missing value`;
  if (op === 'remove' && isInside) {
    return `error in remove for path: '${path}': Unable to remove nonexistent key: ${last}: missing value`;
  }
  return `${op} operation does not apply: doc is missing path: "${path}": missing value`;
}

/** Applies a patch. Throws the server's 500. */
const applyOperations = (object: Fields, operations: readonly Fields[]): Fields =>
  applyJsonPatch(object, operations, (operation, reached) =>
    internalError(faultOf({ ...operation }, reached as Fields)),
  ) as Fields;

/** Webhook, its review, and the current object. */
interface ReviewedWebhook {
  readonly hook: Fields;
  readonly review: AdmissionReview;
  readonly object: Fields | undefined;
}

/** Throws the server's error when a patch has changed the object's kind. */
function checkIdentity(patched: Fields, { apiVersion, kind }: Fields): void {
  if (!isFields(patched)) throw internalError('the patch leaves no object');
  if (patched.kind === kind && patched.apiVersion === apiVersion) return;
  const [name, version] = [patched.kind ?? '', patched.apiVersion ?? ''].map((one) => JSON.stringify(one));
  throw internalError(`no kind ${name} is registered for version ${version} in scheme "pkg/runtime/scheme.go:110"`);
}

/** Returns the object after a webhook's patch. Throws the server's 500. */
export function patchedBy(
  { patch = '' }: AdmissionResponse,
  { hook, review, object }: ReviewedWebhook,
): Fields | undefined {
  const operations = patch === '' ? [] : operationsIn(patch);
  if (operations.length === 0) return object;
  if (object === undefined) {
    const name = JSON.stringify(hook.name);
    throw internalError(
      `admission webhook ${name} attempted to modify the object, which is not supported for this operation`,
    );
  }
  const shown = review.request.object as Fields;
  const patched = applyOperations(shown, operations);
  checkIdentity(patched, shown);
  return patched.apiVersion === object.apiVersion ? patched : { ...patched, apiVersion: object.apiVersion };
}
