/** Converts stored objects with a webhook before they are listed or watched. */

import type { ApiObject } from '../apimachinery/object.ts';
import { failure, type StatusError } from '../apimachinery/status.ts';
import type { ApiResponse } from '../requests/message.ts';
import type { CachedConversion } from '../resources/registry.ts';
import type { Call } from './resource-call.ts';
import { resourceVersionTimeout, tooLargeResourceVersion } from './resource-version-timeout.ts';

/** Range of a collection to list. */
export interface ListRange {
  /** True when the list reads from the store, not from the watch cache. */
  readonly isDirect: boolean;
  readonly prefix: string;
  readonly revision: number;
}

/** Number of concurrent conversion requests. */
const maxConcurrent = 16;

/** Converts all objects that are not yet converted. Rejects with the webhook's error for the first object that fails. */
async function convertAll(
  { hasThisVersion, converted, convert }: CachedConversion,
  objects: readonly ApiObject[],
): Promise<void> {
  const missing = objects.filter((object) => !hasThisVersion(object) && converted(object) === undefined);
  for (let first = 0; first < missing.length; first += maxConcurrent) {
    const results = await Promise.allSettled(missing.slice(first, first + maxConcurrent).map(convert));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

/** Returns the 429 of a server whose watch cache could not be filled. */
function initializing({ resource: { apiVersion, info } }: Call, { message }: Error): StatusError {
  const why = `failed to list ${apiVersion}, Kind=${info.kind}: ${message}`;
  return failure('TooManyRequests', `storage is (re)initializing: ${why}`, { retryAfterSeconds: 1 });
}

/**
 * Converts all objects that a list or a watch shows; a list from the watch cache converts all namespaces.
 * Rejects with the server's 429 and 500.
 */
export async function prepareList(call: Call, { isDirect, prefix, revision }: ListRange): Promise<void> {
  const { server, resource } = call;
  const remote = resource.conversionWebhook!;
  const { objects } = server.store.page(resource.collection, { prefix: isDirect ? prefix : '', revision });
  try {
    await convertAll(remote, objects);
    if (!isDirect) remote.markAllConverted();
  } catch (error) {
    throw isDirect || remote.areAllConverted() ? error : initializing(call, error as Error);
  }
}

/** Returns the oldest version of an object that could not be converted. */
function oldestUnconvertedVersion({ server: { store }, resource }: Call): number {
  const { hasThisVersion, converted } = resource.conversionWebhook!;
  const { objects } = store.page(resource.collection, { prefix: '' });
  const missing = objects.filter((object) => !hasThisVersion(object) && converted(object) === undefined);
  return Math.min(...missing.map(({ metadata }) => Number(metadata.resourceVersion)));
}

/**
 * Does as {@link prepareList} for a watch. Returns the stream of a watch cache that is stuck: it waits and ends with
 * an error.
 * Rejects with the server's 429.
 */
export async function prepareWatch(call: Call): Promise<ApiResponse['stream']> {
  const { store, clock } = call.server;
  try {
    await prepareList(call, { isDirect: false, prefix: '', revision: store.revision });
    return undefined;
  } catch (error) {
    if (!call.resource.conversionWebhook!.areAllConverted()) throw error;
  }
  const { status } = tooLargeResourceVersion(String(store.revision), oldestUnconvertedVersion(call) - 1);
  return (sink) =>
    clock.after(resourceVersionTimeout, () => {
      sink.write(call.representation.framing.errorFrame(status));
      sink.end();
    });
}
