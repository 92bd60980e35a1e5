/** Field managers of the scale subresource. */

import { difference, type FieldSet, hasPath, isBare, setOfPaths } from './field-set.ts';
import { identityOf, type Manager, type Managers } from './managers.ts';

/** API version of Scale. */
export const scaleVersion = 'autoscaling/v1';

const replicas = ['f:spec', 'f:replicas'];
const replicasSet = setOfPaths([replicas]);

/** Returns the path of the replicas field at a version: null without a Scale, undefined for an unknown version. */
export type ReplicasPath = (apiVersion: string) => readonly string[] | null | undefined;

/** Returns the managers of the replicas field, as those of the Scale. */
export function scaleManagersOf(managers: Managers, pathAt: ReplicasPath): Managers {
  const result = new Map<string, Manager>();
  for (const manager of managers.values()) {
    const path = pathAt(manager.apiVersion);
    if (!path || !hasPath(manager.fields, path)) continue;
    const shown: Manager = { ...manager, apiVersion: scaleVersion, fields: replicasSet };
    result.set(identityOf(shown), shown);
  }
  return result;
}

/** Object behind a Scale. */
export interface ScaledObject {
  readonly managers: Managers;
  readonly apiVersion: string;
  readonly pathAt: ReplicasPath;
}

function withoutCount(manager: Manager, count: FieldSet): Manager | undefined {
  const fields = difference(manager.fields, count);
  return isBare(fields) ? undefined : { ...manager, fields };
}

/** Returns the object's managers after a write to its Scale: former owners of replicas lose the field, new ones get it, without a time. */
export function managersAfterScale({ managers, apiVersion, pathAt }: ScaledObject, ofScale: Managers): Managers {
  const result = new Map<string, Manager>();
  const left = new Map(ofScale);
  for (const [key, manager] of managers) {
    const path = pathAt(manager.apiVersion);
    if (path === undefined) continue;
    const isOwner = path !== null && hasPath(manager.fields, path);
    const kept = isOwner && !left.delete(key) ? withoutCount(manager, setOfPaths([path])) : manager;
    if (kept !== undefined) result.set(key, kept);
  }
  const path = pathAt(apiVersion);
  for (const [key, { time: _time, ...manager }] of left) {
    if (path && hasPath(manager.fields, replicas)) {
      result.set(key, { ...manager, apiVersion, fields: setOfPaths([path]) });
    }
  }
  return result;
}
