/** Updates managedFields on every write. */

import { equal } from '../apimachinery/object.ts';
import { difference, type FieldSet, isBare, isSameSet, setOfPaths, union } from './field-set.ts';
import {
  capManagers,
  identityOf,
  isReset,
  type Manager,
  type Managers,
  managersFrom,
  type Operation,
} from './managers.ts';
import type { ApplyShape } from './merge-type.ts';
import { type Applied, afterApply, afterUpdate, type Members, type Write } from './ownership-updater.ts';

/** Write, as far as field management is concerned. */
export interface ManagedWrite {
  readonly shape: ApplyShape;
  /** Field manager of the write. */
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  readonly at: Write['at'];
  readonly ignored: Write['ignored'];
  /** Current time in RFC 3339 with seconds. */
  readonly now: string;
}

const serverOwned = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

/** Fields that no manager owns, as structured-merge-diff's `stripMetaManager`. */
const serverOwnedFields = setOfPaths([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...serverOwned.map((name) => ['f:metadata', `f:${name}`]),
]);

function withoutServerOwned(managers: Managers, key: string): Map<string, Manager> {
  const result = new Map(managers);
  const own = result.get(key);
  if (own === undefined) return result;
  const fields = difference(own.fields, serverOwnedFields);
  if (isBare(fields)) result.delete(key);
  else result.set(key, { ...own, fields });
  return result;
}

function writeOf({ shape, manager, apiVersion, subresource, at, ignored }: ManagedWrite, operation: Operation): Write {
  const writer = {
    manager: manager === '' ? 'unknown' : manager,
    operation,
    apiVersion,
    ...(subresource !== undefined && { subresource }),
  };
  return { key: identityOf(writer), writer, type: shape.type, at, ignored };
}

/** Temporary identity of the writer, so that its change is also compared with its own fields. */
const current = 'current-operation';

/** Create or update; `live` is undefined for a create. */
export interface PlainWrite {
  readonly live: Members | undefined;
  readonly next: Members;
  readonly managers: Managers;
}

/** Returns the union, or the first set itself if nothing is added, so that its order and cached text are kept. */
function unionInPlace(known: FieldSet, more: FieldSet): FieldSet {
  const all = union(more, known);
  return isSameSet(all, known) ? known : all;
}

/** Returns the managers after a create or update. Throws a TypedError for list items without a valid key. */
export function afterWrite(tracked: ManagedWrite, { live, next, managers }: PlainWrite): Managers {
  if (managers.size === 0 && live !== undefined) return managers;
  const write = writeOf(tracked, 'Update');
  const change = { before: live ?? tracked.shape.blank, after: next };
  const result = withoutServerOwned(afterUpdate({ ...write, key: current }, managers, change), current);
  const changed = result.get(current);
  if (changed === undefined) return result;
  const before = result.get(write.key);
  result.delete(current);
  const fields = before === undefined ? changed.fields : unionInPlace(before.fields, changed.fields);
  result.set(write.key, { ...changed, time: tracked.now, fields });
  return capManagers(result);
}

const beforeFirstApply = 'before-first-apply';

/** Returns the managers before the first apply: one that owns all existing fields. */
function firstManagers(tracked: ManagedWrite, live: Members | undefined): Managers {
  const next = live ?? tracked.shape.blank;
  return afterWrite({ ...tracked, manager: beforeFirstApply }, { live: undefined, next, managers: new Map() });
}

/** Apply; `live` is undefined when the object does not exist. */
export interface ApplyWrite {
  readonly live: Members | undefined;
  readonly applied: Members;
  readonly managers: Managers;
  readonly force: boolean;
}

/** Applies an object and returns it with its managers. Throws a ConflictError, or a TypedError for list items without a valid key. */
export function afterApplied(tracked: ManagedWrite, { live, applied, managers, force }: ApplyWrite): Applied {
  const write = writeOf(tracked, 'Apply');
  const former = managers.size === 0 ? firstManagers(tracked, live) : managers;
  const before = live ?? tracked.shape.blank;
  const made = afterApply(write, former, { live: before, applied, force });
  const result = withoutServerOwned(made.managers, write.key);
  if (made.object === before || equal(made.object, before)) return { object: before, managers: result };
  const own = result.get(write.key);
  if (own !== undefined) result.set(write.key, { ...own, time: tracked.now });
  return { object: made.object, managers: result };
}

/** managedFields of a write. */
export interface SentManagers {
  /** Value of `metadata.managedFields` in the live object, and in the request. */
  readonly live: unknown;
  readonly sent: unknown;
  /** Subresource of the write, which cannot set managedFields. */
  readonly subresource?: string | undefined;
}

/** Returns the managers that a write starts from: those it sends, none if it resets them, else the live ones. */
export function managersBefore({ live, sent, subresource }: SentManagers): Managers {
  if (subresource === undefined) {
    if (isReset(sent)) return new Map();
    const own = managersFrom(sent);
    if (own !== undefined && own.size > 0) return own;
  }
  return managersFrom(live) ?? new Map();
}

/** Returns the default field manager: the User-Agent up to the first slash. */
export function managerFromAgent(userAgent = ''): string {
  const given = userAgent.split('/', 1)[0]!;
  if (/^[ -~]{0,128}$/.test(given)) return given;
  let name = '';
  let bytes = 0;
  for (const char of given) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char)) continue;
    bytes += Buffer.byteLength(char);
    if (bytes > 128) break;
    name += char;
  }
  return name;
}
