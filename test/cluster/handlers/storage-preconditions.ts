/** Checks that etcd's storage makes on a stored object. */

import type { ApiObject, Draft } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { conflict } from '../apimachinery/status.ts';
import { storeKeyOf } from '../resources/registry.ts';
import type { Call } from './resource-call.ts';

/** Prefixes in etcd of built-in kinds that are not stored under their plurals. */
const storagePrefixes: Readonly<Record<string, string>> = {
  '/services': 'services/specs',
  '/endpoints': 'services/endpoints',
  '/replicationcontrollers': 'controllers',
  '/nodes': 'minions',
  'networking.k8s.io/ingresses': 'ingress',
};

function storagePrefixOf({ group, plural, custom }: ResourceInfo): string {
  const own = custom !== undefined || group === 'apiextensions.k8s.io' || group === 'apiregistration.k8s.io';
  return storagePrefixes[`${group}/${plural}`] ?? (own ? `${group}/${plural}` : plural);
}

/** Returns the 409 of a failed precondition in the storage. */
function storageConflict({ resource: { info }, path, query }: Call, why: string): Error {
  const root = query.has('dryRun') ? '' : '/registry';
  const key = `${root}/${storagePrefixOf(info)}/${storeKeyOf(path.namespace, path.name ?? '')}`;
  const text = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  return conflict(info, path.name ?? '', text);
}

/** Checks the uid of an update. Throws the storage's 409 when it is another object's. */
export function checkUid(call: Call, { metadata: { uid } }: Draft, current: ApiObject): void {
  if (!uid || uid === current.metadata.uid) return;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`;
  throw storageConflict(call, why);
}

/** Checks the uid and resourceVersion of an update. Throws the storage's 409. */
export function checkPreconditionsOfUpdate(call: Call, draft: Draft, current: ApiObject): void {
  checkUid(call, draft, current);
  const { resourceVersion } = draft.metadata;
  if (!resourceVersion || resourceVersion === current.metadata.resourceVersion) return;
  const found = `ResourceVersion in object meta: ${current.metadata.resourceVersion}`;
  throw storageConflict(call, `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ${found}`);
}
