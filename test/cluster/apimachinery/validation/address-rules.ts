/** Validation rules of ports, IP addresses and CIDR ranges. */

import { isIP } from 'node:net';
import { addressFamily, addressProblems, canonicalAddress, notAnAddress } from '../formats/canonical-ip.ts';
import { named, type Rule } from './combinators.ts';
import { badPort, invalid } from './errors.ts';

/** Validates a port name: at most 15 letters, digits and hyphens, with at least one letter. */
const portName = (name: string): readonly string[] => [
  ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
  ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
  ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
];

/** Rule of port names. */
export const namedPort = named(portName);

/** Rule of port numbers; an absent one counts as 0. */
export const portNumber: Rule = (value, path) => badPort(path, value ?? 0);

/** Rule of port numbers or names. */
export const portNumberOrName: Rule = (value, path) =>
  typeof value === 'string' ? namedPort(value, path) : portNumber(value, path);

/** Rule of addresses of either family; older fields accept unusual forms. */
export const ipAddress: Rule = function* (value, path) {
  if (addressFamily(String(value ?? '')) === 0) yield invalid(path, value ?? '', notAnAddress);
};

/** Rule of addresses in newer, strict fields. */
export const strictAddress = named(addressProblems);

/** Ranges of addresses that no endpoint may have, with their messages. */
const special: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^(?:0\.0\.0\.0|::)$/, (text) => `may not be unspecified (${text})`],
  [/^(?:127\.|::1$)/, () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^(?:169\.254\.|fe[89ab]\w:)/, () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^(?:224\.0\.0\.|ff02:)/, () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** Rule of endpoint addresses. */
export const endpointAddress: Rule = function* (value, path) {
  const text = String(value ?? '');
  if (addressFamily(text) === 0) yield invalid(path, text, 'must be a valid IP address');
  const canonical = canonicalAddress(text);
  for (const [pattern, detail] of special) if (pattern.test(canonical)) yield invalid(path, text, detail(text));
};

const wantedRange = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Parses a CIDR range; undefined when it is invalid. */
function partsOf(text: string): { readonly ip: string; readonly bits: number; readonly family: 4 | 6 } | undefined {
  const [ip = '', bits = '', ...more] = text.split('/');
  const family = addressFamily(ip);
  const most = family === 4 ? 32 : 128;
  const isRange = family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most && more.length === 0;
  return isRange ? { ip: canonicalAddress(ip), bits: Number(bits), family: family as 4 | 6 } : undefined;
}

/** Rule of CIDR ranges. */
export const addressRange: Rule = function* (value, path) {
  if (partsOf(String(value ?? '')) === undefined) yield invalid(path, value ?? '', wantedRange);
};

const groupsOf = (ip: string): readonly number[] => {
  const [head = '', tail] = ip.split('::');
  const read = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [start, end] = [read(head), read(tail ?? '')];
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end];
};

/** Returns an address as a number. */
const numberOf = (ip: string): bigint =>
  ip.includes(':')
    ? groupsOf(ip).reduce((sum, group) => (sum << 16n) + BigInt(group), 0n)
    : ip.split('.').reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n);

const firstOf = ({ ip, bits, family }: { ip: string; bits: number; family: 4 | 6 }): bigint => {
  const rest = BigInt((family === 4 ? 32 : 128) - bits);
  return (numberOf(ip) >> rest) << rest;
};

/** Rule of CIDR ranges in newer, strict fields. */
export const strictRange: Rule = function* (value, path) {
  const text = String(value ?? '');
  const parts = partsOf(text);
  if (parts === undefined) yield invalid(path, text, wantedRange);
  else if (isIP(text.split('/')[0]!) === 0)
    yield invalid(path, text, 'must not have leading 0s in IP or prefix length');
  else if (firstOf(parts) !== numberOf(parts.ip)) {
    yield invalid(path, text, 'must not have bits set beyond the prefix length');
  } else if (`${parts.ip}/${parts.bits}` !== text) {
    yield invalid(path, text, `must be in canonical form ("${parts.ip}/${parts.bits}")`);
  }
};

/** Reports whether a range is a proper subset of another. */
export function isWithin(inner: string, outer: string): boolean {
  const [small, large] = [partsOf(inner), partsOf(outer)];
  if (small === undefined || large === undefined || small.family !== large.family) return false;
  const same = firstOf({ ...small, bits: large.bits }) === firstOf(large);
  return same && small.bits > large.bits;
}

/** Reports whether a range is IPv6. */
export const isIpv6Range = (range: string): boolean => range.includes(':');

/** Returns the warnings for a valid address in an unusual form. */
export function addressWarnings(value: unknown, path: string): readonly string[] {
  const text = String(value);
  const canonical = canonicalAddress(text);
  if (isIP(text) === 0) {
    return [
      `${path}: non-standard IP address "${text}" will be considered invalid in a future Kubernetes release: use "${canonical}"`,
    ];
  }
  return canonical === text
    ? []
    : [`${path}: IPv6 address "${text}" should be in RFC 5952 canonical format ("${canonical}")`];
}

const addressOf = (value: bigint, family: 4 | 6): string => {
  const [count, size] = family === 4 ? [4, 8n] : [8, 16n];
  const parts = Array.from(
    { length: count },
    (_, index) => (value >> (size * BigInt(count - 1 - index))) & ((1n << size) - 1n),
  );
  return family === 4 ? parts.join('.') : canonicalAddress(parts.map((part) => part.toString(16)).join(':'));
};

/** Returns the warnings for a valid range in an unusual form. */
export function rangeWarnings(value: unknown, path: string): readonly string[] {
  const text = String(value);
  const parts = partsOf(text);
  if (parts === undefined) return [];
  const { ip, bits, family } = parts;
  const masked = `${addressOf(firstOf(parts), family)}/${bits}`;
  const single = `${ip}/${family === 4 ? 32 : 128}`;
  const isOdd = isIP(text.split('/')[0]!) === 0;
  const warnings = [
    ...(firstOf(parts) === numberOf(ip)
      ? []
      : [`${path}: CIDR value "${text}" is ambiguous in this context (should be "${masked}" or "${single}"?)`]),
    ...(isOdd
      ? [
          `${path}: non-standard CIDR value "${text}" will be considered invalid in a future Kubernetes release: use "${masked}"`,
        ]
      : []),
  ];
  if (warnings.length > 0 || `${ip}/${bits}` === text || family === 4) return warnings;
  return [`${path}: IPv6 CIDR value "${text}" should be in RFC 5952 canonical format ("${ip}/${bits}")`];
}
