/** CEL functions of lists. */

import { compareValues, hasItem, isEqual, noOverload } from '../values/compare.ts';
import { countWork } from '../values/uncosted-work.ts';
import { CelError, Duration, List, Uint, type Value } from '../values/values.ts';
import { type Implementation, operators } from './operators.ts';
import { textPositions } from './string-functions.ts';

/** Returns items, counting the work of reading them. */
function counted(items: readonly Value[]): readonly Value[] {
  countWork(items.length);
  return items;
}

const ofList =
  (run: (items: readonly Value[], ...args: Value[]) => Value): Implementation =>
  (list, ...args) =>
    list instanceof List ? run(counted(list.items), ...args) : noOverload;

function isSorted(items: readonly Value[]): Value {
  for (const [index, item] of items.entries()) {
    const order = index === 0 ? 0 : compareValues(items[index - 1]!, item);
    if (typeof order !== 'number') return order;
    if (order > 0) return false;
  }
  return true;
}

const extreme =
  (name: string, sign: number) =>
  (items: readonly Value[]): Value => {
    if (items.length === 0) return new CelError(`${name} called on empty list`);
    return items.reduce((best, item) => {
      if (best instanceof CelError) return best;
      const order = compareValues(item, best);
      if (typeof order !== 'number') return order;
      return order * sign > 0 ? item : best;
    });
  };

const zeros: Readonly<Record<string, Value>> = {
  list_int_sum_int: 0n,
  list_uint_sum_uint: new Uint(0n),
  list_double_sum_double: 0,
  list_duration_sum_duration: new Duration(0n),
};

/** Returns the sum of a list; for an empty one the zero value of its overload. */
export const sumBy =
  (overload: string | undefined): Implementation =>
  (list) => {
    if (!(list instanceof List)) return noOverload;
    const [first = zeros[overload ?? ''] ?? 0n, ...rest] = list.items;
    return rest.reduce<Value>((sum, item) => (sum instanceof CelError ? sum : operators['_+_']!(sum, item)), first);
  };

const ofSets =
  (run: (a: readonly Value[], b: readonly Value[]) => boolean): Implementation =>
  (a, b) =>
    a instanceof List && b instanceof List ? run(a.items, b.items) : noOverload;

const includesAll = (all: readonly Value[], some: readonly Value[]): boolean =>
  some.every((item) => hasItem(all, item));

/** Functions of lists. */
export const listFunctions: Readonly<Record<string, Implementation>> = {
  isSorted: ofList(isSorted),
  max: ofList(extreme('max', 1)),
  min: ofList(extreme('min', -1)),
  sum: sumBy(undefined),
  indexOf: (holder, ...args) =>
    holder instanceof List
      ? BigInt(counted(holder.items).findIndex((item) => isEqual(item, args[0]!)))
      : textPositions.indexOf!(holder!, ...args),
  lastIndexOf: (holder, ...args) =>
    holder instanceof List
      ? BigInt(counted(holder.items).findLastIndex((item) => isEqual(item, args[0]!)))
      : textPositions.lastIndexOf!(holder!, ...args),
  'sets.contains': ofSets(includesAll),
  'sets.equivalent': ofSets((a, b) => includesAll(a, b) && includesAll(b, a)),
  'sets.intersects': ofSets((a, b) => a.some((item) => hasItem(b, item))),
};
