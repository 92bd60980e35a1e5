import { type Content, contentOf, mediaTypeOf, SyntaxFault } from '../http/body.ts';
import type { KindRules } from '../kind-rules.ts';
import type { ApiObject, Fields } from '../objects/object.ts';
import { applyJsonPatch, mostOperations, operationsOf } from '../patch/json.ts';
import { applyMergePatch } from '../patch/merge.ts';
import type { PatchShape } from '../patch/shape.ts';
import { badRequest, failure, unexpected, unsupportedMediaType } from '../status.ts';
import { applyType } from './applied.ts';
import { apply } from './apply.ts';
import { acceptedResponse, type Call, currentOf, type Verb } from './call.ts';
import { commitUpdate } from './commit.ts';
import { decodePatched, rulesOf } from './decode.ts';
import { managedFieldsOf } from './managing.ts';
import { writeOptionsOf } from './parameters.ts';
import { checkName } from './write.ts';

/** Makes the patched object of the current one; throws when the patch does not fit. */
type Patcher = (current: ApiObject) => unknown;

const customTypes = ['application/json-patch+json', 'application/merge-patch+json', applyType];
const strategicType = 'application/strategic-merge-patch+json';

/** Refuses types of patches that the kind does not take. Throws the server's 415. */
function typeOf({ request, resource: { info } }: Call): string {
  const type = mediaTypeOf(request);
  if (info.custom !== undefined) {
    if (!customTypes.includes(type)) throw unsupportedMediaType(customTypes);
    return type;
  }
  if (customTypes.includes(type) || type === strategicType) return type;
  throw failure('UnsupportedMediaType', '415: Unsupported Media Type', {});
}

function jsonPatcher(patch: unknown): Patcher {
  const operations = operationsOf(patch);
  if (operations.length > mostOperations) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`;
    throw failure('RequestEntityTooLarge', message);
  }
  return (current) => applyJsonPatch(current, operations);
}

async function strategicPatcher(patch: unknown, shape: PatchShape | undefined): Promise<Patcher> {
  const { applyStrategicPatch, StrategicPatchError } = await import('../patch/strategic.ts');
  return (current) => {
    try {
      return applyStrategicPatch(current as unknown as Fields, patch as Fields, shape!);
    } catch (error) {
      throw error instanceof StrategicPatchError ? unexpected(error.message) : error;
    }
  };
}

function patcherOf(type: string, { value }: Content, { patchShape }: KindRules): Patcher | Promise<Patcher> {
  if (type === 'application/json-patch+json') return jsonPatcher(value);
  if (type === strategicType) return strategicPatcher(value, patchShape);
  return (current) => applyMergePatch(current, value);
}

async function patchOf({ request }: Call, type: string): Promise<Content> {
  try {
    return await contentOf(request, [type]);
  } catch (error) {
    if (error instanceof SyntaxFault) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

/** PATCH of an object or its status. */
export const patch: Verb = async (call) => {
  const { machinery, resource, query, path } = call;
  const type = typeOf(call);
  if (type === applyType) return apply(call);
  const options = writeOptionsOf(query, 'PatchOptions');
  const content = await patchOf(call, type);
  const rules = await rulesOf(call);
  const patched = await patcherOf(type, content, rules);
  const scope = {
    machinery,
    resource,
    rules,
    dryRun: options.dryRun,
    fieldManager: options.fieldManager,
    managedFields: managedFieldsOf(call, rules, options.fieldManager),
    ...(path.subresource !== undefined && { subresource: path.subresource }),
  };
  const attempt = () => {
    const current = currentOf(call);
    const former = resource.view(current);
    const value = patched(former);
    const draft = decodePatched(call, rules, { former, value, patch: content, options });
    if (draft instanceof Promise) return draft;
    checkName(call, draft);
    return { scope, current, draft };
  };
  return acceptedResponse(call, 200, { rules, object: await commitUpdate(call, attempt) });
};
