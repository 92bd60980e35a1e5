/** Contents of TXT records in the presentation format of zone files (RFC 1035, 5.1); Route 53 writes its escape codes in octal. */

/** Longest character-string in bytes. */
const maxStringLength = 255;

/** Radix of the numbers in escape codes. */
type Radix = 8 | 10;

/** Formats one byte: printable ASCII as itself, `"` and `\` with a backslash, others as `\DDD`. */
function byteText(byte: number, radix: Radix): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(radix).padStart(3, '0')}`;
}

/** Formats a text as quoted character-strings of 255 bytes at most, separated by spaces. */
export function txtContentOf(text: string, radix: Radix = 10): string {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / maxStringLength));
  const strings = Array.from({ length: count }, (_, index) =>
    [...bytes.subarray(index * maxStringLength, (index + 1) * maxStringLength)]
      .map((byte) => byteText(byte, radix))
      .join(''),
  );
  return strings.map((string) => `"${string}"`).join(' ');
}

/** Bytes of one token: `\DDD` is a byte, `\x` is `x`. */
function bytesOf(token: string, radix: Radix): Buffer {
  if (/^\\\d{3}$/.test(token)) return Buffer.from([Number.parseInt(token.slice(1), radix) & 0xff]);
  return Buffer.from(token.replace(/^\\/, ''));
}

/** Parses quoted character-strings and joins them; content without a leading quote is the text itself. */
export function textOfTxtContent(content: string, radix: Radix = 10): string {
  if (!content.startsWith('"')) return content;
  const parts: Buffer[] = [];
  let isQuoted = false;
  for (const [token] of content.matchAll(/\\\d{3}|\\.|./gsu)) {
    if (token === '"') isQuoted = !isQuoted;
    else if (isQuoted) parts.push(bytesOf(token, radix));
  }
  return Buffer.concat(parts).toString();
}
