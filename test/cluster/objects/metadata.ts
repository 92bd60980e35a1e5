/** Sets the server's fields of metadata. */

import { generatedName, timestampOf, uuidFrom } from '../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, equal, type Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import type { ServerContext } from '../server/server-context.ts';

/** Fields of metadata that only the server sets. */
const serverOwned = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
];

/** Removes the given fields and empty collections from the draft's metadata, in place. */
function clean(draft: Draft, names: readonly string[]): void {
  for (const name of names) delete draft.metadata[name];
  for (const name of ['labels', 'annotations', 'finalizers', 'ownerReferences']) {
    const value = draft.metadata[name];
    if (value === null || (typeof value === 'object' && Object.keys(value as object).length === 0))
      delete draft.metadata[name];
  }
}

/** Sets a new object's name, uid, creationTimestamp and generation. Writes to the draft's metadata. */
export function stampNew(server: ServerContext, info: ResourceInfo, draft: Draft): void {
  const { random, clock } = server;
  clean(draft, serverOwned);
  const { metadata } = draft;
  if ((metadata.name ?? '') === '' && metadata.generateName)
    metadata.name = generatedName(metadata.generateName, random);
  if (!info.namespaced) delete metadata.namespace;
  metadata.uid = uuidFrom(random);
  metadata.creationTimestamp = timestampOf(clock.now());
  if (info.hasGeneration) metadata.generation = 1;
  else if (metadata.generation === null || metadata.generation === 0) delete metadata.generation;
}

/** Restores fields that an update cannot change or left out. Writes to the draft's metadata. */
export function stampUpdated(current: ApiObject, draft: Draft): void {
  clean(draft, ['selfLink', 'managedFields']);
  const meta = draft.metadata as Fields;
  const before = current.metadata as unknown as Fields;
  for (const name of ['creationTimestamp', 'generation']) {
    if (before[name] === undefined) delete meta[name];
    else meta[name] = before[name];
  }
  for (const name of ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'name', 'namespace']) {
    if ((meta[name] ?? '') === '' && before[name] !== undefined) meta[name] = before[name];
    if (meta[name] === null) delete meta[name];
  }
  // Cluster-scoped objects may be sent with a namespace.
  if (before.namespace === undefined) delete meta.namespace;
  meta.resourceVersion = before.resourceVersion;
}

/** Returns the part of an object that its generation counts: all but metadata, and status where `/status` exists. */
const contentOf = (info: ResourceInfo, object: ApiObject | Draft): Fields => {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = object;
  const content: Fields = rest;
  if (info.hasStatus) delete content.status;
  return content;
};

/** Reports whether two states of an object have equal content, as its generation counts it. */
export const isSameContent = (info: ResourceInfo, a: ApiObject | Draft, b: ApiObject | Draft): boolean =>
  equal(contentOf(info, a), contentOf(info, b));
