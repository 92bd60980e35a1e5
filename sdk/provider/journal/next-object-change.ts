/** Decides the next change of external objects towards their desired state. */

import { nodeUtil } from '../../node-builtins.ts';
import { type ExternalObject, lastOfEachSlot, type WantedObject, wantedHash } from './external-objects.ts';

/** Next single change towards the desired state. */
export type ObjectChange<Wanted> =
  | { readonly op: 'create'; readonly target: WantedObject<Wanted> }
  | { readonly op: 'update'; readonly target: WantedObject<Wanted>; readonly object: ExternalObject }
  | { readonly op: 'delete'; readonly object: ExternalObject };

/** Assigns slots to the desired objects. @throws TypeError when two have one name, or several have none */
export function wantedObjects<Wanted>(
  wanted: readonly Wanted[],
  nameOf: ((wanted: Wanted) => string) | undefined,
): readonly WantedObject<Wanted>[] {
  if (nameOf === undefined && wanted.length > 1)
    throw new TypeError(`${wanted.length} objects are wanted, but the resource has no nameOf to tell them apart`);
  const all = wanted.map((one) => ({ slot: nameOf?.(one) ?? '', wanted: one, hash: wantedHash(one) }));
  const slots = new Set<string>();
  for (const { slot } of all) {
    if (slots.has(slot)) throw new TypeError(`two objects named "${slot}" are wanted`);
    slots.add(slot);
  }
  return all;
}

/**
 * Decides the next change; pure. Unwanted objects are deleted first, the last created first, and so are duplicates; then differing ones are updated,
 * then missing ones created, in the order of the desired ones. Objects that cannot be updated are deleted and recreated.
 */
export function nextChange<Wanted>(
  wanted: readonly WantedObject<Wanted>[],
  objects: readonly ExternalObject[],
  canUpdate: boolean,
): ObjectChange<Wanted> | undefined {
  const [targets, latest] = [new Map(wanted.map((one) => [one.slot, one])), lastOfEachSlot(objects)];
  const target = ({ slot }: ExternalObject) => targets.get(slot);
  const mayChange = ({ state }: ExternalObject) => state === undefined || (canUpdate && state === 'secretless');
  const outdated = (object: ExternalObject) => mayChange(object) && object.hash !== target(object)?.hash;
  const leaving = objects.findLast(
    (object) =>
      object.state === 'going' ||
      target(object) === undefined ||
      latest.get(object.slot) !== object ||
      (!canUpdate && outdated(object)),
  );
  if (leaving !== undefined) return { op: 'delete', object: leaving };
  const changed = objects.find(outdated);
  if (changed !== undefined) return { op: 'update', object: changed, target: target(changed)! };
  const missing = wanted.find(({ slot }) => !latest.has(slot));
  return missing === undefined ? undefined : { op: 'create', target: missing };
}

/** Reports whether the observed members equal the desired ones. */
export const isUpToDate = (wanted: unknown, state: object): boolean =>
  Object.entries(state).every(([member, value]) =>
    nodeUtil().isDeepStrictEqual(value, (wanted as Record<string, unknown>)[member]),
  );
