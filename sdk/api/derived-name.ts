/** Names and label values that are derived from names of other objects, which may be longer. */

import { nodeCrypto } from '../node-builtins.ts';

/** Longest label value, and longest name of an object, in characters. */
const [longestLabel, longestName] = [63, 253];

/** Length of a digest: 64 bits of SHA-256 in hex. */
const digestLength = 16;

/** Truncates a text and appends a digest of `whole`; the result has at most `longest` characters. */
function withDigest(text: string, whole: string, longest: number): string {
  const beginning = text.slice(0, longest - digestLength - 1).replace(/[^a-z0-9]{1,253}$/, '');
  return `${beginning}-${nodeCrypto().createHash('sha256').update(whole).digest('hex').slice(0, digestLength)}`;
}

/** Returns the label value of an object's name: the name, or its beginning with a digest if it has more than 63 characters. */
export const labelValueOf = (name: string): string =>
  name.length <= longestLabel ? name : withDigest(name, name, longestLabel);

const validName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Joins the parts by `-` if the result is a valid DNS subdomain; else returns a valid one with a digest that keeps it unique. The first part must be a name. */
export function dnsSubdomainName(...parts: readonly string[]): string {
  const joined = parts.join('-');
  if (joined.length <= longestName && validName.test(joined)) return joined;
  return withDigest(joined.toLowerCase().replaceAll(/[^a-z0-9]/g, '-'), joined, longestName);
}
