/** Encodes and decodes DNS names (RFC 1035). */

/** Thrown for an invalid DNS message, or a value that cannot be encoded. */
export class WireError extends Error {
  static {
    WireError.prototype.name = 'WireError';
  }
}

const escapeByte = (byte: number): string => {
  if (byte === 0x2e || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
};

/** Longest name in characters, with each of its 255 bytes written as `\DDD`. */
const maxTextLength = 4 * 255;

function mistakeInLabels(labels: readonly (readonly number[])[]): string | undefined {
  const bytes = labels.flat();
  if (bytes.some((byte) => byte > 255)) return 'an escape is above \\255';
  if (labels.some(({ length }) => length === 0 || length > 63)) return 'a label must have 1 to 63 bytes';
  return bytes.length + labels.length + 1 > 255 ? 'must fit into 255 bytes' : undefined;
}

/** Splits a name in presentation form into labels: `\.`, `\\` and `\DDD` are escapes. @throws WireError */
export function labelsOf(name: string): readonly Buffer[] {
  if (name === '.') return [];
  if (name.length > maxTextLength) throw new WireError(`a name of ${name.length} characters: must fit into 255 bytes`);
  const labels: number[][] = [[]];
  for (const [token] of name.matchAll(/\\\d{3}|\\.|[^\\]|\\$/gsu)) {
    if (token === '.') labels.push([]);
    else if (token.length === 4 && token.startsWith('\\')) labels.at(-1)!.push(Number(token.slice(1)));
    else labels.at(-1)!.push(...Buffer.from(token.replace(/^\\(.)/su, '$1')));
  }
  if (labels.at(-1)!.length === 0) labels.pop();
  const mistake = mistakeInLabels(labels);
  if (mistake !== undefined) throw new WireError(`name ${JSON.stringify(name)}: ${mistake}`);
  return labels.map((label) => Buffer.from(label));
}

/** Encodes a name, uncompressed; a trailing dot makes no difference. @throws WireError */
export const encodeName = (name: string): Buffer =>
  Buffer.concat([...labelsOf(name).flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])]);

/** Limit of compression pointers: a name has at most 127 labels. */
const maxPointers = 127;

/** Decodes the compression pointer at `at`. @throws WireError */
function pointerAt(bytes: Buffer, at: number): number {
  const target = ((bytes[at]! & 0x3f) << 8) | (bytes[at + 1] ?? 0);
  if (at + 1 >= bytes.length || target >= at) throw new WireError('a compression pointer does not point backwards');
  return target;
}

function labelAt(bytes: Buffer, at: number, length: number): string {
  const label = bytes.subarray(at, at + length);
  if (length > 63 || label.length < length) throw new WireError('a name is longer than it may be');
  return [...label].map(escapeByte).join('');
}

/** Decodes a name at `offset`, following compression pointers (backwards only). `end` is the offset after it. @throws WireError */
export function decodeName(bytes: Buffer, offset: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let end: number | undefined;
  let at = offset;
  let size = 1;
  let pointers = 0;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) throw new WireError('a name runs past the end');
    if (length === 0) return { name: labels.join('.'), end: end ?? at + 1 };
    if (length >= 0xc0) {
      const target = pointerAt(bytes, at);
      pointers += 1;
      if (pointers > maxPointers) throw new WireError(`a name has more than ${maxPointers} compression pointers`);
      end ??= at + 2;
      at = target;
      continue;
    }
    size += length + 1;
    if (size > 255) throw new WireError('a name is longer than it may be');
    labels.push(labelAt(bytes, at + 1, length));
    at += 1 + length;
  }
}
