/** Values that the server sets in metadata: times, uids and generated names. */

/** Formats a time in RFC 3339 with seconds, as in metadata. */
export const timestampOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const hex = '0123456789abcdef';

/** Returns a version 4 UUID from a random source. */
export function uuidFrom(random: () => number): string {
  let text = '';
  for (let index = 0; index < 36; index += 1) {
    if (index === 8 || index === 13 || index === 18 || index === 23) text += '-';
    else if (index === 14) text += '4';
    else text += hex[index === 19 ? 8 + Math.floor(random() * 4) : Math.floor(random() * 16)];
  }
  return text;
}

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

/** Returns a name for `metadata.generateName`: the base cut to 58 characters and a random suffix of five, 63 at most. */
export function generatedName(base: string, random: () => number): string {
  let suffix = '';
  for (let index = 0; index < 5; index += 1) suffix += suffixLetters[Math.floor(random() * suffixLetters.length)];
  return base.slice(0, 58) + suffix;
}
