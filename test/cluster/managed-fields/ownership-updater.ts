/** Ownership of fields after updates and applies, as structured-merge-diff's updater computes it. */

import { type Comparison, compare } from './compare.ts';
import { type Conflict, ConflictError } from './conflicts.ts';
import { difference, differenceBelow, type FieldSet, intersection, isBare, leaf, union } from './field-set.ts';
import { fieldSetOf } from './field-set-of-object.ts';
import type { Manager, Managers } from './managers.ts';
import { mergeApplied } from './merge.ts';
import { type MergeType, OtherVersionError } from './merge-type.ts';
import { reconcileSchemaChange } from './reconcile-schema-change.ts';
import { removeFields, withNamedFields } from './remove-fields.ts';

/** Fields of an object. */
export type Members = Readonly<Record<string, unknown>>;

/** Kind at one version: its merge type, and the conversion to it. */
export interface TypedVersion {
  readonly type: MergeType;
  readonly convert: (object: Members) => Members;
}

/** Write, with its manager and the versions of its kind. */
export interface Write {
  /** Key of the writer among the managers. */
  readonly key: string;
  readonly writer: Omit<Manager, 'fields' | 'time'>;
  /** Merge type at the request's version. */
  readonly type: MergeType;
  /** Returns the kind at another version; undefined when it is not served. */
  readonly at: (apiVersion: string) => TypedVersion | undefined;
  /** Returns the fields that this write cannot change, at a version. */
  readonly ignored: (apiVersion: string) => FieldSet;
}

/** Object before and after a write. */
interface Change {
  readonly before: Members;
  readonly after: Members;
}

function versionOf({ writer, type, at }: Write, apiVersion: string): TypedVersion | undefined {
  if (apiVersion !== writer.apiVersion) return at(apiVersion);
  const isHere = (object: Members): boolean => object.apiVersion === undefined || object.apiVersion === apiVersion;
  return { type, convert: (object) => (isHere(object) ? object : (at(apiVersion)?.convert(object) ?? object)) };
}

const without = ({ removed: gone, modified, added }: Comparison, ignored: FieldSet): Comparison => ({
  removed: differenceBelow(gone, ignored),
  modified: differenceBelow(modified, ignored),
  added: differenceBelow(added, ignored),
});

/** Converts an object to another version. Throws an {@link OtherVersionError} when it does not match there. */
function convertMembers({ convert }: TypedVersion, object: Members, failure = ''): Members {
  try {
    return convert(object);
  } catch (error) {
    throw error instanceof OtherVersionError ? new OtherVersionError(failure + error.message) : error;
  }
}

/** Compares a change at the version of each manager, cached; undefined for versions no longer served. */
function comparer(write: Write, { before, after }: Change): (apiVersion: string) => Comparison | undefined {
  const known = new Map<string, Comparison | undefined>();
  return (apiVersion) => {
    if (known.has(apiVersion)) return known.get(apiVersion);
    const version = versionOf(write, apiVersion);
    const old = version && convertMembers(version, before, 'failed to convert old object: ');
    const found = old && compare(version.type, old, convertMembers(version, after, 'failed to convert new object: '));
    const made = found && without(found, write.ignored(apiVersion));
    known.set(apiVersion, made);
    return made;
  };
}

/**
 * Updates managers to the current schema and drops those of versions no longer served. Throws an {@link
 * OtherVersionError} when the live object does not convert.
 */
function reconciledManagers(write: Write, managers: Managers, live: Members): Map<string, Manager> {
  const result = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    const version = versionOf(write, manager.apiVersion);
    if (version === undefined) continue;
    convertMembers(version, live);
    const fields = reconcileSchemaChange(version.type, manager.fields);
    result.set(key, fields === manager.fields ? manager : { ...manager, fields });
  }
  return result;
}

/** Change of an object, from which the fields of the other managers follow. */
interface OwnershipChange {
  readonly key: string;
  readonly force: boolean;
  readonly differences: (apiVersion: string) => Comparison | undefined;
}

/** Removes changed fields from the other managers. Throws a {@link ConflictError} when any of them are set without force. */
function resolveConflicts(managers: Map<string, Manager>, { key, force, differences }: OwnershipChange): void {
  const conflicts: Conflict[] = [];
  for (const [other, manager] of managers) {
    if (other === key) continue;
    const change = differences(manager.apiVersion);
    if (change === undefined) {
      managers.delete(other);
      continue;
    }
    const taken = union(intersection(manager.fields, change.modified), intersection(manager.fields, change.added));
    if (!isBare(taken)) conflicts.push({ manager, fields: taken });
    const fields = difference(difference(manager.fields, taken), change.removed);
    if (isBare(fields)) managers.delete(other);
    else if (fields !== manager.fields) managers.set(other, { ...manager, fields });
  }
  if (!force && conflicts.length > 0) throw new ConflictError(conflicts);
}

/** Returns the managers after an update: the writer owns what it changed, others keep the rest. */
export function afterUpdate(write: Write, managers: Managers, change: Change): Managers {
  const { key, writer, ignored } = write;
  const differences = comparer(write, change);
  const result = reconciledManagers(write, managers, change.before);
  resolveConflicts(result, { key, force: true, differences });
  const { modified, added } = differences(writer.apiVersion)!;
  const fields = differenceBelow(union(modified, added), ignored(writer.apiVersion));
  result.delete(key);
  if (!isBare(fields)) result.set(key, { ...writer, fields });
  return result;
}

/** Apply to a live object. */
export interface AppliedObject {
  readonly live: Members;
  readonly applied: Members;
  readonly force: boolean;
}

/** Result of an apply. */
export interface Applied {
  readonly object: Members;
  readonly managers: Managers;
}

const fieldsOf = ({ type, convert }: TypedVersion, object: Members): FieldSet =>
  withNamedFields(type, fieldSetOf(type, convert(object)));

/** Restores pruned fields that any manager owns, at each manager's version (`addBackOwnedItems`). */
function addBackOwned(write: Write, managers: Managers, { before, after }: Change): Members {
  const sets = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managers.values()) {
    sets.set(apiVersion, union(sets.get(apiVersion) ?? leaf, fields));
  }
  let result = after;
  for (const [apiVersion, owned] of sets) {
    const version = versionOf(write, apiVersion);
    if (version === undefined) continue;
    const kept = union(fieldsOf(version, result), withNamedFields(version.type, owned));
    result = removeFields(version.type, version.convert(before), difference(fieldsOf(version, before), kept));
  }
  return result;
}

/** Merged object, the managers, and the last entry of the applier, whose fields may have to be removed. */
interface Pruning {
  readonly managers: Managers;
  readonly last: Manager | undefined;
  readonly merged: Members;
}

/** Removes fields that the applier owned before and no manager owns now from the merged object (`prune`). */
function pruneAbandoned(write: Write, { managers, last, merged }: Pruning): Members {
  const version = last && versionOf(write, last.apiVersion);
  if (last === undefined || version === undefined || isBare(last.fields)) return merged;
  const { type } = version;
  const owned = withNamedFields(type, last.fields);
  const base = convertMembers(
    version,
    merged,
    'failed to prune fields: failed to convert merged object to last applied version: ',
  );
  const left = addBackOwned(write, managers, { before: base, after: removeFields(type, base, owned) });
  // Only the applier's own fields are removed.
  const gone = intersection(difference(fieldsOf(version, base), fieldsOf(version, left)), owned);
  if (isBare(gone)) return merged;
  const result = removeFields(type, base, gone);
  return versionOf(write, write.writer.apiVersion)!.convert(result);
}

/**
 * Applies an object: merges it into the live one, removes fields that its manager no longer applies and no other
 * manager owns, and makes the manager own its fields.
 * Returns the live object itself when nothing changes. Throws a ConflictError, and a TypedError for list items without
 * a valid key.
 */
export function afterApply(write: Write, managers: Managers, { live, applied, force }: AppliedObject): Applied {
  const { key, writer, type, ignored } = write;
  const result = reconciledManagers(write, managers, live);
  const last = result.get(key);
  const merged = mergeApplied(type, live, applied);
  const fields = differenceBelow(fieldSetOf(type, applied), ignored(writer.apiVersion));
  const { time } = last ?? {};
  result.set(key, { ...writer, ...(time !== undefined && { time }), fields });
  const object = pruneAbandoned(write, { managers: result, last, merged });
  resolveConflicts(result, { key, force, differences: comparer(write, { before: live, after: object }) });
  for (const [one, manager] of result) if (isBare(manager.fields)) result.delete(one);
  return { object, managers: result };
}
