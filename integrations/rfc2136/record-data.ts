/** Encodes and decodes the data of DNS records. */

import { isIPv4, isIPv6 } from 'node:net';
import { decodeName, encodeName, WireError } from './names.ts';
import { type ResourceRecord, type } from './wire.ts';

/** Types of records that can be published. */
export type PublishedType = 'A' | 'AAAA' | 'CNAME' | 'TXT';

/** Longest character-string of a TXT record, in bytes. */
const maxStringLength = 255;

function strings(text: string): Buffer {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / maxStringLength));
  const parts = Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * maxStringLength, (index + 1) * maxStringLength),
  );
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), part]));
}

function ipv4(address: string): Buffer {
  if (!isIPv4(address)) throw new WireError(`${JSON.stringify(address)} is not an IPv4 address`);
  return Buffer.from(address.split('.').map(Number));
}

function ipv6(address: string): Buffer {
  if (!isIPv6(address) || address.includes('%'))
    throw new WireError(`${JSON.stringify(address)} is not an IPv6 address`);
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

const encoders: Readonly<Record<PublishedType, (target: string) => Buffer>> = {
  A: ipv4,
  AAAA: ipv6,
  CNAME: encodeName,
  TXT: strings,
};

/** Encodes a record's target; a text may have any length. @throws WireError for a target that the type cannot hold */
export const encodeData = (recordType: PublishedType, target: string): Buffer => encoders[recordType](target);

/** Joins the strings of a TXT record's data. @throws WireError */
export function txtTextOf(data: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += data[at]! + 1) {
    const part = data.subarray(at + 1, at + 1 + data[at]!);
    if (part.length < data[at]!) throw new WireError('a string runs past its record');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

const groups = (data: Buffer): string => (data.toString('hex').match(/.{4}/g) ?? []).join(':');

/** Decodes a record's target; hexadecimal for types that are not published here. @throws WireError */
export function decodeData(record: Pick<ResourceRecord, 'type' | 'data'>): string {
  const { data } = record;
  if (record.type === type.A && data.length === 4) return data.join('.');
  if (record.type === type.AAAA && data.length === 16) return new URL(`http://[${groups(data)}]`).hostname.slice(1, -1);
  if (record.type === type.CNAME) return decodeName(data, 0).name;
  if (record.type === type.TXT) return txtTextOf(data);
  return data.toString('hex');
}
