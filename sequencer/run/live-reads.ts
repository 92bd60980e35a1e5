/** Reads workspaces live after lost races, while the cache does not show the change that won. */

import {
  type Client,
  ignoreNotFound,
  isRace,
  keyOf,
  objectKeyOf,
  type Reconciler,
  Workspace,
} from '../../sdk/index.ts';

/**
 * Wraps a reconciler: once a run has lost a race, a live read takes the place of the cached workspace until the cache changes. So a watch that is late or
 * silent costs one read for each run, and does not keep the runs from succeeding. A workspace that is gone is passed on as such.
 */
export function readingLive(client: Client, walks: Reconciler<Workspace>): Reconciler<Workspace> {
  /** resourceVersions of cached workspaces that may be outdated, by key. */
  const outdated = new Map<string, string | undefined>();
  return async (request) => {
    const { key, object: cached, signal } = request;
    const name = keyOf(key);
    const version = cached?.metadata.resourceVersion;
    const isOutdated = cached !== undefined && outdated.has(name) && outdated.get(name) === version;
    outdated.delete(name);
    const object = isOutdated ? await ignoreNotFound(client.get(Workspace, objectKeyOf(cached), { signal })) : cached;
    if (object !== undefined && object.metadata.resourceVersion !== version) outdated.set(name, version);
    try {
      return await walks({ ...request, object });
    } catch (error) {
      if (cached !== undefined && isRace(error)) outdated.set(name, version);
      throw error;
    }
  };
}
