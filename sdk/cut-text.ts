/** Truncates texts for fields of bounded length. */

/** Longest reason of a workspace's condition, and longest cause in its journal, in characters. */
export const maxReasonLength = 1024;

/**
 * Returns at most `length` UTF-16 code units of a text, well-formed: no surrogate pair is split, and a lone surrogate becomes U+FFFD, as API servers
 * store it, so that the result equals what is read back.
 */
export function cutText(text: string, length: number): string {
  const start = text.slice(0, length);
  return (text.length > length ? start.replace(/[\ud800-\udbff]$/, '') : start).toWellFormed();
}
