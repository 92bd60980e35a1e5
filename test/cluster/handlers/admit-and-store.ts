/** Runs admission on writes, then stores creates and updates. */

import { type ApiObject, type Draft, type DraftMeta, draftOf, type Fields } from '../apimachinery/object.ts';
import { badRequest, failure, modified, unexpected } from '../apimachinery/status.ts';
import { retryAfterConversion } from '../crd/conversion/suspend-for-conversion.ts';
import { prepareNew, withManagedDefaults } from '../objects/create.ts';
import { storeUpdate, updateObject } from '../objects/update.ts';
import { type WriteScope, withDefaults } from '../objects/write-scope.ts';
import { DecodeError } from '../resources/decode-result.ts';
import { type Resource, storeKeyOf } from '../resources/registry.ts';
import type { AdmissionAttributes, AdmissionChain, KindName } from '../server/admission.ts';
import type { Call } from './resource-call.ts';
import { convertForDisplay, insertStored, preparedUpdate } from './store-converted.ts';

/** Update that is still to be admitted. */
export interface PendingUpdate {
  readonly scope: WriteScope;
  /** Object that the store holds. */
  readonly current: ApiObject;
  /** Complete new object; it must not share its metadata with another object. */
  readonly draft: Draft;
}

/** Committed change: the stored object and its former state. */
export interface Change {
  readonly object: ApiObject;
  readonly former: ApiObject;
}

const group = 'admissionregistration.k8s.io';
const admissionCollections = [
  `${group}/mutatingwebhookconfigurations`,
  `${group}/validatingwebhookconfigurations`,
  `${group}/validatingadmissionpolicybindings`,
  '/limitranges',
  '/resourcequotas',
];

/** Returns the admission chain of a request; undefined, as in most cases, when no webhook, policy, limit or quota is registered. */
function admissionChainOf(
  attributes: AdmissionAttributes & { readonly call: Call },
): Promise<AdmissionChain> | undefined {
  const { store, admission } = attributes.call.server;
  const isAnyRegistered = admissionCollections.some((collection) => store.count(collection) > 0);
  return isAnyRegistered ? admission().then((chainFor) => chainFor(attributes)) : undefined;
}

/** Returns the options of the request that an AdmissionReview shows besides `dryRun` and `fieldManager`. */
function requestOptionsIn({ query, request: { method } }: Call): Fields {
  const fieldValidation = query.get('fieldValidation');
  const isPlain = method === 'DELETE' || !fieldValidation;
  return isPlain ? {} : { fieldValidation };
}

const attributesFor = (
  call: Call,
  { dryRun = false, fieldManager = '' }: Pick<WriteScope, 'dryRun' | 'fieldManager'>,
  name: string,
) => ({
  call,
  name,
  options: { dryRun, fieldManager, options: requestOptionsIn(call) },
});

/** Decodes an object that webhooks have changed. Throws the server's 500. */
function decodeMutated(rules: WriteScope['rules'], changed: Fields): { readonly object: Fields } {
  try {
    return rules?.decode(changed) ?? { object: changed };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { message } = error;
    throw failure('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
  }
}

/** Returns the draft as mutating webhooks leave it, decoded anew when they changed it. */
async function mutateDraft(
  chain: AdmissionChain | undefined,
  { rules }: WriteScope,
  { draft, old }: { readonly draft: Draft; readonly old?: Fields },
): Promise<Draft> {
  if (chain === undefined) return draft;
  const defaulted: Fields = withDefaults(rules, draft);
  const changed = await chain.mutate({ object: defaulted, oldObject: old });
  if (changed === undefined || changed === defaulted) return draft;
  const { object } = decodeMutated(rules, changed);
  const { namespace } = object.metadata as DraftMeta;
  if ((namespace ?? draft.metadata.namespace) !== draft.metadata.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return { ...(object as unknown as Draft), metadata: { ...(object.metadata as DraftMeta) } };
}

/** Tracks field managers before webhooks run: webhooks see them, and the fields that they add are unmanaged. */
function withManagedFields(
  scope: WriteScope,
  draft: Draft,
  live?: ApiObject,
): { readonly scope: WriteScope; readonly draft: Draft } {
  const { managedFields, rules } = scope;
  if (managedFields === undefined) return { scope, draft };
  const next = live === undefined ? withManagedDefaults(scope, draft) : withDefaults(rules, draft);
  const entries = managedFields({ live, next, sent: draft.metadata.managedFields });
  const { managedFields: _sent, ...metadata } = draft.metadata;
  const shown = entries === undefined ? metadata : { ...metadata, managedFields: entries };
  return {
    scope: { ...scope, managedFields: () => entries },
    draft: { ...draft, metadata: shown as DraftMeta },
  };
}

/** Prepares a new object for storage (`rest.BeforeCreate`). Adds its warnings even if storing it then fails, as with `AlreadyExists`. */
function prepareCreate(call: Call, scope: WriteScope, draft: Draft): Draft {
  const isVersioned = Number(draft.metadata.resourceVersion) > 0;
  const made = prepareNew(scope, draft);
  call.warnings.push(...(scope.rules?.warnings(made, { former: undefined, subresource: undefined }) ?? []));
  // Only the storage refuses a version, and a dry run does not reach it.
  if (isVersioned && !scope.dryRun) throw unexpected('resourceVersion should not be set on objects to be created');
  return made;
}

/**
 * Creates an object once it is admitted: synchronously without an admission chain, as in most cases.
 * Throws or rejects with the server's error when admission denies it.
 */
export function commitCreate(call: Call, scope: WriteScope, draft: Draft): ApiObject | Promise<ApiObject> {
  const { resource, request, server } = call;
  server.authorizer.checkGrant({ user: request.user, resource, draft, named: call.path.name });
  const loadingChain = admissionChainOf({
    ...attributesFor(call, scope, draft.metadata.name ?? ''),
    operation: 'CREATE',
  });
  const isGenerated = (draft.metadata.name ?? '') === '';
  if (loadingChain === undefined) {
    return insertStored(scope, prepareCreate(call, scope, draft), isGenerated);
  }
  return loadingChain.then(async (chain) => {
    const write = withManagedFields(scope, draft);
    const made = prepareCreate(call, write.scope, await mutateDraft(chain, scope, { draft: write.draft }));
    await chain.validate({ object: made, oldObject: undefined });
    return insertStored(scope, made, isGenerated);
  });
}

/** Runs an attempt, after conversion webhooks have converted the current object. */
const attemptConverted = (
  resource: Resource,
  attempt: () => PendingUpdate | Promise<PendingUpdate>,
): Promise<PendingUpdate> =>
  Promise.resolve(
    retryAfterConversion(() => {
      const made = attempt();
      if (!(made instanceof Promise)) resource.view(made.current);
      return made;
    }),
  );

/** Attempts of a write whose object changes while webhooks are called. */
const maxAttempts = 5;

/**
 * Updates an object once it is admitted. `attempt` makes the draft from the current object; it runs again after a
 * conflict.
 * Throws the server's error when admission denies it.
 */
export async function commitUpdate(call: Call, attempt: () => PendingUpdate | Promise<PendingUpdate>): Promise<Change> {
  const { server, resource, request } = call;
  for (let count = 1; ; count += 1) {
    const made = resource.conversionWebhook === undefined ? attempt() : attemptConverted(resource, attempt);
    const { scope: attemptScope, current, draft } = made instanceof Promise ? await made : made;
    const scope = { ...attemptScope, warnings: call.warnings };
    const shown = resource.view(current);
    server.authorizer.checkGrant({ user: request.user, resource, draft, named: call.path.name, current: shown });
    const { name, namespace } = current.metadata;
    const loadingChain = admissionChainOf({ ...attributesFor(call, scope, name), operation: 'UPDATE' });
    if (loadingChain === undefined && resource.conversionWebhook === undefined) {
      return { object: updateObject(scope, current, draft).object, former: current };
    }
    const chain = await loadingChain;
    const old = shown as unknown as Fields;
    const write =
      loadingChain === undefined
        ? { scope, draft }
        : await retryAfterConversion(() => withManagedFields(scope, draft, shown));
    const mutated = await mutateDraft(chain, scope, { draft: write.draft, old });
    const next = await preparedUpdate(write.scope, current, mutated);
    await chain?.validate({ object: next, oldObject: old });
    const stored = (await resource.conversionWebhook?.toStorageVersion(next)) ?? resource.toStored(next);
    if (server.store.get(resource.collection, storeKeyOf(namespace, name)) === current) {
      const { object } = storeUpdate(scope, current, stored);
      await convertForDisplay(resource, object);
      return { object, former: current };
    }
    if (count === maxAttempts) throw modified(resource.info, name);
  }
}

/** DeleteOptions; an AdmissionReview shows those in `deleteOptionNames`. */
type DeletionOptions = Readonly<{ dryRun: boolean }> & Fields;

const deleteOptionNames = ['gracePeriodSeconds', 'preconditions', 'orphanDependents', 'propagationPolicy'];

/** Runs the admission chain on a deletion; returns undefined without a chain. Rejects with the server's error when admission denies it. */
export function admitDelete(call: Call, current: ApiObject, deletion: DeletionOptions): Promise<void> | undefined {
  const { dryRun } = deletion;
  const options = Object.fromEntries(
    Object.entries(deletion).filter(([name, value]) => deleteOptionNames.includes(name) && value !== undefined),
  );
  const attributes = { ...attributesFor(call, { dryRun }, call.path.name ?? ''), operation: 'DELETE' as const };
  const change = { object: undefined, oldObject: draftOf(call.resource.view(current)) };
  return admissionChainOf({ ...attributes, options: { ...attributes.options, options } })?.then(async (chain) => {
    await chain.mutate(change);
    await chain.validate(change);
  });
}

/** Write to a subresource whose kind is not the resource's. */
export interface SubresourceWrite {
  readonly kind: KindName;
  readonly operation: 'CREATE' | 'UPDATE' | 'CONNECT';
  readonly object: Fields;
  readonly oldObject?: Fields;
  readonly dryRun: boolean;
  readonly fieldManager?: string;
}

/**
 * Runs the admission chain on a write to a subresource; resolves to the object that mutation returns, or returns
 * undefined without a chain.
 * Rejects with the server's error when admission denies it.
 */
export function admitSubresource(call: Call, write: SubresourceWrite): Promise<Fields> | undefined {
  const { kind, operation, object, oldObject } = write;
  const loadingChain = admissionChainOf({
    ...attributesFor(call, write, call.path.name ?? String((object.metadata as DraftMeta | undefined)?.name ?? '')),
    operation,
    kind,
  });
  return loadingChain?.then(async (chain) => {
    const changed = (await chain.mutate({ object, oldObject })) ?? object;
    await chain.validate({ object: changed, oldObject });
    return changed;
  });
}
