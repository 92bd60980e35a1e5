const lineEnd = /[\r\n]/;
const digit = /[A-Za-z0-9+/]/;

/** Where the next character is that does not end a line. */
function pastLineEnds(text: string, from: number): number {
  let at = from;
  while (at < text.length && lineEnd.test(text[at]!)) at += 1;
  return at;
}

/** Where Go finds fault with padding that begins at an index, after so many digits of its quantum; undefined when it does not. */
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

/** The byte of which Go's `base64.StdEncoding` says that it is illegal; undefined when all of it can be decoded. Line ends may be anywhere. */
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

/** The one way to write what a text in base64 stands for, as Go writes it again. */
export const canonicalBase64 = (text: string): string => Buffer.from(text, 'base64').toString('base64');
