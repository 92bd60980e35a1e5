import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, digest } from '../api/digest.ts';
import type { Ref } from './integration.ts';

/** One thing outside, as the journal's `refs` hold it. */
export interface Thing<Id extends Ref = Ref> {
  readonly slot: string;
  readonly id: Id;
  /** Of what was wanted when it was made or changed last. */
  readonly hash: string;
  /** It is not there yet (`making`) or not gone yet (`going`). */
  readonly state?: 'making' | 'going';
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

/** The things among the ids of a condition; the last word about a slot counts. */
export function thingsOf(refs: readonly Ref[]): readonly Thing[] {
  const bySlot = new Map(refs.filter(isThing).map((ref) => [ref.slot as string, ref as unknown as Thing]));
  return [...bySlot.values()];
}

/** What a resource says about its things. */
export interface Places {
  readonly wanted: readonly Pick<Slotted<unknown>, 'slot' | 'hash'>[];
  /** There is never more than one thing. */
  readonly single: boolean;
  readonly canUpdate: boolean;
}

/**
 * Gives a slot to ids that a person has named for a lost attempt: that of the only thing still missing, and as if something else were wanted of it;
 * otherwise one of its own that nobody wants, so that it goes before anything is made in its stead. Nothing that is known of is passed over.
 */
export function placed(refs: readonly Ref[], { wanted, single, canUpdate }: Places): readonly Ref[] {
  const things = thingsOf(refs);
  const isKnown = (id: Ref): boolean => things.some((thing) => isDeepStrictEqual(thing.id, id));
  const named = refs.filter((ref) => !isThing(ref) && !isKnown(ref));
  const slots = single ? [''] : wanted.map(({ slot }) => slot);
  const open = slots.filter((slot) => !things.some((thing) => thing.slot === slot));
  return [
    ...refs.filter(isThing),
    ...named.map((id, index): Ref => {
      const slot = open.length === 1 && index === 0 ? open[0]! : canonicalJson(id);
      const hash = canUpdate ? '' : (wanted.find((one) => one.slot === slot)?.hash ?? '');
      return { slot, id, hash };
    }),
  ];
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
  const twice = all.find(({ slot }, index) => all.findIndex((other) => other.slot === slot) !== index);
  if (twice !== undefined) throw new TypeError(`two things named "${twice.slot}" are wanted`);
  return all;
}

/**
 * Decides, purely, the next change: what nobody wants any more goes first, the last made first; then what differs, then what is missing, in the order
 * wanted. Things that cannot be updated go and are made anew.
 */
export function nextChange<Wanted>(
  wanted: readonly Slotted<Wanted>[],
  things: readonly Thing[],
  canUpdate: boolean,
): Change<Wanted> | undefined {
  const target = (thing: Thing) => wanted.find(({ slot }) => slot === thing.slot);
  const outdated = (thing: Thing) => thing.state !== 'making' && thing.hash !== target(thing)?.hash;
  const leaving = things.findLast(
    (thing) => thing.state === 'going' || target(thing) === undefined || (!canUpdate && outdated(thing)),
  );
  if (leaving !== undefined) return { op: 'delete', thing: leaving };
  const changed = things.find(outdated);
  if (changed !== undefined) return { op: 'update', thing: changed, target: target(changed)! };
  const missing = wanted.find(({ slot }) => !things.some((thing) => thing.slot === slot));
  return missing === undefined ? undefined : { op: 'create', target: missing };
}

/** Whether what was read is as wanted, as far as it can be read. */
export const isAsWanted = (wanted: unknown, state: object): boolean =>
  Object.entries(state).every(([member, value]) =>
    isDeepStrictEqual(value, (wanted as Record<string, unknown>)[member]),
  );

/** The things with this one in its slot's place, or at the end. */
export const withThing = (things: readonly Thing[], thing: Thing): readonly Thing[] =>
  things.some(({ slot }) => slot === thing.slot)
    ? things.map((one) => (one.slot === thing.slot ? thing : one))
    : [...things, thing];

export const withoutThing = (things: readonly Thing[], { slot }: Pick<Thing, 'slot'>): readonly Thing[] =>
  things.filter((thing) => thing.slot !== slot);
