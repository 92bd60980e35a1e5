/** Base64 as Go's `encoding/base64` reads and writes it. */

const lineEnd = /[\r\n]/;
const digit = /[A-Za-z0-9+/]/;

/** Returns the index of the next character that is not a line end. */
function pastLineEnds(text: string, from: number): number {
  let at = from;
  while (at < text.length && lineEnd.test(text[at]!)) at += 1;
  return at;
}

/** Returns the index of Go's error in padding that begins at `at`, after `digits` digits of its quantum; undefined when the padding is valid. */
function paddingFault(text: string, at: number, digits: number): number | undefined {
  if (text[at] !== '=' || digits < 2) return at;
  let last = at;
  if (digits === 2) {
    last = pastLineEnds(text, at + 1);
    if (last === text.length) return last;
    if (text[last] !== '=') return last - 1;
  }
  const rest = pastLineEnds(text, last + 1);
  return rest < text.length ? rest : undefined;
}

/** Returns the index of the illegal byte that Go's `base64.StdEncoding` reports; undefined for valid input. Line ends are allowed anywhere. */
export function base64Fault(text: string): number | undefined {
  let digits = 0;
  let at = pastLineEnds(text, 0);
  while (at < text.length) {
    if (!digit.test(text[at]!)) return paddingFault(text, at, digits);
    digits = (digits + 1) % 4;
    at = pastLineEnds(text, at + 1);
  }
  return digits === 0 ? undefined : text.length - digits;
}

/** Re-encodes a base64 text in its canonical form. */
export const canonicalBase64 = (text: string): string => Buffer.from(text, 'base64').toString('base64');
