/** Handler of PATCH. */

import type { Content } from '../../encoding/request-body.ts';
import type { KindRules } from '../../server/kind-rules.ts';
import { commitUpdate } from '../admit-and-store.ts';
import { rulesOf } from '../decode.ts';
import { writeScopeOf } from '../managed-fields.ts';
import { writeOptionsOf } from '../parameters.ts';
import { acceptedResponse, type Call, currentOf, type Verb } from '../resource-call.ts';
import { checkName, checkResourceVersionGiven } from '../write.ts';
import { apply } from './apply.ts';
import { applyType } from './apply-patch.ts';
import { decodePatched } from './decode-patched.ts';
import { type Patcher, patchBodyOf, patcherOf, patchTypeOf } from './patch-types.ts';

/** Patch that was read, and its patcher. */
interface ParsedPatch {
  readonly content: Content;
  readonly patched: Patcher;
}

/**
 * Reads a patch and prepares its patcher. A missing object is reported before faults of the patch.
 * Throws the server's 400, 404 and 413.
 */
async function readPatch(call: Call, type: string, { patchShape }: KindRules): Promise<ParsedPatch> {
  try {
    const content = await patchBodyOf(call, type);
    return { content, patched: await patcherOf(type, content.value, patchShape) };
  } catch (error) {
    currentOf(call);
    throw error;
  }
}

/** PATCH of an object or its status. */
export const patch: Verb = async (call) => {
  const { resource, query } = call;
  const type = patchTypeOf(call);
  if (type === applyType) return apply(call);
  const options = writeOptionsOf(query, 'PatchOptions');
  const rules = await rulesOf(call);
  const { content, patched } = await readPatch(call, type, rules);
  const scope = writeScopeOf(call, rules, options);
  const attempt = () => {
    const current = currentOf(call);
    const former = resource.view(current);
    const value = patched(former);
    const draft = decodePatched(call, rules, { former, value, patch: content, type, options });
    if (draft instanceof Promise) return draft;
    checkName(call, draft);
    checkResourceVersionGiven(call, draft);
    return { scope, current, draft };
  };
  return acceptedResponse(call, 200, { rules, ...(await commitUpdate(call, attempt)) });
};
