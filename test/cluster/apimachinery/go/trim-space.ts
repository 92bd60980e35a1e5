/** Go's `strings.TrimSpace`. */

const whiteSpace = /\p{White_Space}/u;

/** Trims Unicode white space as Go's `strings.TrimSpace`: also U+0085, and not U+FEFF. */
export function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && whiteSpace.test(text[start]!)) start += 1;
  while (end > start && whiteSpace.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
