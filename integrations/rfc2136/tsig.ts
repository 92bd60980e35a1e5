/** Signs and verifies DNS messages by TSIG (RFC 8945). */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeName, encodeName } from './names.ts';
import { cls, decodeMessage, encodeRecord, type Message, rcodeName, type, u32 } from './wire.ts';

/** Algorithms by their name on the wire, with their names in node:crypto. */
export const algorithms = {
  'hmac-sha1': 'sha1',
  'hmac-sha224': 'sha224',
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
} as const;

/** Name of a MAC algorithm on the wire. */
export type Algorithm = keyof typeof algorithms;

/** Key shared with the server. */
export interface TsigKey {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly secret: Buffer;
}

/** Time of signing and allowed clock skew, in seconds. */
export interface SigningTime {
  readonly time: number;
  readonly fudge: number;
}

/** Signed message with its MAC, to which the signature of the response is bound. */
export interface Signed {
  readonly bytes: Buffer;
  readonly mac: Buffer;
}

/** Fields of a TSIG record. */
export interface Tsig extends SigningTime {
  readonly keyName: string;
  readonly algorithm: string;
  readonly mac: Buffer;
  readonly originalId: number;
  /** 0, or the error for which the other side rejected the signature. */
  readonly error: number;
  readonly other: Buffer;
}

/** Missing or invalid signature: the message must not be trusted. */
export class TsigError extends Error {
  static {
    TsigError.prototype.name = 'TsigError';
  }
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const u48 = (value: number): Buffer => Buffer.concat([u16(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32)]);
const sized = (bytes: Buffer): Buffer => Buffer.concat([u16(bytes.length), bytes]);

/** Encodes a name for hashing: uncompressed, in lower case. */
const hashedName = (name: string): Buffer => encodeName(name.toLowerCase());

const variables = ({ keyName, algorithm, time, fudge, error, other }: Omit<Tsig, 'mac' | 'originalId'>): Buffer =>
  Buffer.concat([
    hashedName(keyName),
    u16(cls.ANY),
    u32(0),
    hashedName(algorithm),
    u48(time),
    u16(fudge),
    u16(error),
    sized(other),
  ]);

const withAdditional = (message: Buffer, change: number): Buffer => {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(copy.readUInt16BE(10) + change, 10);
  return copy;
};

function appendTsig(message: Buffer, { keyName, algorithm, time, fudge, mac, originalId, error, other }: Tsig): Buffer {
  const data = Buffer.concat([
    hashedName(algorithm),
    u48(time),
    u16(fudge),
    sized(mac),
    u16(originalId),
    u16(error),
    sized(other),
  ]);
  const record = encodeRecord({ name: keyName, type: type.TSIG, class: cls.ANY, ttl: 0, data });
  return Buffer.concat([withAdditional(message, 1), record]);
}

/** Additional input of a signature: the MAC of the request that a response is bound to, and an error. */
export interface SigningOptions {
  /** MAC of the request of this response. */
  readonly requestMac?: Buffer;
  /** @default 0 */
  readonly error?: number;
  /** Time of the server, with BADTIME. @default empty */
  readonly other?: Buffer;
}

/** Signs a message (RFC 8945): returns the bytes to send, with a TSIG record at their end. */
export function sign(
  message: Buffer,
  key: TsigKey,
  { time, fudge, requestMac, error = 0, other = Buffer.alloc(0) }: SigningTime & SigningOptions,
): Signed {
  const signature = { keyName: key.name, algorithm: key.algorithm, time, fudge, error, other };
  const mac = createHmac(algorithms[key.algorithm], key.secret)
    .update(requestMac === undefined ? Buffer.alloc(0) : sized(requestMac))
    .update(message)
    .update(variables(signature))
    .digest();
  return { bytes: appendTsig(message, { ...signature, mac, originalId: message.readUInt16BE(0) }), mac };
}

/** Appends a TSIG record without a MAC, by which a server reports an unknown key or an invalid signature. */
export const signEmpty = (message: Buffer, signature: Omit<Tsig, 'mac' | 'originalId'>): Buffer =>
  appendTsig(message, { ...signature, mac: Buffer.alloc(0), originalId: message.readUInt16BE(0) });

/** Decodes a message's TSIG record; undefined when its last record is another. Verifies nothing. @throws WireError, TsigError */
export function tsigOf(message: Message): Tsig | undefined {
  const record = message.additional.at(-1);
  if (record === undefined || record.type !== type.TSIG) return undefined;
  if (record.class !== cls.ANY || record.ttl !== 0)
    throw new TsigError('a TSIG record has class ANY and no time to live');
  const { name: algorithm, end } = decodeName(record.data, 0);
  const rest = record.data.subarray(end);
  const size = rest.length < 10 ? rest.length : rest.readUInt16BE(8);
  const tail = rest.subarray(10 + size);
  if (tail.length < 6 || tail.readUInt16BE(4) !== tail.length - 6) throw new TsigError('a TSIG record is cut short');
  return {
    keyName: record.name,
    algorithm,
    time: rest.readUIntBE(0, 6),
    fudge: rest.readUInt16BE(6),
    mac: rest.subarray(10, 10 + size),
    originalId: tail.readUInt16BE(0),
    error: tail.readUInt16BE(2),
    other: tail.subarray(6),
  };
}

const same = (a: string, b: string): boolean => hashedName(a).equals(hashedName(b));

/** Time of receipt in seconds since the epoch and, for a response, the MAC of its request. */
export interface Receipt {
  readonly now: number;
  readonly requestMac?: Buffer;
}

/**
 * Verifies the signature of a received message, in constant time.
 * @returns its TSIG record. A valid MAC authenticates the sender; `error` in it may still report a refusal.
 * @throws TsigError when it is unsigned, by another key, forged, or signed at a time too far from `now`
 */
export function verify(bytes: Buffer, key: TsigKey, { now, requestMac }: Receipt): Tsig {
  const message = decodeMessage(bytes);
  const tsig = tsigOf(message);
  if (tsig === undefined) throw new TsigError(`an unsigned ${rcodeName(message.rcode)}`);
  if (!same(tsig.keyName, key.name) || !same(tsig.algorithm, key.algorithm))
    throw new TsigError(`signed with ${tsig.keyName} (${tsig.algorithm}), not with ${key.name} (${key.algorithm})`);
  const unsigned = withAdditional(bytes.subarray(0, message.lastRecordAt), -1);
  unsigned.writeUInt16BE(tsig.originalId, 0);
  const { mac } = sign(unsigned, key, { ...tsig, ...(requestMac && { requestMac }) });
  if (mac.length !== tsig.mac.length || !timingSafeEqual(mac, tsig.mac))
    throw new TsigError('the signature does not hold');
  if (tsig.error === 0 && Math.abs(now - tsig.time) > tsig.fudge)
    throw new TsigError(
      `signed ${Math.round(now - tsig.time)} s ago by its clock, more than the ${tsig.fudge} s allowed`,
    );
  return tsig;
}
