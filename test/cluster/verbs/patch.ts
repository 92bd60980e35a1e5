import { applyType } from './applied.ts';
import { apply } from './apply.ts';
import { acceptedResponse, currentOf, type Verb } from './call.ts';
import { commitUpdate } from './commit.ts';
import { decodePatched, rulesOf } from './decode.ts';
import { managedFieldsOf } from './managing.ts';
import { writeOptionsOf } from './parameters.ts';
import { patchBodyOf, patcherOf, patchTypeOf } from './patching.ts';
import { checkName } from './write.ts';

/** PATCH of an object or its status. */
export const patch: Verb = async (call) => {
  const { machinery, resource, query, path } = call;
  const type = patchTypeOf(call);
  if (type === applyType) return apply(call);
  const options = writeOptionsOf(query, 'PatchOptions');
  const content = await patchBodyOf(call, type);
  const rules = await rulesOf(call);
  const patched = await patcherOf(type, content.value, rules.patchShape);
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
