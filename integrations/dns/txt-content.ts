/** Contents of TXT records in the presentation format of zone files (RFC 1035, 5.1). */

/** Longest character-string in bytes. */
const longestString = 255;

/** Formats one byte: printable ASCII as itself, `"` and `\` with a backslash, others as `\DDD`. */
function byteText(byte: number): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
}

/** Formats a text as quoted character-strings of 255 bytes at most, separated by spaces. */
export function txtContentOf(text: string): string {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / longestString));
  const strings = Array.from({ length: count }, (_, index) =>
    [...bytes.subarray(index * longestString, (index + 1) * longestString)].map(byteText).join(''),
  );
  return strings.map((string) => `"${string}"`).join(' ');
}

/** Bytes of one token: `\DDD` is a byte, `\x` is `x`. */
function bytesOf(token: string): Buffer {
  if (/^\\\d{3}$/.test(token)) return Buffer.from([Number(token.slice(1)) & 0xff]);
  return Buffer.from(token.replace(/^\\/, ''));
}

/** Parses quoted character-strings and joins them; a content that begins without a quote is the text itself. */
export function textOfTxtContent(content: string): string {
  if (!content.startsWith('"')) return content;
  const parts: Buffer[] = [];
  let isQuoted = false;
  for (const [token] of content.matchAll(/\\\d{3}|\\.|./gsu)) {
    if (token === '"') isQuoted = !isQuoted;
    else if (isQuoted) parts.push(bytesOf(token));
  }
  return Buffer.concat(parts).toString();
}
