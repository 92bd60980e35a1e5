/** Names and label values that are derived from names of other objects, which may be longer. */

import { createHash } from 'node:crypto';

/** Longest label value, and longest name of an object, in characters. */
const [longestLabel, longestName] = [63, 253];

/** Length of a digest: 64 bits of SHA-256 in hex. */
const digestLength = 16;

/** Returns the beginning of a text, with a digest of `whole`: no longer than `longest`. */
function shortened(text: string, whole: string, longest: number): string {
  const beginning = text.slice(0, longest - digestLength - 1).replace(/[^a-z0-9]{1,253}$/, '');
  return `${beginning}-${createHash('sha256').update(whole).digest('hex').slice(0, digestLength)}`;
}

/** Returns the label value for an object's name: the name itself if it is not too long, else its beginning with a digest. */
export const labelValueOf = (name: string): string =>
  name.length <= longestLabel ? name : shortened(name, name, longestLabel);

const validName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Joins the parts by `-` if that is a valid name of an object; else makes one, with a digest to keep it unique. The first part is a name. */
export function dnsSubdomainName(...parts: readonly string[]): string {
  const joined = parts.join('-');
  if (joined.length <= longestName && validName.test(joined)) return joined;
  return shortened(joined.toLowerCase().replaceAll(/[^a-z0-9]/g, '-'), joined, longestName);
}
