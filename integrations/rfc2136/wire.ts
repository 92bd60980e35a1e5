/** Encodes and decodes DNS messages (RFC 1035, RFC 2136). */

import { decodeName, encodeName, WireError } from './names.ts';

/** Numbers of the record types that this codec names; any other number passes through unchanged. */
export const type = { A: 1, NS: 2, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, TSIG: 250, ANY: 255 } as const;

/** Classes; NONE and ANY have special meanings in prerequisites and deletions (RFC 2136, 2.4 and 2.5). */
export const cls = { IN: 1, NONE: 254, ANY: 255 } as const;

/** Opcodes of messages. */
export const opcode = { QUERY: 0, UPDATE: 5 } as const;

/** Response codes by name; the numbers above 15 occur in TSIG records only. */
export const rcode = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADSIG: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADTRUNC: 22,
} as const;

/** Returns the name of a response code, or `RCODE n` for an unknown one. */
export const rcodeName = (code: number): string =>
  Object.entries(rcode).find(([, number]) => number === code)?.[0] ?? `RCODE ${code}`;

/** Question of a query, or zone section of an update. Names have no trailing dot, the root is empty. */
export interface Question {
  readonly name: string;
  readonly type: number;
  readonly class: number;
}

/** Resource record; names inside `data` are never compressed. */
export interface ResourceRecord extends Question {
  /** TTL in seconds. */
  readonly ttl: number;
  readonly data: Buffer;
}

/** DNS message. In an update, `questions` is the zone, `answers` the prerequisites and `authority` the changes. */
export interface Message {
  readonly id: number;
  readonly opcode: number;
  readonly rcode: number;
  readonly response: boolean;
  /** True when the server is authoritative for the zone. */
  readonly authoritative: boolean;
  readonly questions: readonly Question[];
  readonly answers: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  readonly additional: readonly ResourceRecord[];
}

const u16 = (value: number): Buffer => Buffer.from([(value >> 8) & 0xff, value & 0xff]);

/** Encodes a number as four bytes, most significant first. */
export const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);

const encodeQuestion = (question: Question): Buffer =>
  Buffer.concat([encodeName(question.name), u16(question.type), u16(question.class)]);

/** Encodes a record. @throws WireError */
export function encodeRecord(record: ResourceRecord): Buffer {
  if (record.data.length > 0xffff) throw new WireError(`${record.name}: a record holds at most 65535 bytes`);
  return Buffer.concat([encodeQuestion(record), u32(record.ttl), u16(record.data.length), record.data]);
}

/** Encodes a message, ready to be signed or sent. @throws WireError */
export function encodeMessage(message: Message): Buffer {
  const { id, questions, answers, authority, additional } = message;
  const flags = (+message.response << 15) | (message.opcode << 11) | (+message.authoritative << 10) | message.rcode;
  const counts = [questions, answers, authority, additional].map(({ length }) => u16(length));
  const records = [...answers, ...authority, ...additional].map(encodeRecord);
  return Buffer.concat([u16(id), u16(flags), ...counts, ...questions.map(encodeQuestion), ...records]);
}

interface Decoded<T> {
  readonly value: T;
  readonly end: number;
}

function readQuestion(bytes: Buffer, offset: number): Decoded<Question> {
  const { name, end } = decodeName(bytes, offset);
  if (end + 4 > bytes.length) throw new WireError('a question runs past the end');
  return { value: { name, type: bytes.readUInt16BE(end), class: bytes.readUInt16BE(end + 2) }, end: end + 4 };
}

/** Types whose data starts with names that a server may have compressed, with their number. */
const leadingNames: Readonly<Record<number, number>> = { [type.NS]: 1, [type.CNAME]: 1, [type.SOA]: 2 };

interface Span {
  readonly start: number;
  readonly end: number;
}

function expandNames(bytes: Buffer, { start, end }: Span, count: number): Buffer {
  const parts: Buffer[] = [];
  let at = start;
  for (let read = 0; read < count && at < end; read += 1) {
    const found = decodeName(bytes, at);
    if (found.end > end) throw new WireError('a name runs past its record');
    parts.push(encodeName(found.name));
    at = found.end;
  }
  return Buffer.concat([...parts, bytes.subarray(at, end)]);
}

function readRecord(bytes: Buffer, offset: number): Decoded<ResourceRecord> {
  const { value: question, end: at } = readQuestion(bytes, offset);
  if (at + 6 > bytes.length) throw new WireError('a record runs past the end');
  const start = at + 6;
  const end = start + bytes.readUInt16BE(at + 4);
  if (end > bytes.length) throw new WireError('the data of a record runs past the end');
  const data = expandNames(bytes, { start, end }, leadingNames[question.type] ?? 0);
  return { value: { ...question, ttl: bytes.readUInt32BE(at), data }, end };
}

function readMany<T>(count: number, start: number, read: (offset: number) => Decoded<T>): Decoded<readonly T[]> {
  const value: T[] = [];
  let end = start;
  for (let index = 0; index < count; index += 1) {
    const found = read(end);
    value.push(found.value);
    end = found.end;
  }
  return { value, end };
}

/**
 * Decodes a whole message; trailing bytes are rejected. `lastRecordAt` is the offset of its last record: a TSIG signs the bytes before. @throws
 * WireError
 */
export function decodeMessage(bytes: Buffer): Message & { readonly lastRecordAt: number } {
  if (bytes.length < 12) throw new WireError('a message has at least 12 bytes');
  const flags = bytes.readUInt16BE(2);
  const questions = readMany(bytes.readUInt16BE(4), 12, (at) => readQuestion(bytes, at));
  let lastRecordAt = questions.end;
  const section = (count: number, start: number) =>
    readMany(count, start, (at) => {
      lastRecordAt = at;
      return readRecord(bytes, at);
    });
  const answers = section(bytes.readUInt16BE(6), questions.end);
  const authority = section(bytes.readUInt16BE(8), answers.end);
  const additional = section(bytes.readUInt16BE(10), authority.end);
  if (additional.end !== bytes.length) throw new WireError('bytes are left after the message');
  return {
    id: bytes.readUInt16BE(0),
    opcode: (flags >> 11) & 0xf,
    rcode: flags & 0xf,
    response: flags >> 15 === 1,
    authoritative: ((flags >> 10) & 1) === 1,
    questions: questions.value,
    answers: answers.value,
    authority: authority.value,
    additional: additional.value,
    lastRecordAt,
  };
}
