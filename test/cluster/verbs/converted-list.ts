import type { ApiResponse } from '../http/message.ts';
import type { ApiObject } from '../objects/object.ts';
import type { Remote } from '../registry.ts';
import { failure, type StatusError } from '../status.ts';
import type { Call } from './call.ts';
import { freshness, tooLarge } from './freshness.ts';

/** What of a collection is to be shown. */
export interface Listed {
  /** Whether this is read from the store, not from what a server keeps of it. */
  readonly isDirect: boolean;
  readonly prefix: string;
  readonly revision: number;
}

/** How many objects a webhook is asked for at the same time. */
const atOnce = 16;

/** Has every object converted that has not been. Rejects with what the webhook said of the first that it failed on. */
async function convertAll({ isLocal, shown, show }: Remote, objects: readonly ApiObject[]): Promise<void> {
  const missing = objects.filter((object) => !isLocal(object) && shown(object) === undefined);
  for (let first = 0; first < missing.length; first += atOnce) {
    const results = await Promise.allSettled(missing.slice(first, first + atOnce).map(show));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

/** 429 of a server that has not been able to fill what it keeps. */
function initializing({ resource: { apiVersion, info } }: Call, { message }: Error): StatusError {
  const why = `failed to list ${apiVersion}, Kind=${info.kind}: ${message}`;
  return failure('TooManyRequests', `storage is (re)initializing: ${why}`, { retryAfterSeconds: 1 });
}

/** Has all objects converted that a list or a watch shows; lists that are not direct need those of other namespaces, too. Rejects with the server's 429 and 500. */
export async function prepareList(call: Call, { isDirect, prefix, revision }: Listed): Promise<void> {
  const { machinery, resource } = call;
  const remote = resource.remote!;
  const { objects } = machinery.store.page(resource.collection, { prefix: isDirect ? prefix : '', revision });
  try {
    await convertAll(remote, objects);
    if (!isDirect) remote.noteListed();
  } catch (error) {
    throw isDirect || remote.hasListed() ? error : initializing(call, error as Error);
  }
}

/** When the first object was written that could not be converted. */
function stuckAt({ machinery: { store }, resource }: Call): number {
  const { isLocal, shown } = resource.remote!;
  const { objects } = store.page(resource.collection, { prefix: '' });
  const missing = objects.filter((object) => !isLocal(object) && shown(object) === undefined);
  return Math.min(...missing.map(({ metadata }) => Number(metadata.resourceVersion)));
}

/** As {@link prepareList} for a watch; answers what takes its place where what the server keeps does not get on: an error, after it has waited. Rejects with the server's 429. */
export async function prepareWatch(call: Call): Promise<ApiResponse['stream']> {
  const { store, clock } = call.machinery;
  try {
    await prepareList(call, { isDirect: false, prefix: '', revision: store.revision });
    return undefined;
  } catch (error) {
    if (!call.resource.remote!.hasListed()) throw error;
  }
  const { status } = tooLarge(String(store.revision), stuckAt(call) - 1);
  return (sink) =>
    clock.after(freshness, () => {
      sink.write(call.representation.framing.errorFrame(status));
      sink.end();
    });
}
