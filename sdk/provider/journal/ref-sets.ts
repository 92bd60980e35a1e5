/** Set operations on ids of external objects. */

import { canonicalJson } from '../../api/digest.ts';
import type { Ref } from '../contract/integration.ts';

/** Returns the key of an id: its `id` and `slot` if it has an `id`, else all of it, regardless of the order of members. */
const identityOf = (ref: Ref): string => canonicalJson(ref.id === undefined ? ref : [ref.slot, ref.id]);

/** Reports whether two ids are of one object. */
export const isSameRef = (a: Ref, b: Ref): boolean => identityOf(a) === identityOf(b);

/** Returns the union of both lists, each id once. */
export function unionOf(a: readonly Ref[], b: readonly Ref[]): readonly Ref[] {
  return [...a, ...refsWithout(b, a)];
}

/** Returns the ids that are not among the others. */
export function refsWithout(refs: readonly Ref[], others: readonly Ref[]): readonly Ref[] {
  const known = new Set(others.map(identityOf));
  return refs.filter((ref) => !known.has(identityOf(ref)));
}

/** Returns the ids that are among the others too. */
export const refsAmong = (refs: readonly Ref[], others: readonly Ref[]): readonly Ref[] =>
  refsWithout(refs, refsWithout(refs, others));

/** Reports whether both lists hold the same ids in the same order. */
export const sameRefs = (a: readonly Ref[], b: readonly Ref[]): boolean =>
  a.length === b.length && a.every((ref, index) => isSameRef(ref, b[index]!) && ref.owner === b[index]!.owner);
