/** Merges an applied configuration into the live object. */

import { isFields } from '../apimachinery/object.ts';
import { itemElement, kindOf, type ListType, type MapType, type MergeType, memberTypeOf } from './merge-type.ts';

type Members = Readonly<Record<string, unknown>>;

const membersIn = (value: unknown): Members => (isFields(value) ? value : {});
const isEmptyMap = (value: unknown): boolean => !isFields(value) || Object.keys(value).length === 0;
const isEmptyList = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;

function mergedMembers(map: MapType, live: Members, applied: Members): unknown {
  const result: Record<string, unknown> = { ...live };
  let changes = 0;
  for (const [name, value] of Object.entries(applied)) {
    const made = mergedValue(memberTypeOf(map, name) ?? {}, live[name], value);
    if (made === live[name]) continue;
    changes += 1;
    if (made === undefined) delete result[name];
    else result[name] = made;
  }
  if (changes === 0) return live;
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Items of a list with their elements; a duplicate of the live list cannot be merged with. */
interface Indexed {
  readonly elements: readonly string[];
  readonly items: readonly unknown[];
  readonly found: ReadonlyMap<string, unknown>;
}

function indexItems(list: ListType, value: unknown): Indexed {
  const items = Array.isArray(value) ? value : [];
  const elements = items.map((item) => itemElement(list, item));
  const found = new Map<string, unknown>();
  for (const [index, element] of elements.entries()) found.set(element, found.has(element) ? null : items[index]);
  return { elements, items, found };
}

/** Yields items in the order of the applied list; items only in the live list keep their position. */
function* mergedItems(list: ListType, live: Indexed, applied: Indexed): Generator<unknown> {
  const shared = applied.elements.filter((element) => live.found.has(element));
  const done = new Set<string>();
  let [l, r, s] = [0, 0, 0];
  const mergedAt = (element: string): unknown =>
    mergedValue(list.of(), live.found.get(element), applied.found.get(element));
  const nextOf = (mine: string | undefined, theirs: string | undefined): 'live' | 'passed' | 'applied' => {
    if (mine === undefined || mine === theirs) return 'applied';
    if (!applied.found.has(mine)) return 'live';
    // The applied list has the live item elsewhere, and another shared one before it.
    const isPassed = theirs !== undefined && shared[s] !== undefined && shared[s] !== mine;
    return isPassed ? 'passed' : 'applied';
  };
  while (l < live.elements.length || r < applied.elements.length) {
    const mine = live.elements[l];
    const theirs = applied.elements[r];
    const next = nextOf(mine, theirs);
    if (next === 'live') yield live.items[l];
    if (next !== 'applied') {
      l += 1;
      continue;
    }
    if (mine !== undefined && (mine === theirs || done.has(mine))) l += 1;
    if (theirs === undefined) continue;
    done.add(theirs);
    yield mergedAt(theirs);
    r += 1;
    if (shared[s] === theirs) s += 1;
  }
}

function mergedMap(map: MapType, live: unknown, applied: unknown): unknown {
  if (map.atomic || (isEmptyMap(live) && isEmptyMap(applied))) return applied;
  return mergedMembers(map, membersIn(live), membersIn(applied));
}

function mergedList(list: ListType, live: unknown, applied: unknown): unknown {
  if (list.relation === 'atomic' || (isEmptyList(live) && isEmptyList(applied))) return applied;
  const items = [...mergedItems(list, indexItems(list, live), indexItems(list, applied))].filter(
    (item) => item !== undefined,
  );
  const isSame =
    Array.isArray(live) && live.length === items.length && items.every((item, index) => item === live[index]);
  if (isSame) return live;
  return items.length === 0 ? undefined : items;
}

function mergedValue(type: MergeType, live: unknown, applied: unknown): unknown {
  if (applied === undefined) return live;
  const kind = kindOf(type, applied);
  if (kind === 'map') return mergedMap(type.map!, live, applied);
  return kind === 'list' ? mergedList(type.list!, live, applied) : applied;
}

/**
 * Merges an applied object into a live one: nothing is removed, and applied values win. Unchanged parts are shared
 * with the live object, which may be frozen.
 * Throws a TypedError for list items without a valid key.
 */
export const mergeApplied = (type: MergeType, live: Members, applied: Members): Members =>
  (type.map === undefined ? applied : (mergedMembers(type.map, live, applied) ?? {})) as Members;
