/** Orders merged lists as `$setElementOrder` asks. */

import { sortedJson } from '../field-error.ts';
import type { Fields } from '../object.ts';

/** Returns a text that identifies a list item: by the value of its merge key, or by its own value. */
export type Identity = (item: unknown) => string;

/** Returns the identity of items with a merge key, or of scalars. */
export const identityBy = (mergeKey: string | undefined): Identity =>
  mergeKey === undefined ? sortedJson : (item) => sortedJson((item as Fields | undefined)?.[mergeKey]);

/** Returns the position of each item by identity; duplicates keep their first position. */
function positionsIn(order: readonly unknown[], identity: Identity): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, item] of order.entries()) {
    const key = identity(item);
    if (!positions.has(key)) positions.set(key, index);
  }
  return positions;
}

/** Item with its positions in the merged list and in the orders; -1 where it is absent. */
interface PositionedItem {
  readonly item: unknown;
  readonly index: number;
  readonly patch: number;
  readonly server: number;
}

const sortedBy = (order: 'patch' | 'server', items: readonly PositionedItem[]): readonly PositionedItem[] =>
  items.toSorted((a, b) => (a[order] >= 0 && b[order] >= 0 ? a[order] - b[order] : a.index - b.index));

/** Orders that a merged list respects. */
export interface Orders {
  /** Order in the patch, of the items it names. */
  readonly patch: readonly unknown[];
  /** Order on the server before the patch. */
  readonly server: readonly unknown[];
}

/** Sorts a merged list: items in the patch's order, others relative to them as before; new items come first. */
export function inOrder(merged: readonly unknown[], orders: Orders, identity: Identity): unknown[] {
  const [patch, server] = [positionsIn(orders.patch, identity), positionsIn(orders.server, identity)];
  const placed = merged.map((item, index): PositionedItem => {
    const key = identity(item);
    return { item, index, patch: patch.get(key) ?? -1, server: server.get(key) ?? -1 };
  });
  const isNamed = (one: PositionedItem): boolean => one.patch >= 0;
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
