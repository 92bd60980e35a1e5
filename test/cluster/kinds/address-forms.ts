import { isIP } from 'node:net';

/** What is said of a text that is no address. */
export const notAnAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** An IPv4 address without the zeros that some write before numbers. */
const withoutZeros = (text: string): string => (/^[\d.]+$/.test(text) ? text.replace(/(^|\.)0+(?=\d)/g, '$1') : text);

/** The family of an address, 0 for what is none; as the server does, zeros before numbers are overlooked and zones are not. */
export const addressFamily = (text: string): 0 | 4 | 6 =>
  text.includes('%') ? 0 : (isIP(withoutZeros(text)) as 0 | 4 | 6);

/** An address as it is usually written. */
export const canonicalAddress = (text: string): string => {
  const plain = withoutZeros(text);
  return isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : plain;
};

/** What is wrong with an address as newer fields want it. */
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
