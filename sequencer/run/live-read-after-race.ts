/** Reads a workspace from the API server, not from the cache, after a run that failed with a conflict. */

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
 * Wraps a reconciler: after a run that failed with a conflict, the next runs get the workspace from the API server until the cached object changes. A
 * delayed watch then costs one read per run instead of failing each run. A deleted workspace is passed as undefined.
 */
export function withLiveReadAfterRace(client: Client, walks: Reconciler<Workspace>): Reconciler<Workspace> {
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
