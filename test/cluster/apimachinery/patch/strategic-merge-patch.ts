/** Applies strategic merge patches. */

import { sortedJson } from '../field-error.ts';
import { type Fields, isFields } from '../object.ts';
import type { PatchField, PatchShape } from './patch-meta.ts';
import { identityBy, inOrder } from './set-element-order.ts';

/** Invalid strategic merge patch; the server answers with 500 without reason and this message, or 400 for a bad format. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
  /** True for a bad format. */
  readonly isFormat: boolean;

  constructor(message: string, isFormat = false) {
    super(message);
    this.isFormat = isFormat;
  }
}

const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';
const retainKeys = '$retainKeys';
const directive = '$patch';

/** Formats a value as Go's `%v`. */
const goText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isFields(value)) return value === null ? '<nil>' : String(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${name}:${goText(value[name])}`);
  return `map[${members.join(' ')}]`;
};

/** Formats a value as Go's `%s`. */
function goWord(value: unknown): string {
  if (typeof value === 'number') return `%!s(${Number.isInteger(value) ? 'int64' : 'float64'}=${value})`;
  return typeof value === 'boolean' ? `%!s(bool=${value})` : goText(value);
}

const unknownDirective = (patch: Fields): StrategicPatchError =>
  new StrategicPatchError(`unknown patch type: ${goWord(patch[directive])} in map: ${goText(patch)}`);

const isDirective = (name: string): boolean =>
  name === directive || name === retainKeys || name.startsWith(orderPrefix) || name.startsWith(deletePrefix);

/** Returns a patch's value for an absent field: without nulls and most directives. */
function fresh(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !(isFields(item) && directive in item)).map(fresh);
  }
  if (!isFields(value)) return value;
  // Without keys to retain, the server treats this directive as a field.
  const entries = Object.entries(value).filter(
    ([name, member]) => (name === retainKeys || !isDirective(name)) && member !== null,
  );
  return Object.fromEntries(entries.map(([name, member]) => [name, fresh(member)]));
}

/** Sets an absent field to a patch's value; a value with a directive removes it. */
function put(result: Fields, name: string, value: unknown): void {
  if (isFields(value) && directive in value) delete result[name];
  else result[name] = fresh(value);
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new StrategicPatchError(`expected a list in ${what}, but received ${isFields(value) ? 'a map' : typeof value}`);
}

interface ListMerge {
  readonly current: readonly unknown[];
  readonly patch: readonly unknown[];
  readonly field: PatchField;
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (isFields(item) && Object.hasOwn(item, mergeKey)) return item[mergeKey];
  throw new StrategicPatchError(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

/** Applies the `$patch: delete` and `$patch: replace` items; returns the list and the patch's remaining items. */
function withoutSpecial({ current, patch }: ListMerge, mergeKey: string): Omit<ListMerge, 'field'> {
  const deleted = new Set<string>();
  let replaces = false;
  const plain: unknown[] = [];
  for (const item of patch) {
    const type = isFields(item) ? item[directive] : undefined;
    if (type === undefined) plain.push(item);
    else if (type === 'replace') replaces = true;
    else if (type === 'delete') deleted.add(sortedJson(keyOf(item, mergeKey)));
    else if (type === 'merge') throw new StrategicPatchError('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(item as Fields);
  }
  if (replaces) return { current: plain, patch: [] };
  const kept = current.filter((item) => deleted.size === 0 || !deleted.has(sortedJson(keyOf(item, mergeKey))));
  return { current: kept, patch: plain };
}

/** Checks that the items of two lists are of one type. */
function checkAlike({ current, patch }: ListMerge): void {
  const kinds = new Set(
    [...current, ...patch].map((item) => (isFields(item) ? 'object' : item === null ? 'null' : typeof item)),
  );
  if (kinds.size > 1)
    throw new StrategicPatchError(`list element types are not identical: [${goText([current, patch]).slice(1, -1)}]`);
}

function mergedByKey(merge: ListMerge, mergeKey: string): unknown[] {
  checkAlike(merge);
  const { current, patch } = withoutSpecial(merge, mergeKey);
  const merged = [...current];
  const identity = identityBy(mergeKey);
  const places = new Map(current.map((item, index) => [identity(item), index] as const).reverse());
  for (const item of patch) {
    const key = sortedJson(keyOf(item, mergeKey));
    const index = places.get(key);
    if (index === undefined) places.set(key, merged.push(fresh(item)) - 1);
    else merged[index] = mergeFields(merged[index] as Fields, item as Fields, merge.field.shape);
  }
  return inOrder(merged, { patch, server: current }, identity);
}

function mergedScalars({ current, patch }: ListMerge): unknown[] {
  const merged = new Map<string, unknown>();
  for (const item of [...current, ...patch]) {
    const key = sortedJson(item);
    if (!merged.has(key)) merged.set(key, item);
  }
  return inOrder([...merged.values()], { patch, server: current }, identityBy(undefined));
}

function mergeLists(merge: ListMerge): readonly unknown[] {
  const { current, patch, field } = merge;
  if (!field.merge) return patch;
  if (current.length === 0 && patch.length === 0) return current;
  if (field.mergeKey !== undefined) return mergedByKey(merge, field.mergeKey);
  return mergedScalars(merge);
}

function mergeValue(current: unknown, patch: unknown, field: PatchField | undefined): unknown {
  if (Array.isArray(current) && Array.isArray(patch) && field !== undefined) {
    return mergeLists({ current, patch, field });
  }
  if (isFields(current) && isFields(patch)) return mergeFields(current, patch, field?.shape);
  return current === undefined || typeof current !== typeof patch ? fresh(patch) : patch;
}

/** Removes fields that `$retainKeys` does not name. */
function applyRetainKeys(current: Fields, patch: Fields): Fields {
  if (patch[retainKeys] === undefined) return current;
  if (!Array.isArray(patch[retainKeys])) throw new StrategicPatchError('invalid patch format of retainKeys', true);
  const keys = new Set(patch[retainKeys]);
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null && !isDirective(name) && !keys.has(name)) {
      throw new StrategicPatchError('invalid patch format of retainKeys', true);
    }
  }
  return Object.fromEntries(Object.entries(current).filter(([name]) => keys.has(name)));
}

/** Value of a `$setElementOrder`, and the merge key of its list. */
interface ElementOrder {
  readonly order: readonly unknown[];
  readonly mergeKey: string | undefined;
}

function orderOf(value: unknown, mergeKey: string | undefined): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new StrategicPatchError(
      `expected a []interface {}, but received a ${isFields(value) ? 'map[string]interface {}' : typeof value}`,
    );
  }
  for (const [index, item] of mergeKey === undefined ? [] : value.entries()) {
    if (!isFields(item)) throw new StrategicPatchError(`value for key ${index} is not a map`);
    keyOf(item, mergeKey!);
  }
  return value;
}

/** Checks that a patch's items are in the order that it asks for. Throws a {@link StrategicPatchError}. */
function checkOrder(patch: readonly unknown[], { order, mergeKey }: ElementOrder): void {
  const identity = identityBy(mergeKey);
  const items = patch.filter((item) => !(mergeKey !== undefined && isFields(item) && item[directive] === 'delete'));
  let next = 0;
  for (const item of order) {
    if (next < items.length && identity(items[next]) === identity(item)) next += 1;
  }
  if (next === items.length) return;
  const [given, asked] = [goText(patch), goText(order)];
  throw new StrategicPatchError(
    `The order in patch list:\n${given}\n doesn't match ${orderPrefix.slice(0, -1)} list:\n${asked}\n`,
  );
}

/** Merges the lists that have a `$setElementOrder` and sorts them. */
function mergeOrdered(result: Fields, patch: Fields, shape: PatchShape | undefined): ReadonlySet<string> {
  const done = new Set<string>();
  for (const [directiveName, value] of Object.entries(patch)) {
    if (!directiveName.startsWith(orderPrefix)) continue;
    const name = directiveName.slice(orderPrefix.length);
    const field = shape?.field(name) ?? { list: true, merge: false };
    const order = orderOf(value, field.mergeKey);
    const server = result[name] === undefined ? [] : listOf(result[name], name);
    if (Array.isArray(patch[name])) checkOrder(patch[name], { order, mergeKey: field.mergeKey });
    if (result[name] === undefined && patch[name] === undefined) continue;
    const list =
      patch[name] === undefined || patch[name] === null ? server : listOf(mergeValue(server, patch[name], field), name);
    result[name] = inOrder(list, { patch: order, server }, identityBy(field.mergeKey));
    done.add(name);
  }
  return done;
}

/** Removes from a list the items that a directive of the patch names. */
function deleteItems(result: Fields, field: string, items: unknown): void {
  const gone = new Set(Array.isArray(items) ? items.map(sortedJson) : []);
  if (Array.isArray(result[field])) result[field] = result[field].filter((item) => !gone.has(sortedJson(item)));
}

/** Merges one member of a patch into the result. */
function mergeMember(result: Fields, [name, value]: readonly [string, unknown], shape: PatchShape | undefined): void {
  if (name.startsWith(deletePrefix)) deleteItems(result, name.slice(deletePrefix.length), value);
  else if (value === null) delete result[name];
  else if (isDirective(name)) return;
  else if (result[name] === undefined) put(result, name, value);
  else result[name] = mergeValue(result[name], value, shape?.field(name));
}

function mergeFields(current: Fields, patch: Fields, shape: PatchShape | undefined): Fields {
  if (patch[directive] === 'replace') return fresh(patch) as Fields;
  if (patch[directive] === 'delete') return {};
  if (patch[directive] !== undefined && patch[directive] !== 'merge') throw unknownDirective(patch);
  const result: Fields = { ...applyRetainKeys(current, patch) };
  const done = mergeOrdered(result, patch, shape);
  for (const member of Object.entries(patch)) {
    if (!done.has(member[0])) mergeMember(result, member, shape);
  }
  return result;
}

/**
 * Applies a strategic merge patch to an object of the shape. The object is not changed; unchanged parts are shared.
 * Throws {@link StrategicPatchError} for invalid patches.
 */
export const applyStrategicPatch = (object: Fields, patch: Fields, shape: PatchShape): Fields =>
  mergeFields(object, patch, shape);
