/** Texts of workspaces and third parties in messages, with a maximum length. */

/** Longest text that is quoted, in characters. */
const maxLength = 140;

const codeOf = (one: string): string =>
  [...Array(one.length).keys()].map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** Quotes a value of a workspace for a message, as JSON on one line: invisible and bidirectional formatting characters are escaped, long values are cut. */
export function quoted(value: unknown): string {
  const text = (JSON.stringify(value) ?? 'nothing').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, codeOf);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/**
 * Returns a text as one line of bounded length. One that was cut ends in `…`, by which what is left of a secret in it is recognised.
 * @param maxLength in characters, without the `…`
 */
export function shortLine(text: string, maxLength = 300): string {
  const start = text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : text;
  const line = start.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return text.length > maxLength ? `${line}…` : line;
}
