/** Rules of Route 53 for a batch of changes, from AWS's API reference and developer guide: what is refused, and what changes together. */

import { isIPv4, isIPv6 } from 'node:net';

/** Record set as the API writes it: names with a final dot, escape codes in octal. */
export interface StoredSet {
  readonly name: string;
  readonly type: string;
  readonly ttl?: number | undefined;
  readonly values: readonly string[];
  readonly alias?: { readonly zone: string; readonly name: string; readonly health: boolean } | undefined;
  readonly identifier?: string | undefined;
}

/** One change of a batch. */
export interface AskedChange {
  readonly action: string;
  readonly set: StoredSet;
}

/** Refusal with its code. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const invalid = (message: string): Refusal => new Refusal('InvalidChangeBatch', `[${message}]`);

/** Returns a name as Route 53 stores it: in lower case, with a final dot, other characters than letters, digits, - and _ in octal. */
export const storedName = (name: string): string =>
  `${name.toLowerCase().replace(/\.$/, '')}.`.replaceAll(
    /[^-a-z0-9_.\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );

const keyOf = ({ name, type, identifier = '' }: StoredSet): string => `${name} ${type} ${identifier}`;
const described = ({ name, type }: StoredSet): string => `resource record set [name='${name}', type='${type}']`;

const text = /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/;
const isText = (value: string): boolean =>
  text.test(value) &&
  value.length <= 4000 &&
  (value.match(/"(?:[^"\\]|\\.)*"/g) ?? []).every(
    (one) => one.slice(1, -1).replaceAll(/\\(?:[0-7]{3}|.)/g, 'x').length <= 255,
  ) &&
  !/[^\x20-\x7e]/.test(value) &&
  !/\\(?:[89]|[0-7](?![0-7]{2})|[4-7][0-7]{2})/.test(value);

const values: Readonly<Record<string, readonly [(value: string) => boolean, string]>> = {
  A: [isIPv4, 'ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)'],
  AAAA: [isIPv6, 'AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address)'],
  CNAME: [(value) => /^[\w*-]+(\.[\w-]+)*\.?$/.test(value), 'UnparseableRecordData (Value is not a valid domain name)'],
  TXT: [
    isText,
    "InvalidCharacterString (Value should be enclosed in quotation marks) or 'CharacterStringTooLong (Value is too long)'",
  ],
};

/** Checks the name of a set. @throws Refusal */
function checkName(zone: string, { name, type }: StoredSet): void {
  if (name !== zone && !name.endsWith(`.${zone}`))
    throw invalid(`RRSet with DNS name ${name} is not permitted in zone ${zone}`);
  if (name === zone && type === 'CNAME')
    throw invalid(`RRSet of type CNAME with DNS name ${name} is not permitted at apex in zone ${zone}`);
}

/** Checks a set by itself. @throws Refusal */
function check(zone: string, set: StoredSet): void {
  const { name, type, ttl, alias } = set;
  checkName(zone, set);
  const isPlain = ttl !== undefined && ttl >= 0 && ttl < 2 ** 31 && set.values.length > 0;
  if ((alias !== undefined) === isPlain)
    throw new Refusal(
      'InvalidInput',
      'Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found none or several',
    );
  const [isValid, problem] = values[type] ?? [() => true, ''];
  const wrong = set.values.find((value) => !isValid(value));
  if (wrong !== undefined)
    throw invalid(`Invalid Resource Record: 'FATAL problem: ${problem} encountered with '${wrong}''`);
  if (new Set(set.values).size < set.values.length) throw invalid(`Duplicate Resource Record: '${set.values[0]}'`);
  if (type === 'CNAME' && set.values.length > 1)
    throw invalid(`The RRSet with DNS name ${name} and type CNAME can have one value only`);
}

const isSame = (one: StoredSet, other: StoredSet): boolean =>
  JSON.stringify([one.ttl, one.values.toSorted(), one.alias]) ===
  JSON.stringify([other.ttl, other.values.toSorted(), other.alias]);

/** Refuses to delete a set that is not there as it is given. @throws Refusal */
function checkDeletion(before: StoredSet | undefined, set: StoredSet): void {
  if (before === undefined) throw invalid(`Tried to delete ${described(set)} but it was not found`);
  if (!isSame(before, set))
    throw invalid(`Tried to delete ${described(set)} but the values provided do not match the current values`);
}

/** Refuses a set that cannot be with the others of its name. @throws Refusal */
function checkOthers(others: readonly StoredSet[], { name, type, identifier }: StoredSet, zone: string): void {
  const isMixed = others.some(
    (other) => other.type === type && (other.identifier === undefined) !== (identifier === undefined),
  );
  if (isMixed)
    throw invalid(
      `RRSet with DNS name ${name}, type ${type}, SetIdentifier ${identifier ?? null} cannot be created as other RRSets exist with the same name and type`,
    );
  const conflicting = others.find((other) => other.type !== type && (other.type === 'CNAME' || type === 'CNAME'));
  if (conflicting !== undefined)
    throw invalid(
      `RRSet of type ${type} with DNS name ${name} is not permitted because a conflicting RRSet of type ${conflicting.type} with the same DNS name already exists in zone ${zone}`,
    );
}

/** Applies one change. @throws Refusal */
function changed(
  sets: ReadonlyMap<string, StoredSet>,
  { action, set }: AskedChange,
  zone: string,
): ReadonlyMap<string, StoredSet> {
  check(zone, set);
  const before = sets.get(keyOf(set));
  const after = new Map(sets);
  after.delete(keyOf(set));
  if (action === 'DELETE') {
    checkDeletion(before, set);
    return after;
  }
  if (action !== 'CREATE' && action !== 'UPSERT') throw new Refusal('InvalidInput', `Invalid action ${action}`);
  if (action === 'CREATE' && before !== undefined)
    throw invalid(`Tried to create ${described(set)} but it already exists`);
  const others = [...after.values()].filter(({ name }) => name === set.name);
  checkOthers(others, set, zone);
  return after.set(keyOf(set), set);
}

/** Returns the sets of a zone after a batch, which is carried out as a whole or not at all. @throws Refusal */
export function afterBatch(
  zone: string,
  sets: readonly StoredSet[],
  changes: readonly AskedChange[],
): readonly StoredSet[] {
  if (changes.length === 0) throw new Refusal('InvalidInput', 'The request contains no changes');
  const asked = changes
    .flatMap(({ action, set }) => (action === 'UPSERT' ? [set, set] : [set]))
    .flatMap((set) => set.values);
  if (asked.length > 1000) throw invalid('Number of records limit of 1000 exceeded.');
  if (asked.join('').length > 32_000) throw invalid('Number of characters limit of 32000 exceeded.');
  const before: ReadonlyMap<string, StoredSet> = new Map(sets.map((set) => [keyOf(set), set]));
  return [...changes.reduce((now, change) => changed(now, change, zone), before).values()];
}

/** Returns the text by which Route 53 sorts a set: its labels from the last to the first, then its type. */
export const sortKey = ({ name, type }: Pick<StoredSet, 'name' | 'type'>): string =>
  `${name.split('.').toReversed().join('\0')}\0 ${type}`;
