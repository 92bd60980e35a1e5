/** External objects of a condition, as the journal records them. */

import { canonicalJson, digest } from '../../api/digest.ts';
import { isSameJson } from '../../api/json.ts';
import type { GuardEntry } from '../../api/workspace.ts';
import type { Ref } from '../contract/integration.ts';
import type { Mirror } from './read-mirror.ts';
import { refsWithout } from './ref-sets.ts';

/** External object, as the journal's `refs` record it. */
export interface ExternalObject<Id extends object = object> {
  readonly slot: string;
  readonly id: Id;
  /** Hash of the desired state at its creation or last update. */
  readonly hash: string;
  /**
   * Creation in progress (`making`), deletion in progress (`going`), or without its secret, which could not be stored or is still to be asked for
   * (`secretless`). Or not observed yet: named by a person (`named`), found by a search (`found`), or reported missing once (`doubtful`). The last
   * two are observed once lists are up to date.
   */
  readonly state?: 'making' | 'going' | 'named' | 'found' | 'doubtful' | 'secretless';
  /** Earlier uid of the workspace whose mark it still has, after a restore from a backup. */
  readonly owner?: string;
}

/** Desired object with its slot. */
export interface WantedObject<Wanted> {
  readonly slot: string;
  readonly wanted: Wanted;
  readonly hash: string;
}

const isExternalObject = (ref: Ref): boolean =>
  typeof ref.slot === 'string' && typeof ref.id === 'object' && ref.id !== null && typeof ref.hash === 'string';

const isSame = (a: Pick<ExternalObject, 'slot' | 'id'>, b: Pick<ExternalObject, 'slot' | 'id'>): boolean =>
  a.slot === b.slot && isSameJson(a.id, b.id);

/** Returns the key of an object: equal for the same slot and id. */
const identityOf = ({ slot, id }: Pick<ExternalObject, 'slot' | 'id'>): string => canonicalJson([slot, id]);

/**
 * Returns the objects among the ids of a condition; the last record of an id wins. A slot has several only when an object was created twice: the last
 * one recorded is kept.
 */
export function externalObjectsOf(refs: readonly Ref[]): readonly ExternalObject[] {
  const objects = refs.filter(isExternalObject) as readonly object[] as readonly ExternalObject[];
  return [...new Map(objects.map((object) => [identityOf(object), object])).values()];
}

/** Reports whether an object is observed, once lists are up to date, before it counts. */
export const needsObservation = ({ state }: Pick<ExternalObject, 'state'>): boolean =>
  state === 'found' || state === 'doubtful';

/** Returns the last object of each slot. */
export const lastOfEachSlot = (objects: readonly ExternalObject[]): ReadonlyMap<string, ExternalObject> =>
  new Map(objects.map((object) => [object.slot, object]));

/** Reports whether a later object of the same slot is known. */
export function isDuplicate(object: ExternalObject, objects: readonly ExternalObject[]): boolean {
  const last = objects.findLast(({ slot }) => slot === object.slot);
  return last !== undefined && !isSame(last, object);
}

/** Parses `{"slot": name, "id": id}`, by which a person names one of several objects; undefined for any other id. */
export function slotAndIdOf(ref: Ref): { readonly slot: string; readonly id: Ref } | undefined {
  const { slot, id, ...rest } = ref;
  if (typeof slot !== 'string' || id === undefined || Object.keys(rest).length > 0) return undefined;
  return { slot, id: typeof id === 'object' && id !== null ? (id as Ref) : { id } };
}

/** Desired objects of a resource, and its properties. */
export interface ResourceTraits {
  readonly wanted: readonly Pick<WantedObject<unknown>, 'slot' | 'hash'>[];
  /** True for a resource with one object at most. */
  readonly isSingleton: boolean;
  readonly canUpdate: boolean;
  /** True if names are unique at the third party, so that two ids of one slot denote the same object. */
  readonly hasUniqueNames: boolean;
}

/**
 * Assigns slots to ids that a person has named for a lost attempt: the given slot, or that of the only missing object, with a hash that causes an
 * update; otherwise an unwanted slot of its own, so that it is deleted before a replacement is created. No id is dropped.
 */
export function assignSlots(refs: readonly Ref[], traits: ResourceTraits): readonly Ref[] {
  const { wanted, isSingleton, canUpdate } = traits;
  const hashes = new Map(wanted.map(({ slot, hash }) => [slot, hash]));
  const hashFor = (slot: string): string => (canUpdate ? '' : (hashes.get(slot) ?? ''));
  const said = refs.filter((ref) => !isExternalObject(ref));
  const reported = said
    .flatMap((ref) => slotAndIdOf(ref) ?? [])
    .map((place) => ({ ...place, hash: hashFor(place.slot) }));
  const known = externalObjectsOf([...asRefs(reported), ...refs]);
  const bySlot = lastOfEachSlot(known);
  const objects = traits.hasUniqueNames ? known.filter((object) => bySlot.get(object.slot) === object) : known;
  const ids = new Set(known.map(({ id }) => canonicalJson(id)));
  const bare = said.filter((ref) => slotAndIdOf(ref) === undefined && !ids.has(canonicalJson(ref)));
  const slots = isSingleton ? [''] : wanted.map(({ slot }) => slot);
  const open = slots.filter((slot) => !bySlot.has(slot));
  return [
    ...asRefs(objects),
    ...bare.map((id, index): Ref => {
      const slot = open.length === 1 && index === 0 ? open[0]! : canonicalJson(id);
      return { slot, id, hash: hashFor(slot) };
    }),
  ];
}

/**
 * Returns the ids that an earlier workspace of the same name has left in the mirror, each with the uid in its mark; without known ones. None once a
 * journal entry has taken them over: what that one does not hold is gone.
 */
export function restoredRefs(
  mirror: Mirror,
  known: readonly Ref[],
  entry?: Pick<GuardEntry, 'formerly'>,
): readonly Ref[] {
  if (mirror.kind !== 'predecessor' || entry?.formerly?.includes(mirror.record.uid)) return [];
  const { refs, uid } = mirror.record;
  return refsWithout(refs, known).map((ref) =>
    isExternalObject(ref) && ref.owner === undefined ? { ...ref, owner: uid } : ref,
  );
}

export const asRefs = (objects: readonly ExternalObject[]): readonly Ref[] =>
  objects as readonly object[] as readonly Ref[];

/** Hash of a desired state: equal for equal data. */
export const wantedHash = (value: unknown): string => digest(canonicalJson(value));

/** Returns the objects with this one replaced or appended. */
export const withObject = (objects: readonly ExternalObject[], object: ExternalObject): readonly ExternalObject[] =>
  objects.some((one) => isSame(one, object))
    ? objects.map((one) => (isSame(one, object) ? object : one))
    : [...objects, object];

/** Returns the objects without this one. */
export const withoutObject = (
  objects: readonly ExternalObject[],
  object: Pick<ExternalObject, 'slot' | 'id'>,
): readonly ExternalObject[] => objects.filter((one) => !isSame(one, object));
