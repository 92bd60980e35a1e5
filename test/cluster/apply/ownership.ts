import { type Comparison, compare } from './compare.ts';
import { type Conflict, ConflictError } from './conflicts.ts';
import { fieldSetOf } from './extract.ts';
import { difference, differenceBelow, type FieldSet, intersection, isBare, leaf, union } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { merged } from './merge.ts';
import { type MergeType, OtherVersionError } from './merge-type.ts';
import { reconciled } from './reconcile.ts';
import { removed, withNamedFields } from './remove.ts';

/** An object's fields. */
export type Members = Readonly<Record<string, unknown>>;

/** A kind at one version: its type there, and its objects as they are there. */
export interface TypedVersion {
  readonly type: MergeType;
  readonly convert: (object: Members) => Members;
}

/** Who writes, and how. */
export interface Write {
  /** The identity and the fields so far of the writer are found under this key. */
  readonly key: string;
  readonly writer: Omit<Manager, 'fields' | 'time'>;
  /** The kind at the version written to. */
  readonly type: MergeType;
  /** The kind at another version; undefined when that is not served. */
  readonly at: (apiVersion: string) => TypedVersion | undefined;
  /** Fields that this write cannot change, as a version has them. */
  readonly ignored: (apiVersion: string) => FieldSet;
}

/** Two states of an object. */
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

/** An object at another version. Throws a {@link OtherVersionError} when it does not fit there. */
function converted({ convert }: TypedVersion, object: Members, failure = ''): Members {
  try {
    return convert(object);
  } catch (error) {
    throw error instanceof OtherVersionError ? new OtherVersionError(failure + error.message) : error;
  }
}

/** What a change does at each version that a manager knows; undefined for versions that are gone. */
function comparer(write: Write, { before, after }: Change): (apiVersion: string) => Comparison | undefined {
  const known = new Map<string, Comparison | undefined>();
  return (apiVersion) => {
    if (known.has(apiVersion)) return known.get(apiVersion);
    const version = versionOf(write, apiVersion);
    const old = version && converted(version, before, 'failed to convert old object: ');
    const found = old && compare(version.type, old, converted(version, after, 'failed to convert new object: '));
    const made = found && without(found, write.ignored(apiVersion));
    known.set(apiVersion, made);
    return made;
  };
}

/** Managers as the types have their fields now; those of versions that are gone are gone. Throws a {@link OtherVersionError} when the live object does not fit a manager's version. */
function current(write: Write, managers: Managers, live: Members): Map<string, Manager> {
  const result = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    const version = versionOf(write, manager.apiVersion);
    if (version === undefined) continue;
    converted(version, live);
    const fields = reconciled(version.type, manager.fields);
    result.set(key, fields === manager.fields ? manager : { ...manager, fields });
  }
  return result;
}

/** How a change meets the other managers. */
interface Meeting {
  readonly key: string;
  readonly force: boolean;
  readonly differences: (apiVersion: string) => Comparison | undefined;
}

/** Takes from the other managers what a change sets or removes. Throws a {@link ConflictError} when it sets something, and may not. */
function settle(managers: Map<string, Manager>, { key, force, differences }: Meeting): void {
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

/** Whose fields are whose after a plain write: what it changed is the writer's. Other managers keep the rest. */
export function afterUpdate(write: Write, managers: Managers, change: Change): Managers {
  const { key, writer, ignored } = write;
  const differences = comparer(write, change);
  const result = current(write, managers, change.before);
  settle(result, { key, force: true, differences });
  const { modified, added } = differences(writer.apiVersion)!;
  const fields = differenceBelow(union(modified, added), ignored(writer.apiVersion));
  result.delete(key);
  if (!isBare(fields)) result.set(key, { ...writer, fields });
  return result;
}

/** An apply to a live object. */
export interface Application {
  readonly live: Members;
  readonly applied: Members;
  readonly force: boolean;
}

/** What an apply leaves. */
export interface Applied {
  readonly object: Members;
  readonly managers: Managers;
}

const fieldsOf = ({ type, convert }: TypedVersion, object: Members): FieldSet =>
  withNamedFields(type, fieldSetOf(type, convert(object)));

/** What was pruned comes back where anybody owns it, at each version that owners know. */
function withOwned(write: Write, managers: Managers, { before, after }: Change): Members {
  const sets = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managers.values()) {
    sets.set(apiVersion, union(sets.get(apiVersion) ?? leaf, fields));
  }
  let result = after;
  for (const [apiVersion, owned] of sets) {
    const version = versionOf(write, apiVersion);
    if (version === undefined) continue;
    const kept = union(fieldsOf(version, result), withNamedFields(version.type, owned));
    result = removed(version.type, version.convert(before), difference(fieldsOf(version, before), kept));
  }
  return result;
}

/** What an apply has to take away: whatever of the merged object the manager applied before. */
interface Pruning {
  readonly managers: Managers;
  readonly last: Manager | undefined;
  readonly whole: Members;
}

/** The merged object without what the applier owned before and nobody owns now. */
function pruned(write: Write, { managers, last, whole }: Pruning): Members {
  const version = last && versionOf(write, last.apiVersion);
  if (last === undefined || version === undefined || isBare(last.fields)) return whole;
  const { type } = version;
  const owned = withNamedFields(type, last.fields);
  const base = converted(
    version,
    whole,
    'failed to prune fields: failed to convert merged object to last applied version: ',
  );
  const left = withOwned(write, managers, { before: base, after: removed(type, base, owned) });
  // Only what the applier owned goes: what else was lost on the way stays.
  const gone = intersection(difference(fieldsOf(version, base), fieldsOf(version, left)), owned);
  if (isBare(gone)) return whole;
  const result = removed(type, base, gone);
  return versionOf(write, write.writer.apiVersion)!.convert(result);
}

/**
 * Applies an object: it is merged into the live one, what its manager applied before and does not now is removed unless it is somebody else's, and its
 * fields are the manager's. The live object itself is answered when nothing changes. Throws a ConflictError, and a TypedError for items that cannot be told apart.
 */
export function afterApply(write: Write, managers: Managers, { live, applied, force }: Application): Applied {
  const { key, writer, type, ignored } = write;
  const result = current(write, managers, live);
  const last = result.get(key);
  const whole = merged(type, live, applied);
  const fields = differenceBelow(fieldSetOf(type, applied), ignored(writer.apiVersion));
  const { time } = last ?? {};
  result.set(key, { ...writer, ...(time !== undefined && { time }), fields });
  const object = pruned(write, { managers: result, last, whole });
  settle(result, { key, force, differences: comparer(write, { before: live, after: object }) });
  for (const [one, manager] of result) if (isBare(manager.fields)) result.delete(one);
  return { object, managers: result };
}
