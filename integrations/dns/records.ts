/** DNS records of a workspace: validation, desired state and changes. */

import { isIPv4, isIPv6 } from 'node:net';
import type { Workspace, WorkspaceStatus } from '../../sdk/index.ts';
import { quoted } from '../quoted-text.ts';

/** Types of records that a workspace can publish. */
export const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT'] as const;

/** Name with its zone; both full, in lower case, without a trailing dot. */
export interface DnsName {
  readonly zone: string;
  readonly name: string;
}

/** Desired record. */
export interface DnsRecord extends DnsName {
  readonly type: (typeof recordTypes)[number];
  /** Address, full name without a trailing dot, or text. */
  readonly target: string;
  /** TTL in seconds; absent: the integration's default. */
  readonly ttl?: number;
}

/** Desired records of a name, and the mark of their owner. */
export interface OwnedRecords {
  readonly records: readonly DnsRecord[];
  readonly owner: string;
  /** TTL in seconds of records without one. */
  readonly ttl: number;
  /** Types whose existing records are deleted if they are not desired. @default all */
  readonly types?: readonly DnsRecord['type'][] | undefined;
}

/** Desired records of a workspace and its host name, or the problem that prevents them (for now). */
export type WantedDns =
  | { readonly kind: 'records'; readonly host: string | undefined; readonly records: readonly DnsRecord[] }
  | { readonly kind: 'problem'; readonly status: 'Error' | 'Waiting'; readonly reason: string };

type RequestedRecord = NonNullable<WorkspaceStatus['dns']>[number];
type Problem = Extract<WantedDns, { kind: 'problem' }>;

const mistake = (reason: string): Problem => ({ kind: 'problem', status: 'Error', reason });
const isProblem = (value: DnsRecord | Problem): value is Problem => 'kind' in value;

const label = /^[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?$/;
/** Matches names that end in a number, as an address does: no domain is named so. */
const endsInNumber = /(^|\.)\d+$/;

/** Reports whether a text is a full name in lower case, and no address; its first label may be `*`. */
export const isName = (name: string): boolean =>
  name.length <= 253 &&
  !endsInNumber.test(name) &&
  name.split('.').every((part, index) => label.test(part) || (index === 0 && part === '*'));

/** Rule for names, as advice in messages. */
const namesAre = 'must have labels of a-z, 0-9, - and _, 63 characters each and 253 in all; others in their form xn--…';

/** Returns a name in lower case, without a trailing dot. */
export const withoutDot = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** Reports whether a full name is the zone's own or below it. */
export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);

/**
 * Returns the full name of one relative to the zone; `@` or the empty name is the zone itself; a trailing dot or the zone's suffix marks a full name.
 */
export function fullNameOf(name: string, zone: string): string {
  const plain = withoutDot(name);
  if (plain === '' || plain === '@') return zone;
  return name.endsWith('.') || isWithin(plain, zone) ? plain : `${plain}.${zone}`;
}

const isValidTarget: Readonly<Record<DnsRecord['type'], (target: string) => boolean>> = {
  A: isIPv4,
  AAAA: (target) => isIPv6(target) && !target.includes('%'),
  CNAME: isName,
  TXT: () => true,
};

function ttlOf({ properties }: RequestedRecord): number | undefined {
  return properties?.ttl === undefined ? undefined : Number(properties.ttl);
}

function parseRecord(entry: RequestedRecord, zone: string, index: number): DnsRecord | Problem {
  const where = `status.dns[${index}]`;
  const type = recordTypes.find((known) => known === entry.recordType.toUpperCase());
  if (type === undefined)
    return mistake(
      `${where}: recordType ${quoted(entry.recordType)} cannot be published, only ${recordTypes.join(', ')}`,
    );
  const name = fullNameOf(entry.name, zone);
  if (!isName(name)) return mistake(`${where}: ${quoted(entry.name)} is not the name of a record: it ${namesAre}`);
  if (!isWithin(name, zone)) return mistake(`${where}: ${name} is not within the zone ${zone}`);
  const target = type === 'CNAME' ? withoutDot(entry.target) : entry.target;
  if (!isValidTarget[type](target)) return mistake(`${where}: ${type} ${name} cannot point to ${quoted(entry.target)}`);
  const ttl = ttlOf(entry);
  if (ttl === undefined) return { zone, name, type, target };
  if (!Number.isInteger(ttl) || ttl < 0 || ttl >= 2 ** 31)
    return mistake(`${where}: properties.ttl must be whole seconds, not ${quoted(entry.properties?.ttl)}`);
  return { zone, name, type, target, ttl };
}

/** Returns an address record for an IP address, and a CNAME for any other target. */
function pointingTo(at: DnsName, target: string): DnsRecord {
  if (isIPv4(target)) return { ...at, type: 'A', target };
  return isIPv6(target) ? { ...at, type: 'AAAA', target } : { ...at, type: 'CNAME', target: withoutDot(target) };
}

/** Returns the key of a record, regardless of its TTL. */
const identityOf = ({ name, type, target }: DnsRecord): string => JSON.stringify([name, type, target]);

/** Removes duplicate records; the first of each is kept. */
function distinct(records: readonly DnsRecord[]): readonly DnsRecord[] {
  const seen = new Map<string, DnsRecord>();
  for (const record of records) if (!seen.has(identityOf(record))) seen.set(identityOf(record), record);
  return [...seen.values()];
}

/** Groups records by name. */
const byName = (records: readonly DnsRecord[]): ReadonlyMap<string, readonly DnsRecord[]> =>
  Map.groupBy(records, ({ name }) => name);

/** Finds a CNAME that shares its name with other records: servers ignore the second record without an error. */
const cnameConflict = (records: readonly DnsRecord[]): Problem | undefined => {
  const places = byName(records);
  const alias = records.find(({ type, name }) => type === 'CNAME' && (places.get(name) ?? []).length > 1);
  return alias && mistake(`${alias.name}: a CNAME (${alias.target}) cannot stand beside other records of that name`);
};

/** Returns the name of an ingress rule: `<subdomain>.<zone>`, or `<workspace>.<zone>` without a subdomain. */
export const nameOfRule = (
  { metadata }: Workspace,
  { subdomain }: { readonly subdomain?: string | undefined },
  zone: string,
): string => fullNameOf(subdomain || metadata.name, zone);

/** Returns the zone of a workspace, and the distinct names of its ingress rules; or the mistake in them: field, expected, found. Pure. */
export function specNames(workspace: Workspace): { readonly zone: string; readonly names: readonly string[] } | string {
  const { dns, ingress } = workspace.spec.networking ?? {};
  const zone = withoutDot(dns?.zone ?? '');
  if (!isName(zone) || zone.startsWith('*'))
    return `spec.networking.dns.zone: ${quoted(zone)} is not the name of a zone: it ${namesAre}`;
  const names = [...new Set((ingress?.rules ?? []).map((rule) => nameOfRule(workspace, rule, zone)))];
  const at = 'spec.networking.ingress.rules';
  const wrong = names.find((name) => !isName(name));
  if (wrong !== undefined) return `${at}: ${quoted(wrong)} is not the name of a record: it ${namesAre}`;
  const outside = names.find((name) => !isWithin(name, zone));
  return outside === undefined ? { zone, names } : `${at}: ${outside} is not within the zone ${zone}`;
}

/**
 * Computes the desired records of a workspace: all of `status.dns`, and for each other name of an ingress rule a record that points to `target`.
 * Pure; on a mistake, returns the first, naming the field. The host is the name of the first rule.
 */
export function wantedDns(workspace: Workspace, target: string | undefined): WantedDns {
  const fromSpec = specNames(workspace);
  if (typeof fromSpec === 'string') return mistake(fromSpec);
  const { zone, names } = fromSpec;
  const explicit: DnsRecord[] = [];
  for (const [index, record] of (workspace.status?.dns ?? []).entries()) {
    const parsed = parseRecord(record, zone, index);
    if (isProblem(parsed)) return parsed;
    explicit.push(parsed);
  }
  const explicitNames = new Set(explicit.filter(({ type }) => type !== 'TXT').map(({ name }) => name));
  const unpublished = names.filter((name) => !explicitNames.has(name));
  if (unpublished.length > 0 && target === undefined)
    return {
      kind: 'problem',
      status: 'Waiting',
      reason: `waiting for a target of ${unpublished.join(', ')} in status.dns`,
    };
  const records = distinct([...explicit, ...unpublished.map((name) => pointingTo({ zone, name }, target ?? ''))]);
  return cnameConflict(records) ?? { kind: 'records', host: names[0] ?? records[0]?.name, records };
}

/** Change of one name: replaces or deletes its records. */
export interface DnsChange extends DnsName {
  readonly op: 'create' | 'update' | 'delete';
  /** All desired records of the name; none to delete it. */
  readonly records: readonly DnsRecord[];
  /** Types that an update replaces. @default all */
  readonly types?: readonly DnsRecord['type'][];
}

/** Known published records, and the names that an attempt with an unknown outcome may have changed. */
export interface KnownDns {
  readonly records: readonly DnsRecord[];
  readonly doubtful: readonly DnsName[];
}

const equal = (some: readonly DnsRecord[], others: readonly DnsRecord[]): boolean => {
  const known = new Set(others.map((record) => `${record.ttl} ${identityOf(record)}`));
  return some.length === others.length && some.every((record) => known.has(`${record.ttl} ${identityOf(record)}`));
};

/** Computes the changes from the known to the desired state, name by name; deletions come first, so that they do not block creations. Pure. */
export function dnsChanges(wanted: readonly DnsRecord[], { records, doubtful }: KnownDns): readonly DnsChange[] {
  const names = new Map([...records, ...doubtful, ...wanted].map(({ zone, name }) => [name, { zone, name }]));
  const [before, after] = [byName(records), byName(wanted)];
  const inDoubt = new Set(doubtful.map(({ name }) => name));
  const changes = [...names.values()].map((place): DnsChange | undefined => {
    const [now, then] = [before.get(place.name) ?? [], after.get(place.name) ?? []];
    if (then.length === 0) return { op: 'delete', ...place, records: [] };
    if (now.length === 0) return { op: 'create', ...place, records: then };
    return !inDoubt.has(place.name) && equal(now, then) ? undefined : { op: 'update', ...place, records: then };
  });
  const order = (change: DnsChange): number => (change.op === 'delete' ? 0 : 1);
  return changes.filter((change) => change !== undefined).sort((a, b) => order(a) - order(b));
}
