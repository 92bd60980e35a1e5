import { contentOf, mediaTypeOf, objectOf } from '../http/body.ts';
import { type ApiObject, type Draft, type DraftMeta, draftOf, type Fields, isFields } from '../objects/object.ts';
import { createObject, updateObject } from '../objects/write.ts';
import { applyJsonPatch, mostOperations, operationsOf } from '../patch/json.ts';
import { applyMergePatch } from '../patch/merge.ts';
import { storeKeyOf } from '../registry.ts';
import { badRequest, conflict, failure, invalid, notFound, unexpected, unsupportedMediaType } from '../status.ts';
import { admitToNamespace } from './admission.ts';
import { type Call, currentOf, objectResponse, type Verb } from './call.ts';
import { type WriteOptions, writeOptionsOf } from './parameters.ts';

const bodyTypes = ['application/json', 'application/yaml'];

const groupKindError = (call: Call, fields: Fields): void => {
  const { info, apiVersion } = call.resource;
  const given = fields.apiVersion;
  if (given !== undefined && given !== '' && given !== apiVersion) {
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${apiVersion})`);
  }
  const kind = fields.kind;
  if (kind !== undefined && kind !== '' && kind !== info.kind) {
    throw badRequest(`${kind} in version "${apiVersion}" cannot be handled as a ${info.kind}`);
  }
};

/** The body as a draft of the call's kind, in the namespace of the path. Throws the server's 400. */
async function draftOfBody(call: Call): Promise<Draft> {
  const fields = await objectOf(call.request, bodyTypes);
  groupKindError(call, fields);
  return placed(call, fields);
}

/** Gives a decoded object its kind and its namespace, each checked. */
function placed({ resource: { info, apiVersion }, path }: Call, fields: Fields): Draft {
  const metadata: DraftMeta = isFields(fields.metadata) ? { ...fields.metadata } : {};
  if (info.namespaced && path.namespace !== undefined) {
    if (metadata.namespace && metadata.namespace !== path.namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    }
    metadata.namespace = path.namespace;
  }
  return { ...fields, apiVersion, kind: info.kind, metadata };
}

/** POST to a collection. */
export const create: Verb = async (call) => {
  const { machinery, resource, query } = call;
  const options = writeOptionsOf(query, 'CreateOptions');
  const draft = await draftOfBody(call);
  if (draft.metadata.resourceVersion) throw unexpected('resourceVersion should not be set on objects to be created');
  admitToNamespace(call, draft);
  return objectResponse(call, 201, createObject(machinery, { resource, dryRun: options.dryRun }, draft));
};

function checkName({ path }: Call, draft: Draft): void {
  const { name = '' } = draft.metadata;
  if (name === '') {
    throw badRequest(`the name of the object (${path.name} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== path.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${path.name})`);
  }
}

/** 409 of a uid that is another object's, as the storage says it. */
function checkUid({ resource: { info }, path }: Call, draft: Draft, current: ApiObject): void {
  const { uid } = draft.metadata;
  if (!uid || uid === current.metadata.uid) return;
  const key = `/registry/${info.custom ? `${info.group}/` : ''}${info.plural}/${storeKeyOf(path.namespace, path.name ?? '')}`;
  throw conflict(
    info,
    path.name ?? '',
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
  );
}

/** PUT to an object or its status. */
export const update: Verb = async (call) => {
  const { machinery, resource, query, path } = call;
  const { info, collection } = resource;
  const { dryRun } = writeOptionsOf(query, 'UpdateOptions');
  const draft = await draftOfBody(call);
  checkName(call, draft);
  const current = machinery.store.get(collection, storeKeyOf(path.namespace, path.name ?? ''));
  if (current === undefined) {
    if (!info.createOnUpdate || path.subresource !== undefined) throw notFound(info, path.name ?? '');
    delete draft.metadata.resourceVersion;
    admitToNamespace(call, draft);
    return objectResponse(call, 201, createObject(machinery, { resource, dryRun }, draft));
  }
  checkUid(call, draft, current);
  if (!info.unconditionalUpdate && !Number(draft.metadata.resourceVersion ?? 0)) {
    const detail = 'must be specified for an update';
    throw invalid({ group: info.group, kind: info.plural }, path.name ?? '', [
      { type: 'Invalid', field: 'metadata.resourceVersion', value: 0, detail },
    ]);
  }
  return objectResponse(call, 200, updateObject(machinery, scopeOf(call, dryRun), current, draft).object);
};

const scopeOf = ({ resource, path }: Call, dryRun: boolean) => ({
  resource,
  dryRun,
  ...(path.subresource !== undefined && { subresource: path.subresource }),
});

/** Makes the patched object of the current one. */
type Patcher = (current: ApiObject) => unknown;

async function patcherOf(call: Call, type: string): Promise<Patcher> {
  const value = await contentOf(call.request, [type]);
  if (type === 'application/json-patch+json') {
    const operations = operationsOf(value);
    if (operations.length > mostOperations) {
      throw failure(
        413,
        'RequestEntityTooLarge',
        `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`,
      );
    }
    return (current) => applyJsonPatch(current, operations);
  }
  return (current) => applyMergePatch(current, value);
}

const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

/** PATCH of an object or its status. */
export const patch: Verb = async (call) => {
  const { machinery, resource, query, request } = call;
  const type = mediaTypeOf(request);
  if (!patchTypes.includes(type)) throw unsupportedMediaType(patchTypes);
  const options: WriteOptions = writeOptionsOf(query, 'PatchOptions');
  const apply = await patcherOf(call, type);
  const current = currentOf(call);
  const patched = apply(draftOf(resource.view(current)) as unknown as ApiObject);
  if (!isFields(patched)) throw badRequest('a patch must leave an object');
  const { object } = updateObject(machinery, scopeOf(call, options.dryRun), current, placed(call, patched));
  return objectResponse(call, 200, object);
};
