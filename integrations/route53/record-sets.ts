/** Record sets of Route 53, and the batches of changes that respect the owner of a name. */

import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import { ownerMark, ownerNameWithoutStar } from '../dns/owners.ts';
import { parseDnsRecords } from '../dns/parse-records.ts';
import { type DnsRecord, type OwnedRecords, withoutDot } from '../dns/records.ts';
import { textOfTxtContent, txtContentOf } from '../dns/txt-content.ts';
import type { TargetAlias } from './options.ts';

/** All records of one name and type. */
export interface RecordSet {
  /** Full name in lower case, without a trailing dot. */
  readonly name: string;
  readonly type: string;
  /** TTL in seconds; undefined for an alias. */
  readonly ttl: number | undefined;
  /** Values in the notation of Route 53; none of an alias. */
  readonly values: readonly string[];
  /** Load balancer or other resource of AWS that an alias points to, as `<hosted zone id> <name>`. */
  readonly alias: string | undefined;
  /** Record set of Route 53; a deletion must repeat all of its members. */
  readonly shown: ResourceRecordSet;
}

/** Change of one record set; the changes of a batch are atomic. */
export interface RecordSetChange {
  readonly action: 'CREATE' | 'DELETE';
  readonly set: ResourceRecordSet;
}

/** Escape codes in names and texts are octal. */
const octal = 8;

const plainName = (name: string): string =>
  withoutDot(
    name.replace(/\\([0-3][0-7]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, octal))),
  );

/** Reads one record set. @throws Error when it is none */
export function recordSetOf(shown: ResourceRecordSet): RecordSet {
  const { Name, Type, TTL, ResourceRecords = [], AliasTarget } = shown;
  if (typeof Name !== 'string' || typeof Type !== 'string')
    throw new Error('Route 53: returned a record set without name or type');
  const alias = AliasTarget && `${AliasTarget.HostedZoneId} ${withoutDot(AliasTarget.DNSName ?? '')}`;
  const values = ResourceRecords.map(({ Value = '' }) => Value);
  return { name: plainName(Name), type: Type, ttl: TTL, values, alias, shown };
}

/** Returns the texts of the TXT records in these record sets. */
export const markTexts = (sets: readonly RecordSet[]): readonly string[] =>
  sets
    .filter(({ type }) => type === 'TXT')
    .flatMap(({ values }) => values.map((text) => textOfTxtContent(text, octal)));

/** Reports whether a record is published as an alias. */
const isAliased = (record: DnsRecord, alias: TargetAlias | undefined): alias is TargetAlias =>
  record.type === 'CNAME' && record.ttl === undefined && record.target === alias?.target;

const aliasText = ({ hostedZoneId, target }: TargetAlias): string => `${hostedZoneId} ${target}`;

const isThisAlias = (set: RecordSet, alias: TargetAlias): boolean =>
  set.alias === aliasText(alias) &&
  (set.shown.AliasTarget?.EvaluateTargetHealth ?? false) === alias.evaluateTargetHealth &&
  set.shown.SetIdentifier === undefined;

/** Returns the records of these record sets, those of the requested types only; a complete alias of the target is a CNAME to it. */
export function publishedRecords(
  zone: string,
  sets: readonly RecordSet[],
  { types, alias }: { readonly types: readonly DnsRecord['type'][]; readonly alias: TargetAlias | undefined },
): readonly DnsRecord[] {
  const present = sets.flatMap(({ name, type, ttl = 0, values }) =>
    values.map((content) => ({
      ...{ name, type, ttl },
      content: type === 'TXT' ? txtContentOf(textOfTxtContent(content, octal)) : content,
    })),
  );
  const records = parseDnsRecords(zone, present, types);
  const aliases = alias === undefined ? [] : sets.filter((set) => isThisAlias(set, alias));
  const isWhole = alias?.types.every((type) => aliases.some((set) => set.type === type)) ?? false;
  if (!isWhole || alias === undefined || !types.includes('CNAME')) return records;
  return [...records, { zone, name: aliases[0]!.name, type: 'CNAME', target: alias.target }];
}

/** Desired records of one name, its owner, and the existing record sets. */
export interface RecordSetReplacement extends OwnedRecords {
  readonly name: string;
  readonly alias?: TargetAlias | undefined;
  /** Record sets of the name; none of a new one. */
  readonly present: readonly RecordSet[];
  /** Record sets of the owner's mark; none of a new one. */
  readonly marks: readonly RecordSet[];
}

const contentOf = ({ type, target }: DnsRecord): string => {
  if (type === 'TXT') return txtContentOf(target, octal);
  return type === 'CNAME' ? `${target}.` : target;
};

/** Returns the record set of these records of one name and type. It has one TTL: the shortest, as RFC 2181, 5.2 advises. */
const setOf = (records: readonly DnsRecord[], usualTtl: number): ResourceRecordSet => ({
  Name: `${records[0]!.name}.`,
  Type: records[0]!.type,
  TTL: Math.min(...records.map(({ ttl }) => ttl ?? usualTtl)),
  ResourceRecords: records.map((record) => ({ Value: contentOf(record) })),
});

const aliasSets = (name: string, { target, hostedZoneId, ...alias }: TargetAlias): readonly ResourceRecordSet[] =>
  alias.types.map((Type) => ({
    Name: `${name}.`,
    Type,
    AliasTarget: {
      HostedZoneId: hostedZoneId,
      DNSName: `${target}.`,
      EvaluateTargetHealth: alias.evaluateTargetHealth,
    },
  }));

function wantedSets({ name, records, ttl, alias }: RecordSetReplacement): readonly ResourceRecordSet[] {
  const [aliased, plain] = [
    records.some((one) => isAliased(one, alias)),
    records.filter((one) => !isAliased(one, alias)),
  ];
  const sets = [...Map.groupBy(plain, ({ type }) => type).values()].map((some) => setOf(some, ttl));
  return [...sets, ...(aliased && alias !== undefined ? aliasSets(name, alias) : [])];
}

/** Normalizes a value: IPv6 addresses and texts have several spellings. */
function normalized(type: string, value: string): string {
  if (type === 'AAAA') return URL.canParse(`http://[${value}]`) ? new URL(`http://[${value}]`).hostname : value;
  return type === 'TXT' ? textOfTxtContent(value, octal) : withoutDot(value);
}

/** Returns the identity of a record set among those of one name. */
const keyOf = (set: RecordSet): string =>
  JSON.stringify([
    ...[set.type, set.ttl, set.values.map((value) => normalized(set.type, value)).toSorted(), set.alias],
    ...[set.shown.AliasTarget?.EvaluateTargetHealth, set.shown.SetIdentifier, set.shown.HealthCheckId],
  ]);

const removed = ({ shown }: RecordSet): RecordSetChange => ({ action: 'DELETE', set: shown });

/**
 * Computes the batch that publishes a name with the mark of its owner. Each obsolete record set is deleted as it was read, and the mark is deleted
 * and created again, so that the batch is refused if another client has changed one of them meanwhile. Record sets that match are left out; the batch
 * is empty when all match. Pure.
 */
export function replacementChanges(replacement: RecordSetReplacement): readonly RecordSetChange[] {
  const { name, records, owner, ttl, types, present, marks } = replacement;
  const zone = records[0]?.zone ?? '';
  const mark = setOf([{ zone, name: ownerNameWithoutStar(name), type: 'TXT', target: ownerMark(owner) }], ttl);
  const wanted = wantedSets(replacement).map((set) => recordSetOf(set));
  const [wantedKeys, presentKeys] = [new Set(wanted.map(keyOf)), new Set(present.map(keyOf))];
  const wantedTypes = new Set(wanted.map(({ type }) => type));
  const isReplaced = ({ type }: RecordSet): boolean =>
    wantedTypes.has(type) || types === undefined || types.some((one) => one === type);
  const goes = present.filter((set) => isReplaced(set) && !wantedKeys.has(keyOf(set)));
  const comes = wanted.filter((set) => !presentKeys.has(keyOf(set)));
  const isMarked = marks.length === 1 && keyOf(marks[0]!) === keyOf(recordSetOf(mark));
  if (isMarked && goes.length + comes.length === 0) return [];
  return [
    ...[...marks, ...goes].map(removed),
    ...[mark, ...comes.map(({ shown }) => shown)].map((set): RecordSetChange => ({ action: 'CREATE', set })),
  ];
}

/** Returns the deletions of the read record sets of a name and of its owner's mark. */
export const removalChanges = (sets: readonly RecordSet[]): readonly RecordSetChange[] => sets.map(removed);
