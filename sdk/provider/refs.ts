import { canonicalJson } from '../api/digest.ts';
import type { Ref } from './integration.ts';

/** What tells one id from another: its `id` and `slot` where it has an `id`, else all of it, in whichever order a server has put its members. */
const identityOf = (ref: Ref): string => canonicalJson(ref.id === undefined ? ref : [ref.slot, ref.id]);

/** Both lists, each id once. */
export function unionOf(a: readonly Ref[], b: readonly Ref[]): readonly Ref[] {
  return [...a, ...without(b, a)];
}

/** The ids that are not among the others. */
export function without(refs: readonly Ref[], others: readonly Ref[]): readonly Ref[] {
  const known = new Set(others.map(identityOf));
  return refs.filter((ref) => !known.has(identityOf(ref)));
}

/** Whether both lists hold the same ids in the same order, each with the same owner. */
export const sameRefs = (a: readonly Ref[], b: readonly Ref[]): boolean =>
  a.length === b.length &&
  a.every((ref, index) => identityOf(ref) === identityOf(b[index]!) && ref.owner === b[index]!.owner);
