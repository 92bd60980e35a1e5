import { equal } from '../objects/object.ts';
import { difference, type FieldSet, isBare, isSameSet, setOfPaths, union } from './field-set.ts';
import { capped, identityOf, isReset, type Manager, type Managers, managersFrom, type Operation } from './managers.ts';
import type { ApplyShape } from './merge-type.ts';
import { type Applied, afterApply, afterUpdate, type Members, type Write } from './ownership.ts';

/** A write as far as managers of fields are concerned. */
export interface Tracked {
  readonly shape: ApplyShape;
  /** Name of the manager that writes. */
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  readonly at: Write['at'];
  readonly ignored: Write['ignored'];
  /** RFC 3339, in seconds. */
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

/** Nobody owns what only the server sets. */
const nobodys = setOfPaths([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...serverOwned.map((name) => ['f:metadata', `f:${name}`]),
]);

function withoutNobodys(managers: Managers, key: string): Map<string, Manager> {
  const result = new Map(managers);
  const own = result.get(key);
  if (own === undefined) return result;
  const fields = difference(own.fields, nobodys);
  if (isBare(fields)) result.delete(key);
  else result.set(key, { ...own, fields });
  return result;
}

function writeOf({ shape, manager, apiVersion, subresource, at, ignored }: Tracked, operation: Operation): Write {
  const writer = {
    manager: manager === '' ? 'unknown' : manager,
    operation,
    apiVersion,
    ...(subresource !== undefined && { subresource }),
  };
  return { key: identityOf(writer), writer, type: shape.type, at, ignored };
}

/** Stands for the writer while its change is compared with what it owns itself. */
const current = 'current-operation';

/** A plain write: `live` is undefined for a create. */
export interface PlainWrite {
  readonly live: Members | undefined;
  readonly next: Members;
  readonly managers: Managers;
}

/** What is in either set; the first one itself where it has everything, so that its order and its text are known. */
function grown(known: FieldSet, more: FieldSet): FieldSet {
  const all = union(more, known);
  return isSameSet(all, known) ? known : all;
}

/** The managers after a plain write. Throws a TypedError for items of lists that cannot be told apart. */
export function afterWrite(tracked: Tracked, { live, next, managers }: PlainWrite): Managers {
  if (managers.size === 0 && live !== undefined) return managers;
  const write = writeOf(tracked, 'Update');
  const change = { before: live ?? tracked.shape.blank, after: next };
  const result = withoutNobodys(afterUpdate({ ...write, key: current }, managers, change), current);
  const changed = result.get(current);
  if (changed === undefined) return result;
  const before = result.get(write.key);
  result.delete(current);
  const fields = before === undefined ? changed.fields : grown(before.fields, changed.fields);
  result.set(write.key, { ...changed, time: tracked.now, fields });
  return capped(result);
}

const beforeFirstApply = 'before-first-apply';

/** Who owned what before anybody applied: everything that is there. */
function firstManagers(tracked: Tracked, live: Members | undefined): Managers {
  const next = live ?? tracked.shape.blank;
  return afterWrite({ ...tracked, manager: beforeFirstApply }, { live: undefined, next, managers: new Map() });
}

/** An apply: `live` is undefined when there is no object yet. */
export interface ApplyWrite {
  readonly live: Members | undefined;
  readonly applied: Members;
  readonly managers: Managers;
  readonly force: boolean;
}

/** What an apply makes of an object, and its managers after it. Throws a ConflictError, or a TypedError for items of lists that cannot be told apart. */
export function afterApplied(tracked: Tracked, { live, applied, managers, force }: ApplyWrite): Applied {
  const write = writeOf(tracked, 'Apply');
  const former = managers.size === 0 ? firstManagers(tracked, live) : managers;
  const before = live ?? tracked.shape.blank;
  const made = afterApply(write, former, { live: before, applied, force });
  const result = withoutNobodys(made.managers, write.key);
  if (made.object === before || equal(made.object, before)) return { object: before, managers: result };
  const own = result.get(write.key);
  if (own !== undefined) result.set(write.key, { ...own, time: tracked.now });
  return { object: made.object, managers: result };
}

/** Where a write says who the managers are. */
export interface Given {
  /** `metadata.managedFields` of the live object, and of what was sent. */
  readonly live: unknown;
  readonly sent: unknown;
  /** Writes to subresources cannot say anything about managers. */
  readonly subresource?: string | undefined;
}

/** The managers that a plain write starts from: its own ones when it names some, none when it resets them. */
export function managersGiven({ live, sent, subresource }: Given): Managers {
  if (subresource === undefined) {
    if (isReset(sent)) return new Map();
    const own = managersFrom(sent);
    if (own !== undefined && own.size > 0) return own;
  }
  return managersFrom(live) ?? new Map();
}

/** The manager of a write that names none: what the client calls itself, up to the first slash. */
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
