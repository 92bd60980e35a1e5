/** Reads and writes `metadata.managedFields`. */

import { equal, type Fields, isFields } from '../apimachinery/object.ts';
import { type FieldSet, leaf, union } from './field-set.ts';
import { fieldSetFrom, inOrder } from './path-element.ts';

/** Operation of a managedFields entry. */
export type Operation = 'Apply' | 'Update';

/** Field manager with its fields. */
export interface Manager {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  /** Time in RFC 3339 with seconds; absent before its first change. */
  readonly time?: string;
  readonly subresource?: string;
  readonly fields: FieldSet;
}

/** Managers of an object, by identity. */
export type Managers = ReadonlyMap<string, Manager>;

/** Returns a manager's identity: an Update manager differs by version, an Apply manager does not. */
export const identityOf = ({ manager, operation, apiVersion, subresource = '' }: Omit<Manager, 'fields'>): string =>
  `${manager}"${operation}"${operation === 'Update' ? apiVersion : ''}"${subresource}`;

/** Parses a field set; a frozen one comes from the store and needs no parsing. */
function setFrom(value: unknown): FieldSet {
  if (value === undefined || value === null) return leaf;
  return isFields(value) && Object.isFrozen(value) ? (value as unknown as FieldSet) : fieldSetFrom(value);
}

function managerFrom(entry: unknown): Manager {
  if (!isFields(entry)) throw new SyntaxError('an entry of managedFields is an object');
  const { manager = '', operation, apiVersion, time, fieldsType, fieldsV1, subresource } = entry;
  if (operation !== 'Apply' && operation !== 'Update') throw new SyntaxError('operation must be `Apply` or `Update`');
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new SyntaxError('apiVersion must not be empty');
  if (fieldsType !== 'FieldsV1') throw new SyntaxError(`invalid fieldsType ${JSON.stringify(fieldsType)}`);
  return {
    manager: String(manager),
    operation,
    apiVersion,
    ...(typeof time === 'string' && { time }),
    ...(typeof subresource === 'string' && subresource !== '' && { subresource }),
    fields: setFrom(fieldsV1),
  };
}

/** Parses `metadata.managedFields`; undefined when malformed. */
export function managersFrom(entries: unknown): Managers | undefined {
  if (entries === undefined || entries === null) return new Map();
  if (!Array.isArray(entries)) return undefined;
  try {
    return new Map(entries.map(managerFrom).map((manager) => [identityOf(manager), manager]));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reports whether a write resets managedFields: an empty list, or one empty entry. */
export const isReset = (entries: unknown): boolean =>
  Array.isArray(entries) &&
  entries.length < 2 &&
  entries.every(
    (entry) =>
      isFields(entry) && Object.values(entry).every((value) => value === undefined || value === '' || value === null),
  );

const secondsOf = ({ time }: Manager): number => (time === undefined ? 0 : Math.floor(Date.parse(time) / 1000));

const compareTexts = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares managers: Apply first, then by time. */
const compareManagers = (a: Manager, b: Manager): number =>
  compareTexts(a.operation, b.operation) ||
  secondsOf(a) - secondsOf(b) ||
  compareTexts(a.manager, b.manager) ||
  compareTexts(a.apiVersion, b.apiVersion) ||
  compareTexts(a.subresource, b.subresource);

function entryOf({ manager, operation, apiVersion, time, subresource, fields }: Manager): Fields {
  const fieldsV1 = Object.isFrozen(fields) ? fields : inOrder(fields);
  return {
    manager,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource !== undefined && { subresource }),
  };
}

/** Returns `metadata.managedFields`; undefined without managers. */
export const entriesOf = (managers: Managers): readonly Fields[] | undefined =>
  managers.size === 0 ? undefined : [...managers.values()].sort(compareManagers).map(entryOf);

const withoutTime = ({ time: _time, ...entry }: Fields): Fields => entry;

/** Reports whether two lists of entries are equal apart from times. */
export const isSameButTimes = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) &&
  Array.isArray(b) &&
  a.length === b.length &&
  a.every((entry, index) => equal(withoutTime(entry), withoutTime(b[index])));

const maxUpdaters = 10;
const ancient = 'ancient-changes';

/** Limits Update managers to ten by merging the oldest of each version into `ancient-changes`. */
export function capManagers(managers: Managers): Managers {
  if (managers.size <= maxUpdaters) return managers;
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= maxUpdaters) return managers;
  updaters.sort(([keyA, a], [keyB, b]) => secondsOf(a) - secondsOf(b) || compareTexts(keyA, keyB));
  const result = new Map(managers);
  const firsts = new Map<string, string>();
  let count = updaters.length;
  for (const [key, updater] of updaters) {
    if (count <= maxUpdaters) break;
    const { apiVersion } = updater;
    const first = firsts.get(apiVersion);
    if (first === undefined) {
      firsts.set(apiVersion, key);
      continue;
    }
    const made: Manager = { manager: ancient, operation: 'Update', apiVersion, fields: leaf };
    const bucket = identityOf(made);
    if (key === bucket) continue;
    const before = result.get(bucket) ?? result.get(first)!;
    if (!result.has(bucket)) result.delete(first);
    result.delete(key);
    const { time } = updater;
    result.set(bucket, { ...made, ...(time !== undefined && { time }), fields: union(updater.fields, before.fields) });
    count -= 1;
  }
  return result;
}
