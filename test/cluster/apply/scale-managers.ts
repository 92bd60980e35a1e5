import { difference, type FieldSet, hasPath, isBare, setOfPaths } from './field-set.ts';
import { identityOf, type Manager, type Managers } from './managers.ts';

/** The version that Scales have. */
export const scaleVersion = 'autoscaling/v1';

const replicas = ['f:spec', 'f:replicas'];
const replicasSet = setOfPaths([replicas]);

/** Where a kind keeps what its Scale shows as `spec.replicas`, by version: elements, or null when that version has no Scale; undefined: no such version. */
export type ReplicasPath = (apiVersion: string) => readonly string[] | null | undefined;

/** Who owns the count, as the managers of the Scale. */
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

/** The object whose Scale was written. */
export interface ScaledObject {
  readonly managers: Managers;
  readonly apiVersion: string;
  readonly pathAt: ReplicasPath;
}

function withoutCount(manager: Manager, count: FieldSet): Manager | undefined {
  const fields = difference(manager.fields, count);
  return isBare(fields) ? undefined : { ...manager, fields };
}

/** The managers of an object after its Scale was written: who no longer owns the count there loses it here, and who came to own it is one of them, at no time. */
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
