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

/** Returns a text as by {@link cutText}; one that was cut ends in `…`, by which SecretRegistry recognises the rest of a secret, whatever follows. */
export const cutWithEllipsis = (text: string, length: number): string =>
  text.length > length ? `${cutText(text, length - 1)}…` : cutText(text, length);

/** Characters of a text that are redacted at most before it is cut: more than any text that is cut has, redacted or not. */
const maxRedacted = 16_384;

/** Returns a text redacted, and then cut as by {@link cutText}, since what takes the place of a secret may be longer. Takes bounded time. */
export const redactAndCut = (text: string, length: number, redact: (text: string) => string): string =>
  cutText(redact(cutText(text, maxRedacted)), length);
