/** Handler of server-side apply. */

import { type ApiObject, type Draft, draftOf } from '../../apimachinery/object.ts';
import { conflict, notFound } from '../../apimachinery/status.ts';
import { retryAfterConversion } from '../../crd/conversion/suspend-for-conversion.ts';
import { entriesOf } from '../../managed-fields/managers.ts';
import type { WriteScope } from '../../objects/write-scope.ts';
import type { ApiResponse } from '../../requests/message.ts';
import { storeKeyOf } from '../../resources/registry.ts';
import { commitCreate, commitUpdate, type PendingUpdate } from '../admit-and-store.ts';
import { decodeApplied, rulesOf } from '../decode.ts';
import { trackedOf, writeScopeOf } from '../managed-fields.ts';
import { checkNamespaceLifecycle } from '../namespace-lifecycle.ts';
import { applyOptionsOf } from '../parameters.ts';
import { acceptedResponse, type Call, objectResponse } from '../resource-call.ts';
import { checkName, checkResourceVersionGiven } from '../write.ts';
import { applyPatch, checkRepeated, goTypeError, managersOf, readApplyBody } from './apply-patch.ts';

function createApplied(call: Call, scope: WriteScope, draft: Draft): ApiObject | Promise<ApiObject> {
  const { info } = call.resource;
  const { uid } = draft.metadata;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(info, call.path.name ?? '', why);
  }
  checkName(call, draft);
  delete draft.metadata.resourceVersion;
  checkNamespaceLifecycle(call, draft);
  return commitCreate(call, scope, draft);
}

/** Result of an apply to the live object; `current` is undefined when the object is created. */
type ApplyUpdate = Omit<PendingUpdate, 'current'> & { readonly current: ApiObject | undefined };

/** PATCH with a server-side apply, of an object or its status; creates the object when there is none. */
export async function apply(call: Call): Promise<ApiResponse> {
  const { server, resource, query, path } = call;
  const options = applyOptionsOf(query);
  const rules = await rulesOf(call);
  const sent = await readApplyBody(call);
  const intend = (): ApplyUpdate => {
    const current = server.store.get(resource.collection, storeKeyOf(path.namespace, path.name ?? ''));
    if (current === undefined && path.subresource !== undefined) throw notFound(resource.info, path.name ?? '');
    const live = current && resource.view(current);
    const { object, managers } = applyPatch(trackedOf(call, rules, options.fieldManager), {
      apiVersion: resource.apiVersion,
      kind: resource.info.kind,
      applied: sent.applied,
      live,
      managers: managersOf(live),
      force: options.force,
    });
    const refuse = goTypeError(sent.applied);
    const draft = object === live ? draftOf(live) : decodeApplied(call, rules, { value: object, refuse });
    const entries = entriesOf(managers);
    return { current, draft, scope: { ...writeScopeOf(call, rules, options), managedFields: () => entries } };
  };
  const first = await retryAfterConversion(intend);
  checkRepeated(call, sent, options);
  if (first.current === undefined) {
    return objectResponse(call, 201, await createApplied(call, first.scope, first.draft));
  }
  let next: ApplyUpdate | undefined = first;
  const attempt = (): PendingUpdate => {
    const { current, draft, scope } = next ?? intend();
    next = undefined;
    if (current === undefined) throw notFound(resource.info, path.name ?? '');
    checkName(call, draft);
    checkResourceVersionGiven(call, draft);
    return { current, draft, scope };
  };
  return acceptedResponse(call, 200, { rules, ...(await commitUpdate(call, attempt)) });
}
