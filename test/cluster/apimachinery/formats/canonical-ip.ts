/** Parses and normalizes IP addresses. */

import { isIP } from 'node:net';

/** Error message of invalid addresses. */
export const notAnAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** Removes leading zeros from the numbers of an IPv4 address. */
const withoutZeros = (text: string): string => (/^[\d.]+$/.test(text) ? text.replace(/(^|\.)0+(?=\d)/g, '$1') : text);

/** Returns the family of an address, or 0 for an invalid one; as in the server, leading zeros are accepted and zones are not. */
export const addressFamily = (text: string): 0 | 4 | 6 =>
  text.includes('%') ? 0 : (isIP(withoutZeros(text)) as 0 | 4 | 6);

/** Returns an address in canonical form. */
export const canonicalAddress = (text: string): string => {
  const plain = withoutZeros(text);
  return isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : plain;
};

/** Validates an address by the strict rules of newer fields. */
export function addressProblems(text: string): readonly string[] {
  const canonical = canonicalAddress(text);
  const rules: readonly (readonly [boolean, string])[] = [
    [addressFamily(text) === 0, notAnAddress],
    [isIP(text) === 0, 'must not have leading 0s'],
    [/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(text), 'must not be an IPv4-mapped IPv6 address'],
    [canonical !== text, `must be in canonical form ("${canonical}")`],
  ];
  return rules
    .filter(([isWrong]) => isWrong)
    .map(([, detail]) => detail)
    .slice(0, 1);
}
