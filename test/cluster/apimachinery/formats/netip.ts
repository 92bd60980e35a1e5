/** Parses IP addresses and networks as Go's netip does. */

/** Parse error in the words of Go's netip. */
export class AddressError extends Error {}

/** IP address of four or sixteen bytes. */
export interface Address {
  readonly bytes: readonly number[];
  readonly zone: string;
}

const quoted = JSON.stringify;

const fail = (text: string, why: string, at = ''): never => {
  throw new AddressError(`ParseAddr(${quoted(text)}): ${why}${at === '' ? '' : ` (at ${quoted(at)})`}`);
};

function checkDot(whole: string, text: string, index: number): void {
  const isEmpty = index === 0 || index === text.length - 1 || text[index - 1] === '.';
  if (isEmpty) fail(whole, 'IPv4 field must have at least one digit', text.slice(index));
  if (text.slice(0, index).split('.').length === 4) fail(whole, 'IPv4 address too long');
}

function checkDigit(whole: string, text: string, index: number): void {
  if (!/\d/.test(text[index]!)) fail(whole, 'unexpected character', text.slice(index));
  const field = text.slice(text.lastIndexOf('.', index) + 1, index + 1);
  if (/^0\d/.test(field)) fail(whole, 'IPv4 field has octet with leading zero');
  if (Number(field) > 255) fail(whole, 'IPv4 field has value >255');
}

function checkDigits(whole: string, text: string): void {
  for (const [index, sign] of [...text].entries()) {
    if (sign === '.') checkDot(whole, text, index);
    else checkDigit(whole, text, index);
  }
}

function fourBytes(whole: string, text: string): readonly number[] {
  checkDigits(whole, text);
  const fields = text.split('.').map(Number);
  return fields.length === 4 ? fields : fail(whole, 'IPv4 address too short');
}

/** Parses a group of an IPv6 address; returns its value and the rest. */
function group(whole: string, text: string): { readonly value: number; readonly rest: string } {
  const [digits = ''] = /^[\da-fA-F]*/.exec(text)!;
  if (digits.length > 4) fail(whole, 'each group must have 4 or less digits', text);
  if (digits === '') fail(whole, 'each colon-separated field must have at least one digit', text);
  return { value: Number.parseInt(digits, 16), rest: text.slice(digits.length) };
}

/** Checks the colon after a group; returns the rest. */
function afterColon(whole: string, rest: string): string {
  if (!rest.startsWith(':')) fail(whole, 'unexpected character, want colon', rest);
  if (rest.length === 1) fail(whole, 'colon must be followed by more characters', rest);
  return rest.slice(1);
}

/** Bytes of an IPv6 address; those that `::` stands for are to be filled in at the gap, -1 without one. */
interface PartialBytes {
  readonly bytes: readonly number[];
  readonly gap: number;
}

function checkEmbedded(whole: string, text: string, { bytes, gap }: PartialBytes): void {
  if (gap < 0 && bytes.length !== 12)
    fail(whole, 'embedded IPv4 address must replace the final 2 fields of the address', text);
  if (bytes.length > 12) fail(whole, 'too many hex fields to fit an embedded IPv4 at the end of the address', text);
}

function filledIn(whole: string, { bytes, gap }: PartialBytes): readonly number[] {
  if (gap < 0) return bytes.length === 16 ? bytes : fail(whole, 'address string too short');
  if (bytes.length === 16) fail(whole, 'the :: must expand to at least one field of zeros');
  return [...bytes.slice(0, gap), ...Array<number>(16 - bytes.length).fill(0), ...bytes.slice(gap)];
}

function sixteenBytes(whole: string, address: string): readonly number[] {
  const bytes: number[] = [];
  let gap = address.startsWith('::') ? 0 : -1;
  let text = gap === 0 ? address.slice(2) : address;
  while (text !== '' && bytes.length < 16) {
    const { value, rest } = group(whole, text);
    if (rest.startsWith('.')) {
      checkEmbedded(whole, text, { bytes, gap });
      bytes.push(...fourBytes(whole, text));
      text = '';
      break;
    }
    bytes.push(value >> 8, value & 255);
    text = rest;
    if (rest === '') break;
    text = afterColon(whole, rest);
    if (!text.startsWith(':')) continue;
    if (gap >= 0) fail(whole, 'multiple :: in address', text);
    gap = bytes.length;
    text = text.slice(1);
  }
  if (text !== '') fail(whole, 'trailing garbage after address', text);
  return filledIn(whole, { bytes, gap });
}

/** Parses an address as Go's `netip.ParseAddr`. Throws an AddressError. */
export function addressIn(text: string): Address {
  const [first] = /[.:%]/.exec(text) ?? [];
  if (first === undefined) return fail(text, 'unable to parse IP');
  if (first === '%') return fail(text, 'missing IPv6 address');
  if (first === '.') return { bytes: fourBytes(text, text), zone: '' };
  const [address = '', zone] = text.split(/%(.*)/s);
  if (zone === '') fail(text, 'zone must be a non-empty string');
  return { bytes: sixteenBytes(text, address), zone: zone ?? '' };
}

/** Reports whether an address is IPv4-mapped IPv6. */
export const isMapped = ({ bytes }: Address): boolean =>
  bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;

/** Returns the longest run of at least two zero groups: its start and end. */
function longestGap(groups: readonly number[]): readonly [number, number] {
  let best: readonly [number, number] = [-1, -1];
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === 0) end += 1;
    if (end - start >= 2 && end - start > best[1] - best[0]) best = [start, end];
  }
  return best;
}

/** Formats an address in canonical form. */
export function addressText({ bytes }: Pick<Address, 'bytes'>): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => bytes[2 * index]! * 256 + bytes[2 * index + 1]!);
  const [start, end] = longestGap(groups);
  const hex = groups.map((one) => one.toString(16));
  return start === -1 ? hex.join(':') : `${hex.slice(0, start).join(':')}::${hex.slice(end).join(':')}`;
}

/** Network: an address and the length of its prefix in bits. */
export interface Network {
  readonly address: Address;
  readonly bits: number;
}

/** Parses a network as Go's `netip.ParsePrefix`. Throws an AddressError. */
export function networkIn(text: string): Network {
  const refuse = (why: string): never => {
    throw new AddressError(`netip.ParsePrefix(${quoted(text)}): ${why}`);
  };
  const slash = text.lastIndexOf('/');
  if (slash === -1) return refuse("no '/'");
  let address: Address;
  try {
    address = addressIn(text.slice(0, slash));
  } catch (error) {
    return refuse((error as Error).message);
  }
  if (address.zone !== '') return refuse('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d+)$/.test(digits)) return refuse(`bad bits after slash: ${quoted(digits)}`);
  const bits = Number(digits);
  return bits > address.bytes.length * 8 ? refuse('prefix length out of range') : { address, bits };
}

/** Returns the bytes of an address with all bits after the prefix cleared. */
export const maskedBytes = (bytes: readonly number[], bits: number): readonly number[] =>
  bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * index))) & 255);
