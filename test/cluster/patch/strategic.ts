import { equal, type Fields, isFields } from '../objects/object.ts';
import { identityBy, inOrder } from './element-order.ts';
import type { PatchField, PatchShape } from './shape.ts';

/** A strategic merge patch that makes no sense; the server answers it with a 500 without reason and this message. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
}

const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';
const retainKeys = '$retainKeys';
const directive = '$patch';

/** A value as Go's `%v` writes it. */
const goText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isFields(value)) return value === null ? '<nil>' : String(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${name}:${goText(value[name])}`);
  return `map[${members.join(' ')}]`;
};

const unknownDirective = (patch: Fields): StrategicPatchError =>
  new StrategicPatchError(`unknown patch type: ${goText(patch[directive])} in map: ${goText(patch)}`);

const isDirective = (name: string): boolean =>
  name === directive || name === retainKeys || name.startsWith(orderPrefix) || name.startsWith(deletePrefix);

/** A patch's value where nothing was before: without directives and nulls. */
function fresh(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !(isFields(item) && item[directive] === 'delete')).map(fresh);
  }
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(([name, member]) => !isDirective(name) && member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, fresh(member)]));
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

/** The list after `$patch: delete` and `$patch: replace` items, and the items of the patch that are left to merge. */
function withoutSpecial({ current, patch }: ListMerge, mergeKey: string): Omit<ListMerge, 'field'> {
  let kept = current;
  let replaces = false;
  const plain: unknown[] = [];
  for (const item of patch) {
    const type = isFields(item) ? item[directive] : undefined;
    if (type === undefined) plain.push(item);
    else if (type === 'replace') replaces = true;
    else if (type === 'delete') {
      const key = keyOf(item, mergeKey);
      kept = kept.filter((other) => !equal(keyOf(other, mergeKey), key));
    } else if (type === 'merge') throw new StrategicPatchError('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(item as Fields);
  }
  return replaces ? { current: plain, patch: [] } : { current: kept, patch: plain };
}

function mergedByKey(merge: ListMerge, mergeKey: string): unknown[] {
  const { current, patch } = withoutSpecial(merge, mergeKey);
  const merged = [...current];
  for (const item of patch) {
    const key = keyOf(item, mergeKey);
    const index = merged.findIndex((other) => isFields(other) && equal(other[mergeKey], key));
    if (index === -1) merged.push(fresh(item));
    else merged[index] = mergeFields(merged[index] as Fields, item as Fields, merge.field.shape);
  }
  return inOrder(merged, { patch, server: current }, identityBy(mergeKey));
}

function mergedScalars({ current, patch }: ListMerge): unknown[] {
  const merged: unknown[] = [];
  for (const item of [...current, ...patch]) if (!merged.some((other) => equal(other, item))) merged.push(item);
  return inOrder(merged, { patch, server: current }, identityBy(undefined));
}

function mergeLists(merge: ListMerge): readonly unknown[] {
  const { current, patch, field } = merge;
  if (!field.merge) return patch;
  if (current.length === 0 && patch.length === 0) return current;
  if (field.mergeKey !== undefined) return mergedByKey(merge, field.mergeKey);
  return mergedScalars(merge);
}

function merged(current: unknown, patch: unknown, field: PatchField | undefined): unknown {
  if (Array.isArray(current) && Array.isArray(patch) && field !== undefined) {
    return mergeLists({ current, patch, field });
  }
  if (isFields(current) && isFields(patch)) return mergeFields(current, patch, field?.shape);
  return current === undefined || typeof current !== typeof patch ? fresh(patch) : patch;
}

/** Fields that `$retainKeys` does not name are cleared. */
function retained(current: Fields, patch: Fields): Fields {
  if (patch[retainKeys] === undefined) return current;
  const keys = new Set(listOf(patch[retainKeys], retainKeys));
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null && !isDirective(name) && !keys.has(name)) {
      throw new StrategicPatchError('invalid patch format of retainKeys');
    }
  }
  return Object.fromEntries(Object.entries(current).filter(([name]) => keys.has(name)));
}

/** Merges the lists that have a `$setElementOrder`, and puts them in that order. */
function mergeOrdered(result: Fields, patch: Fields, shape: PatchShape | undefined): ReadonlySet<string> {
  const done = new Set<string>();
  for (const [directiveName, value] of Object.entries(patch)) {
    if (!directiveName.startsWith(orderPrefix)) continue;
    const name = directiveName.slice(orderPrefix.length);
    const order = listOf(value, directiveName);
    const server = result[name] === undefined ? [] : listOf(result[name], name);
    const field = shape?.field(name) ?? { list: true, merge: false };
    if (result[name] === undefined && patch[name] === undefined) continue;
    const list =
      patch[name] === undefined || patch[name] === null ? server : listOf(merged(server, patch[name], field), name);
    result[name] = inOrder(list, { patch: order, server }, identityBy(field.mergeKey));
    done.add(name);
  }
  return done;
}

function mergeFields(current: Fields, patch: Fields, shape: PatchShape | undefined): Fields {
  if (patch[directive] === 'replace') return fresh(patch) as Fields;
  if (patch[directive] === 'delete') return {};
  if (patch[directive] !== undefined && patch[directive] !== 'merge') throw unknownDirective(patch);
  const result: Fields = { ...retained(current, patch) };
  const done = mergeOrdered(result, patch, shape);
  for (const [name, value] of Object.entries(patch)) {
    if (done.has(name)) continue;
    if (name.startsWith(deletePrefix)) {
      const field = name.slice(deletePrefix.length);
      const gone = listOf(value, name);
      if (Array.isArray(result[field])) {
        result[field] = result[field].filter((item) => !gone.some((other) => equal(other, item)));
      }
    } else if (value === null) {
      delete result[name];
    } else if (!isDirective(name)) {
      result[name] = merged(result[name], value, shape?.field(name));
    }
  }
  return result;
}

/**
 * A strategic merge patch applied to an object of the shape. The object stays as it is; unchanged parts are shared.
 * Throws {@link StrategicPatchError} for patches that make no sense.
 */
export const applyStrategicPatch = (object: Fields, patch: Fields, shape: PatchShape): Fields =>
  mergeFields(object, patch, shape);
