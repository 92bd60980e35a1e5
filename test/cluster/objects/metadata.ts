import type { ResourceInfo } from '../kinds/resource-info.ts';
import { generatedName, type Machinery, timestampOf, uuidFrom } from '../machinery.ts';
import { type ApiObject, type Draft, equal, type Fields } from './object.ts';

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

/** Takes away what the server sets and what is empty; a fresh metadata of the draft. */
function clean(draft: Draft, names: readonly string[]): void {
  for (const name of names) delete draft.metadata[name];
  for (const name of ['labels', 'annotations', 'finalizers', 'ownerReferences']) {
    const value = draft.metadata[name];
    if (value === null || (typeof value === 'object' && Object.keys(value as object).length === 0))
      delete draft.metadata[name];
  }
}

/** Makes a new object's metadata: name, uid, creationTimestamp, generation. The draft's own metadata is written to. */
export function stampNew(machinery: Machinery, info: ResourceInfo, draft: Draft): void {
  const { random, clock } = machinery;
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

/** Puts back what an update may not change in silence, and what it left out. The draft's own metadata is written to. */
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
  // Cluster-wide objects may come with one.
  if (before.namespace === undefined) delete meta.namespace;
  meta.resourceVersion = before.resourceVersion;
}

/** What a generation counts: everything but metadata, and but status where `/status` exists. */
const contentOf = (info: ResourceInfo, object: ApiObject | Draft): Fields => {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = object;
  const content: Fields = rest;
  if (info.hasStatus) delete content.status;
  return content;
};

/** Whether two states of an object have the same content, as generations count it. */
export const isSameContent = (info: ResourceInfo, a: ApiObject | Draft, b: ApiObject | Draft): boolean =>
  equal(contentOf(info, a), contentOf(info, b));
