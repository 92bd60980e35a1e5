/** Three-way merge of JSON values. */

import { isJsonObject, isSameJson } from '../api/json.ts';

/** JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** JSON object. */
export type Members = { readonly [member: string]: Json };

/** Tree of member names without their values, so that it holds no secrets; removed members are derived from it later. */
export type Shape = 1 | { readonly [member: string]: Shape };

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Returns the items of a list by their unique `name`, such as containers, volumes or variables; undefined unless each item has one. */
function byName(list: readonly Json[]): Members | undefined {
  const names = list.map((item) => (isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined));
  if (list.length === 0 || names.includes(undefined) || new Set(names).size < names.length) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, list[index]!]));
}

const asMembers = (value: Json): Members | undefined => {
  if (isJsonObject(value)) return value;
  if (!isList(value) || !value.some(isJsonObject)) return undefined;
  return byName(value) ?? Object.fromEntries(value.entries());
};

/** Returns the shape of a value. */
export function shapeOf(wanted: Json): Shape {
  const members = asMembers(wanted);
  if (members === undefined) return 1;
  const set = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, shapeOf(value)]));
}

/** Returns the union of two shapes. */
export function unionOfShapes(a: Shape, b: Shape): Shape {
  if (a === 1) return b;
  if (b === 1) return a;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, unionOfShapes(a[name] ?? 1, b[name] ?? 1)]));
}

const memberOf = (shape: Shape | undefined, name: string): Shape | undefined =>
  typeof shape === 'object' && Object.hasOwn(shape, name) ? shape[name] : undefined;

const ownMember = (members: Members, name: string): Json | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined;

const isDesired = (wanted: Members, name: string): boolean => ownMember(wanted, name) != null;

function mergeMembers(applied: Shape | undefined, current: Members, wanted: Members): Members {
  const kept = Object.entries(current).filter(
    ([name]) => isDesired(wanted, name) || (memberOf(applied, name) === undefined && wanted[name] !== null),
  );
  const set = Object.entries(wanted).flatMap(([name, value]): [string, Json][] =>
    value == null ? [] : [[name, threeWayMerge(memberOf(applied, name), ownMember(current, name), value)]],
  );
  return Object.fromEntries([...kept, ...set]);
}

const namesOf = (list: readonly Json[]): readonly string[] => list.map((item) => String((item as Members).name));

/** Orders items as in `current`; if the desired items have another order there, they come first in theirs. */
function orderItems(result: Members, current: readonly string[], wanted: readonly string[]): readonly Json[] {
  const names = [...new Set([...current, ...wanted])].filter((name) => Object.hasOwn(result, name));
  const isWanted = new Set(wanted);
  const ours = names.filter((name) => isWanted.has(name));
  const others = names.filter((name) => !isWanted.has(name));
  return (isSameJson(ours, wanted) ? names : [...wanted, ...others]).map((name) => result[name]!);
}

function mergeLists(applied: Shape | undefined, current: readonly Json[], wanted: readonly Json[]): Json {
  const [mine, theirs] = [byName(wanted), byName(current)];
  if (mine !== undefined && theirs !== undefined)
    return orderItems(mergeMembers(applied, theirs, mine), namesOf(current), namesOf(wanted));
  return wanted.map((item, index) => threeWayMerge(memberOf(applied, String(index)), current[index], item));
}

/**
 * Merges `wanted` into `current`: removes members that were `applied` before and are no longer desired; all others are kept.
 * Items of lists that all have a `name` are matched by it; other lists get the desired length. A member that is desired as null is removed. Pure.
 */
export function threeWayMerge(applied: Shape | undefined, current: Json | undefined, wanted: Json): Json {
  if (isJsonObject(wanted)) return mergeMembers(applied, isJsonObject(current) ? current : {}, wanted);
  if (isList(wanted)) return mergeLists(applied, isList(current) ? current : [], wanted);
  return wanted;
}

/** Reports whether a member was applied before and is no longer desired. */
const isRemoved = (applied: Shape | undefined, wanted: Members, name: string): boolean =>
  memberOf(applied, name) !== undefined && !isDesired(wanted, name);

/** Reports whether a member is as desired. Null desires its absence; undefined matches any value. */
function isMemberMet(applied: Shape | undefined, current: Json | undefined, wanted: Json | undefined): boolean {
  if (wanted === undefined) return true;
  if (wanted === null) return current === undefined;
  return current !== undefined && isMet(applied, current, wanted);
}

function areMembersMet(applied: Shape | undefined, current: Members, wanted: Members): boolean {
  for (const name in current) if (isRemoved(applied, wanted, name)) return false;
  for (const name in wanted)
    if (!isMemberMet(memberOf(applied, name), ownMember(current, name), wanted[name])) return false;
  return true;
}

function isListMet(applied: Shape | undefined, current: readonly Json[], wanted: readonly Json[]): boolean {
  const isEach =
    current.length === wanted.length &&
    wanted.every((item, index) => isMet(memberOf(applied, String(index)), current[index]!, item));
  if (isEach && typeof applied !== 'object') return true;
  const [mine, theirs] = [byName(wanted), byName(current)];
  if (mine === undefined || theirs === undefined) return isEach;
  return (
    areMembersMet(applied, theirs, mine) &&
    orderItems(theirs, namesOf(current), namesOf(wanted)).every((item, index) => item === current[index])
  );
}

/** Reports whether {@link threeWayMerge} would leave `current` unchanged. Faster than a merge, which most runs do not need. */
function isMet(applied: Shape | undefined, current: Json, wanted: Json): boolean {
  if (isJsonObject(wanted)) return isJsonObject(current) && areMembersMet(applied, current, wanted);
  if (isList(wanted)) return isList(current) && isListMet(applied, current, wanted);
  return current === wanted;
}

/** Returns the result of {@link threeWayMerge} and the merge patch to it; undefined when there is no difference. Pure. */
export function threeWayPatch(
  applied: Shape | undefined,
  current: Json,
  wanted: Json,
): { readonly next: Json; readonly patch: Json } | undefined {
  if (isMet(applied, current, wanted)) return undefined;
  const next = threeWayMerge(applied, current, wanted);
  const patch = mergePatch(current, next);
  return patch === undefined ? undefined : { next, patch };
}

/** Returns the RFC 7396 merge patch from `current` to `next`; undefined when they are equal. Pure. */
export function mergePatch(current: Json, next: Json): Json | undefined {
  if (current === next) return undefined;
  if (!isJsonObject(current) || !isJsonObject(next)) return isSameJson(current, next) ? undefined : next;
  const names = [...new Set([...Object.keys(current), ...Object.keys(next)])];
  const changes = names.flatMap((name): [string, Json][] => {
    if (!Object.hasOwn(next, name)) return [[name, null]];
    if (!Object.hasOwn(current, name)) return [[name, next[name]!]];
    const change = mergePatch(current[name]!, next[name]!);
    return change === undefined ? [] : [[name, change]];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}
