import { sortedJson } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';

/** How items of a list are told apart: by the value of a key, or by themselves; the same text for the same value. */
export type Identity = (item: unknown) => string;

/** The identity of items that are merged by a key, or of scalars. */
export const identityBy = (mergeKey: string | undefined): Identity =>
  mergeKey === undefined ? sortedJson : (item) => sortedJson((item as Fields | undefined)?.[mergeKey]);

/** Where each item is in an order, by its identity; what is there more than once is where it is first. */
function positionsIn(order: readonly unknown[], identity: Identity): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, item] of order.entries()) {
    const key = identity(item);
    if (!positions.has(key)) positions.set(key, index);
  }
  return positions;
}

/** An item with its places in the merged list and in the orders; -1 where it is not. */
interface Placed {
  readonly item: unknown;
  readonly index: number;
  readonly patch: number;
  readonly server: number;
}

const sortedBy = (order: 'patch' | 'server', items: readonly Placed[]): readonly Placed[] =>
  items.toSorted((a, b) => (a[order] >= 0 && b[order] >= 0 ? a[order] - b[order] : a.index - b.index));

/** The orders that a merged list has to respect. */
export interface Orders {
  /** The patch's, over the items it names. */
  readonly patch: readonly unknown[];
  /** The server's, before the patch. */
  readonly server: readonly unknown[];
}

/** Puts a merged list in order: what the patch names as the patch has it, everything else where it was relative to that; new items come first. */
export function inOrder(merged: readonly unknown[], orders: Orders, identity: Identity): unknown[] {
  const [patch, server] = [positionsIn(orders.patch, identity), positionsIn(orders.server, identity)];
  const placed = merged.map((item, index): Placed => {
    const key = identity(item);
    return { item, index, patch: patch.get(key) ?? -1, server: server.get(key) ?? -1 };
  });
  const isNamed = (one: Placed): boolean => one.patch >= 0;
  const named = sortedBy('patch', placed.filter(isNamed));
  const others = sortedBy(
    'server',
    placed.filter((one) => !isNamed(one)),
  );
  const result: unknown[] = [];
  let next = 0;
  for (const other of others) {
    for (; next < named.length && !(other.server >= 0 && named[next]!.server > other.server); next += 1) {
      result.push(named[next]!.item);
    }
    result.push(other.item);
  }
  return [...result, ...named.slice(next).map(({ item }) => item)];
}
