import { equal, type Fields } from '../objects/object.ts';

/** How items of a list are told apart: by the value of a key, or by themselves. */
export type Identity = (item: unknown) => unknown;

/** The identity of items that are merged by a key, or of scalars. */
export const identityBy = (mergeKey: string | undefined): Identity =>
  mergeKey === undefined ? (item) => item : (item) => (item as Fields | undefined)?.[mergeKey];

/** Where an item is in an order; -1 when it is not there. */
const positionIn = (order: readonly unknown[], item: unknown, identity: Identity): number =>
  order.findIndex((other) => equal(identity(other), identity(item)));

const sortedBy = (items: readonly unknown[], order: readonly unknown[], identity: Identity): unknown[] =>
  items
    .map((item, index) => ({ item, index, position: positionIn(order, item, identity) }))
    .sort((a, b) => (a.position >= 0 && b.position >= 0 ? a.position - b.position : a.index - b.index))
    .map(({ item }) => item);

/** The orders that a merged list has to respect. */
export interface Orders {
  /** The patch's, over the items it names. */
  readonly patch: readonly unknown[];
  /** The server's, before the patch. */
  readonly server: readonly unknown[];
}

/** Puts a merged list in order: what the patch names as the patch has it, everything else where it was relative to that; new items come first. */
export function inOrder(merged: readonly unknown[], orders: Orders, identity: Identity): unknown[] {
  const isNamed = (item: unknown): boolean => positionIn(orders.patch, item, identity) >= 0;
  const named = sortedBy(merged.filter(isNamed), orders.patch, identity);
  const others = sortedBy(
    merged.filter((item) => !isNamed(item)),
    orders.server,
    identity,
  );
  const result: unknown[] = [];
  while (others.length > 0 && named.length > 0) {
    const other = positionIn(orders.server, others[0], identity);
    const next = positionIn(orders.server, named[0], identity);
    const otherFirst = other >= 0 && next >= 0 && other < next;
    result.push((otherFirst ? others : named).shift());
  }
  return [...result, ...others, ...named];
}
