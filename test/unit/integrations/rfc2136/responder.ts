/** Answers DNS messages for one zone, with faults on demand. */

import { encodeName } from '../../../../integrations/rfc2136/names.ts';
import { decodeData } from '../../../../integrations/rfc2136/record-data.ts';
import { sign, signEmpty, type TsigKey, tsigOf, verify } from '../../../../integrations/rfc2136/tsig.ts';
import {
  cls,
  decodeMessage,
  encodeMessage,
  type Message,
  opcode,
  type ResourceRecord,
  rcode,
  type,
} from '../../../../integrations/rfc2136/wire.ts';
import { updated } from './zone.ts';

/** Fault of the next request. */
export type Fault =
  /** The connection is closed and nothing is done. */
  | 'lost before'
  /** The update is carried out, then the connection is closed. */
  | 'lost after'
  /** No answer is ever sent. */
  | 'silent'
  /** The update is carried out; the answer carries no signature. */
  | 'unsigned'
  /** The update is carried out; the answer has another message's id. */
  | 'other id'
  /** The answer has this code, signed, and nothing is done. */
  | { readonly code: number };

/** Zone, key and clock of a responder. */
export interface ResponderOptions {
  readonly zone?: string;
  readonly key: TsigKey;
  /** Returns seconds since the epoch. */
  readonly now: () => number;
}

const typeName = (number: number): string =>
  Object.entries(type).find(([, value]) => value === number)?.[0] ?? `${number}`;

const answerTo = (request: Message, code: number, answers: readonly ResourceRecord[] = []): Message => ({
  ...request,
  response: true,
  authoritative: true,
  rcode: code,
  answers,
  authority: [],
  additional: [],
});

/** Answer that rejects a request, signed as far as possible; undefined when its signature holds. */
function objection(bytes: Buffer, { key, now }: ResponderOptions): Buffer | undefined {
  const request = decodeMessage(bytes);
  const tsig = tsigOf(request);
  if (tsig === undefined) return encodeMessage(answerTo(request, rcode.REFUSED));
  const refusal = encodeMessage(answerTo(request, rcode.NOTAUTH));
  const { keyName, algorithm, time, fudge } = tsig;
  const empty = (error: number) =>
    signEmpty(refusal, { keyName, algorithm, time, fudge, error, other: Buffer.alloc(0) });
  const knows = keyName.toLowerCase() === key.name && algorithm.toLowerCase() === key.algorithm;
  if (!knows) return empty(rcode.BADKEY);
  try {
    verify(bytes, key, { now: time });
  } catch {
    return empty(rcode.BADSIG);
  }
  if (Math.abs(now() - time) <= fudge) return undefined;
  const other = Buffer.alloc(6);
  other.writeUIntBE(Math.floor(now()), 0, 6);
  return sign(refusal, key, { time, fudge, requestMac: tsig.mac, error: rcode.BADTIME, other }).bytes;
}

const soaOf = (zone: string): ResourceRecord => ({
  name: zone,
  type: type.SOA,
  class: cls.IN,
  ttl: 60,
  data: Buffer.concat([encodeName(`ns1.${zone}`), encodeName(`hostmaster.${zone}`), Buffer.alloc(20)]),
});

/** Message handling of a name server: bytes in, bytes out, and a zone. */
export interface Responder {
  /** Published records but the SOA: `name type target`, sorted. */
  records(): readonly string[];
  /** Number of executed updates. */
  readonly updates: number;
  /** Publishes a record as another client. */
  publish(record: ResourceRecord): void;
  /** Removes everything but the SOA, as another client. */
  clear(): void;
  /** Carries out a received message; undefined when the answer is to be lost. */
  respond(bytes: Buffer, fault: Fault | undefined): Buffer | undefined;
}

const lookup = (records: readonly ResourceRecord[], request: Message): Message => {
  const [question] = request.questions;
  const there = records.filter(({ name }) => name === question?.name);
  const found = there.filter((record) => record.type === question?.type);
  return answerTo(request, there.length > 0 ? rcode.NOERROR : rcode.NXDOMAIN, found);
};

/** Code that rejects an update for its zone; undefined for one of the served zone. */
function zoneObjection({ questions }: Message, zone: string): number | undefined {
  const [question] = questions;
  if (question === undefined || questions.length !== 1) return rcode.FORMERR;
  if (question.type !== type.SOA || question.class !== cls.IN) return rcode.FORMERR;
  return question.name.toLowerCase() === zone ? undefined : rcode.NOTAUTH;
}

const asText = (record: ResourceRecord): string => `${record.name} ${typeName(record.type)} ${decodeData(record)}`;

/** Serves one zone, empty but for its SOA. */
export function createResponder(options: ResponderOptions): Responder {
  const { zone = 'example.test', key, now } = options;
  let records: readonly ResourceRecord[] = [soaOf(zone)];
  let updates = 0;

  const carryOut = (request: Message): Message => {
    if (request.opcode === opcode.QUERY) return lookup(records, request);
    if (request.opcode !== opcode.UPDATE) return answerTo(request, rcode.NOTIMP);
    const refused = zoneObjection(request, zone);
    if (refused !== undefined) return answerTo(request, refused);
    const result = updated(zone, records, { prerequisites: request.answers, changes: request.authority });
    records = result.records;
    if (result.code === rcode.NOERROR) updates += 1;
    return answerTo(request, result.code);
  };

  return {
    records: () =>
      records
        .filter((record) => record.type !== type.SOA)
        .map(asText)
        .sort(),
    get updates() {
      return updates;
    },
    publish: (record) => {
      records = [...records, record];
    },
    clear: () => {
      records = [soaOf(zone)];
    },
    respond(bytes, fault) {
      if (fault === 'lost before') return undefined;
      const refused = objection(bytes, options);
      if (refused !== undefined) return refused;
      const request = decodeMessage(bytes);
      const answer = typeof fault === 'object' ? answerTo(request, fault.code) : carryOut(request);
      if (fault === 'lost after') return undefined;
      if (fault === 'unsigned') return encodeMessage(answer);
      const message = fault === 'other id' ? { ...answer, id: answer.id ^ 1 } : answer;
      const { fudge, mac } = tsigOf(request)!;
      return sign(encodeMessage(message), key, { time: Math.floor(now()), fudge, requestMac: mac }).bytes;
    },
  };
}
