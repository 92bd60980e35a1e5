/** Stores objects whose versions a webhook converts. */

import { type ApiObject, type Draft, draftOf } from '../apimachinery/object.ts';
import { modified } from '../apimachinery/status.ts';
import { retryAfterConversion } from '../crd/conversion/suspend-for-conversion.ts';
import { insertNew } from '../objects/create.ts';
import { prepareUpdate, storeUpdate, type Updated } from '../objects/update.ts';
import type { WriteScope } from '../objects/write-scope.ts';
import { type Resource, storeKeyOf } from '../resources/registry.ts';

/**
 * Converts an object for display with a webhook, again if it was converted before; returns undefined, as in most
 * cases, without a webhook.
 * Rejects with the server's 500 when the webhook fails.
 */
export const convertForDisplay = ({ conversionWebhook }: Resource, stored: ApiObject): Promise<unknown> | undefined =>
  conversionWebhook?.hasThisVersion(stored) === false ? conversionWebhook.convert(stored) : undefined;

async function insertConverted(scope: WriteScope, made: Draft, isGenerated: boolean): Promise<ApiObject> {
  const { resource } = scope;
  const object = insertNew(scope, await resource.conversionWebhook!.toStorageVersion(made), isGenerated);
  await convertForDisplay(resource, object);
  return object;
}

/**
 * Stores a new object in the storage version, after its conversion by a webhook where there is one.
 * Throws or rejects with the server's 409 and 500.
 */
export function insertStored(scope: WriteScope, made: Draft, isGenerated: boolean): ApiObject | Promise<ApiObject> {
  const { resource } = scope;
  if (resource.conversionWebhook !== undefined) return insertConverted(scope, made, isGenerated);
  return insertNew(scope, resource.toStored(made), isGenerated);
}

/** Does as `prepareUpdate`, with the conversions that field management needs; synchronous when there are none. */
export function preparedUpdate(scope: WriteScope, current: ApiObject, draft: Draft): Draft | Promise<Draft> {
  if (scope.resource.conversionWebhook === undefined) return prepareUpdate(scope, current, draft);
  const warned = scope.warnings?.length ?? 0;
  return retryAfterConversion(() => {
    scope.warnings?.splice(warned);
    return prepareUpdate(scope, current, draftOf(draft));
  });
}

/**
 * Stores a changed object, which must not share its metadata, after its conversion by webhooks.
 * Throws or rejects with the server's 409, 422 and 500.
 */
export async function updateConverted(scope: WriteScope, current: ApiObject, draft: Draft): Promise<Updated> {
  const { server, resource } = scope;
  const stored = await resource.conversionWebhook!.toStorageVersion(await preparedUpdate(scope, current, draft));
  const { name, namespace } = current.metadata;
  if (server.store.get(resource.collection, storeKeyOf(namespace, name)) !== current) {
    throw modified(resource.info, name);
  }
  const updated = storeUpdate(scope, current, stored);
  await convertForDisplay(resource, updated.object);
  return updated;
}
