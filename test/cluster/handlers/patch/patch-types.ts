/** Media types of patches, and the patchers that apply them. */

import { goObject, unmarshalError } from '../../apimachinery/go/go-json.ts';
import { type ApiObject, type Fields, isFields } from '../../apimachinery/object.ts';
import { applyJsonPatch, maxOperations, operationsOf } from '../../apimachinery/patch/json-patch.ts';
import { withLiteralTests } from '../../apimachinery/patch/literal-test-values.ts';
import { applyMergePatch } from '../../apimachinery/patch/merge-patch.ts';
import type { PatchShape } from '../../apimachinery/patch/patch-meta.ts';
import { badRequest, failure, unexpected, unsupportedMediaType } from '../../apimachinery/status.ts';
import { type Content, contentOf, SyntaxFault, textOf, writtenMediaTypeOf } from '../../encoding/request-body.ts';
import type { Call } from '../resource-call.ts';
import { applyType } from './apply-patch.ts';

/** Returns the patched object; throws when the patch does not fit. */
export type Patcher = (current: ApiObject | Fields) => unknown;

const jsonType = 'application/json-patch+json';
const mergeType = 'application/merge-patch+json';
const strategicType = 'application/strategic-merge-patch+json';
const customTypes = [jsonType, mergeType, applyType];

/** Reports whether a media type is that of JSON patches. */
export const isJsonPatch = (type: string): boolean => type === jsonType;

/** Reports whether a media type is that of strategic merge patches. */
export const isStrategicPatch = (type: string): boolean => type === strategicType;

/** Returns the media type of a patch. Throws the server's 415 when the kind does not support it. */
export function patchTypeOf({ request, resource: { info } }: Call): string {
  const type = request.headers['content-type'] ? writtenMediaTypeOf(request) : '';
  if (info.custom !== undefined) {
    if (!customTypes.includes(type)) throw unsupportedMediaType(customTypes);
    return type;
  }
  if (customTypes.includes(type) || type === strategicType) return type;
  throw failure('UnsupportedMediaType', '415: Unsupported Media Type', {});
}

function jsonPatcher(patch: unknown): Patcher {
  const operations = operationsOf(patch);
  if (operations.length > maxOperations) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`;
    throw failure('RequestEntityTooLarge', message);
  }
  return (current) => applyJsonPatch(current, operations);
}

async function strategicPatcher(patch: unknown, shape: PatchShape | undefined): Promise<Patcher> {
  if (patch !== null && !isFields(patch)) throw badRequest(unmarshalError(patch, goObject));
  const { applyStrategicPatch, StrategicPatchError } = await import(
    '../../apimachinery/patch/strategic-merge-patch.ts'
  );
  return (current) => {
    try {
      return applyStrategicPatch(current as Fields, patch ?? {}, shape!);
    } catch (error) {
      if (!(error instanceof StrategicPatchError)) throw error;
      throw error.isFormat ? badRequest(error.message) : unexpected(error.message);
    }
  };
}

function mergePatcher(patch: unknown): Patcher {
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (!isFields(patch)) throw badRequest(`error decoding patch: ${unmarshalError(patch, goObject)}`);
  return (current) => applyMergePatch(current, patch);
}

/** Reads the body of a patch of the type that `patchTypeOf` returned. Throws the server's 400 and 413. */
export async function patchBodyOf({ request }: Call, type: string): Promise<Content> {
  try {
    const content = await contentOf(request, [type]);
    return isJsonPatch(type) ? { ...content, value: withLiteralTests(textOf(request), content.value) } : content;
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw badRequest(type === strategicType ? error.why : `error decoding patch: ${error.why}`);
  }
}

/** Returns the patcher of a patch; a strategic one needs the kind's shape. Throws the server's 400 and 413. */
export function patcherOf(type: string, patch: unknown, shape: PatchShape | undefined): Patcher | Promise<Patcher> {
  if (type === jsonType) return jsonPatcher(patch);
  return type === mergeType ? mergePatcher(patch) : strategicPatcher(patch, shape);
}
