import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, digest } from '../api/digest.ts';
import type { Ref } from './integration.ts';
import type { Mirror } from './mirror-record.ts';
import { without } from './refs.ts';

/** One thing outside, as the journal's `refs` hold it. */
export interface Thing<Id extends Ref = Ref> {
  readonly slot: string;
  readonly id: Id;
  /** Of what was wanted when it was made or changed last. */
  readonly hash: string;
  /**
   * It is not there yet (`making`), not gone yet (`going`), a person says that it is there and nobody has looked (`named`), or its secret could not be
   * kept (`secretless`).
   */
  readonly state?: 'making' | 'going' | 'named' | 'secretless';
  /** The earlier uid of the workspace whose mark it still bears, after a restore from a backup. */
  readonly owner?: string;
}

/** Something wanted, by its slot. */
export interface Slotted<Wanted> {
  readonly slot: string;
  readonly wanted: Wanted;
  readonly hash: string;
}

/** The next single change that brings things nearer to what is wanted. */
export type Change<Wanted> =
  | { readonly op: 'create'; readonly target: Slotted<Wanted> }
  | { readonly op: 'update'; readonly target: Slotted<Wanted>; readonly thing: Thing }
  | { readonly op: 'delete'; readonly thing: Thing };

const isThing = (ref: Ref): boolean =>
  typeof ref.slot === 'string' && typeof ref.id === 'object' && ref.id !== null && typeof ref.hash === 'string';

const isSame = (a: Pick<Thing, 'slot' | 'id'>, b: Pick<Thing, 'slot' | 'id'>): boolean =>
  a.slot === b.slot && isDeepStrictEqual(a.id, b.id);

/** Tells one thing from another: equal for things of one slot with one id. */
const identityOf = ({ slot, id }: Pick<Thing, 'slot' | 'id'>): string => canonicalJson([slot, id]);

/**
 * The things among the ids of a condition; the last word about an id counts. A slot has more than one only when something was made twice: the last
 * one learned of is kept, see {@link nextChange}.
 */
export function thingsOf(refs: readonly Ref[]): readonly Thing[] {
  const things = refs.filter(isThing) as readonly object[] as readonly Thing[];
  return [...new Map(things.map((thing) => [identityOf(thing), thing])).values()];
}

/** The last thing of each slot. */
const lastOf = (things: readonly Thing[]): ReadonlyMap<string, Thing> =>
  new Map(things.map((thing) => [thing.slot, thing]));

/** Whether another thing of the same slot was learned of later. */
export const isDuplicate = (thing: Thing, things: readonly Thing[]): boolean =>
  things.findLast(({ slot }) => slot === thing.slot) !== thing;

/** The slot and id of `{"slot": name, "id": id}`, as a person names one of several things; undefined for any other id. */
export function placeOf(ref: Ref): { readonly slot: string; readonly id: Ref } | undefined {
  const { slot, id, ...rest } = ref;
  if (typeof slot !== 'string' || id === undefined || Object.keys(rest).length > 0) return undefined;
  return { slot, id: typeof id === 'object' && id !== null ? (id as Ref) : { id } };
}

/** What a resource says about its things. */
export interface Places {
  readonly wanted: readonly Pick<Slotted<unknown>, 'slot' | 'hash'>[];
  /** There is never more than one thing. */
  readonly single: boolean;
  readonly canUpdate: boolean;
  /** The third party never has two of one name, so that two ids of one slot are two words for one thing. */
  readonly named: boolean;
}

/**
 * Gives a slot to ids that a person has named for a lost attempt: the one they say, or that of the only thing still missing, and as if something else
 * were wanted of it; otherwise one of its own that nobody wants, so that it goes before anything is made in its stead. Nothing that is known of is
 * passed over.
 */
export function placed(refs: readonly Ref[], places: Places): readonly Ref[] {
  const { wanted, single, canUpdate } = places;
  const hashes = new Map(wanted.map(({ slot, hash }) => [slot, hash]));
  const hashFor = (slot: string): string => (canUpdate ? '' : (hashes.get(slot) ?? ''));
  const said = refs.filter((ref) => !isThing(ref));
  const told = said.flatMap((ref) => placeOf(ref) ?? []).map((place) => ({ ...place, hash: hashFor(place.slot) }));
  const known = thingsOf([...asRefs(told), ...refs]);
  const bySlot = lastOf(known);
  const things = places.named ? known.filter((thing) => bySlot.get(thing.slot) === thing) : known;
  const ids = new Set(known.map(({ id }) => canonicalJson(id)));
  const bare = said.filter((ref) => placeOf(ref) === undefined && !ids.has(canonicalJson(ref)));
  const slots = single ? [''] : wanted.map(({ slot }) => slot);
  const open = slots.filter((slot) => !bySlot.has(slot));
  return [
    ...asRefs(things),
    ...bare.map((id, index): Ref => {
      const slot = open.length === 1 && index === 0 ? open[0]! : canonicalJson(id);
      return { slot, id, hash: hashFor(slot) };
    }),
  ];
}

/** Ids that an earlier workspace of the same name has left in the mirror, each thing with the uid whose mark it bears; without those that are known. */
export function restoredRefs(mirror: Mirror, known: readonly Ref[]): readonly Ref[] {
  if (mirror.kind !== 'restored') return [];
  const { refs, uid } = mirror.record;
  return without(refs, known).map((ref) => (isThing(ref) && ref.owner === undefined ? { ...ref, owner: uid } : ref));
}

export const asRefs = (things: readonly Thing[]): readonly Ref[] => things as readonly object[] as readonly Ref[];

/** Of what is wanted: equal for equal data. */
export const hashOf = (value: unknown): string => digest(canonicalJson(value));

/** What is wanted, by slot. @throws TypeError when two have one name, or several have none */
export function slotted<Wanted>(
  wanted: readonly Wanted[],
  nameOf: ((wanted: Wanted) => string) | undefined,
): readonly Slotted<Wanted>[] {
  if (nameOf === undefined && wanted.length > 1)
    throw new TypeError(`${wanted.length} things are wanted, but the resource has no nameOf to tell them apart`);
  const all = wanted.map((one) => ({ slot: nameOf?.(one) ?? '', wanted: one, hash: hashOf(one) }));
  const slots = new Set<string>();
  for (const { slot } of all) {
    if (slots.has(slot)) throw new TypeError(`two things named "${slot}" are wanted`);
    slots.add(slot);
  }
  return all;
}

/**
 * Decides, purely, the next change: what nobody wants any more goes first, the last made first, and so does what was made twice; then what differs,
 * then what is missing, in the order wanted. Things that cannot be updated go and are made anew.
 */
export function nextChange<Wanted>(
  wanted: readonly Slotted<Wanted>[],
  things: readonly Thing[],
  canUpdate: boolean,
): Change<Wanted> | undefined {
  const [targets, latest] = [new Map(wanted.map((one) => [one.slot, one])), lastOf(things)];
  const target = ({ slot }: Thing) => targets.get(slot);
  const outdated = (thing: Thing) => thing.state === undefined && thing.hash !== target(thing)?.hash;
  const leaving = things.findLast(
    (thing) =>
      thing.state === 'going' ||
      target(thing) === undefined ||
      latest.get(thing.slot) !== thing ||
      (!canUpdate && outdated(thing)),
  );
  if (leaving !== undefined) return { op: 'delete', thing: leaving };
  const changed = things.find(outdated);
  if (changed !== undefined) return { op: 'update', thing: changed, target: target(changed)! };
  const missing = wanted.find(({ slot }) => !latest.has(slot));
  return missing === undefined ? undefined : { op: 'create', target: missing };
}

/** Whether what was read is as wanted, as far as it can be read. */
export const isAsWanted = (wanted: unknown, state: object): boolean =>
  Object.entries(state).every(([member, value]) =>
    isDeepStrictEqual(value, (wanted as Record<string, unknown>)[member]),
  );

/** The things with what is now known of this one, in its place or at the end. */
export const withThing = (things: readonly Thing[], thing: Thing): readonly Thing[] =>
  things.some((one) => isSame(one, thing))
    ? things.map((one) => (isSame(one, thing) ? thing : one))
    : [...things, thing];

/** The things without this one. */
export const withoutThing = (things: readonly Thing[], thing: Pick<Thing, 'slot' | 'id'>): readonly Thing[] =>
  things.filter((one) => !isSame(one, thing));
