/** Serves creates and updates. */

import { type Draft, draftOf } from '../apimachinery/object.ts';
import { badRequest, invalid, notFound } from '../apimachinery/status.ts';
import { strategyOf } from '../apis/builtin-table.ts';
import { versionNumber } from '../objects/update.ts';
import { storeKeyOf } from '../resources/registry.ts';
import { commitCreate, commitUpdate } from './admit-and-store.ts';
import { decodeBody, rulesOf } from './decode.ts';
import { writeScopeOf } from './managed-fields.ts';
import { checkNamespaceLifecycle } from './namespace-lifecycle.ts';
import { writeOptionsOf } from './parameters.ts';
import { acceptedResponse, type Call, currentOf, objectResponse, type Verb } from './resource-call.ts';
import { checkUid } from './storage-preconditions.ts';

/** POST to a collection. */
export const create: Verb = async (call) => {
  const { resource, query } = call;
  const options = writeOptionsOf(query, 'CreateOptions');
  const loading = rulesOf(call);
  const rules = loading instanceof Promise ? await loading : loading;
  const read = decodeBody(call, rules, options);
  const draft = read instanceof Promise ? await read : read;
  strategyOf(resource.collection).recordRequester?.(draft, call.request.user);
  checkNamespaceLifecycle(call, draft);
  const made = commitCreate(call, writeScopeOf(call, rules, options), draft);
  return objectResponse(call, 201, made instanceof Promise ? await made : made);
};

/** Checks that the object has the name in the path. Throws the server's 400. */
export function checkName({ path }: Call, { metadata: { name = '' } }: Pick<Draft, 'metadata'>): void {
  if (name === '') {
    throw badRequest(`the name of the object (${path.name} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== path.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${path.name})`);
  }
}

/** Checks that an update states a resourceVersion where the kind demands one. Throws the server's 422. */
export function checkResourceVersionGiven(
  { resource: { info }, path }: Call,
  { metadata: { resourceVersion } }: Draft,
): void {
  if (versionNumber(resourceVersion) > 0n || info.unconditionalUpdate) return;
  const error = {
    type: 'Invalid',
    field: 'metadata.resourceVersion',
    value: 0,
    detail: 'must be specified for an update',
  } as const;
  throw invalid({ group: info.group, kind: info.plural }, path.name ?? '', [error]);
}

/** PUT of an object or its status. */
export const update: Verb = async (call) => {
  const { server, resource, query, path } = call;
  const { info, collection } = resource;
  const options = writeOptionsOf(query, 'UpdateOptions');
  const rules = await rulesOf(call);
  const draft = await decodeBody(call, rules, options);
  checkName(call, draft);
  const scope = writeScopeOf(call, rules, options);
  if (server.store.get(collection, storeKeyOf(path.namespace, path.name ?? '')) === undefined) {
    if (!info.createOnUpdate || path.subresource !== undefined) throw notFound(info, path.name ?? '');
    delete draft.metadata.resourceVersion;
    checkNamespaceLifecycle(call, draft);
    return objectResponse(call, 201, await commitCreate(call, scope, draft));
  }
  const attempt = () => {
    const current = currentOf(call);
    checkUid(call, draft, current);
    checkResourceVersionGiven(call, draft);
    return { scope, current, draft: draftOf(draft) };
  };
  return acceptedResponse(call, 200, { rules, ...(await commitUpdate(call, attempt)) });
};
