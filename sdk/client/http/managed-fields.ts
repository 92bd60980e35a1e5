/** Removes `managedFields` from JSON texts before they are parsed. */

/** Bracket depth of `metadata.managedFields` in the JSON of an object, a watch event and a list. */
export const textDepth = { object: 2, event: 3, list: 4 } as const;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const fieldStart = '"managedFields":[';
const metadataMember = '"metadata":';

const isOpening = (code: number): boolean => code === 0x7b || code === 0x5b;
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d;

/** Returns by how much a character outside strings changes the depth. */
const depthChange = (code: number): number => {
  if (isOpening(code)) return 1;
  return isClosing(code) ? -1 : 0;
};

/** Returns the index after the string that begins at `at`. */
function afterString(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === quote) return next + 1;
    if (code === backslash) next += 1;
  }
  return text.length;
}

/** Returns the index after the object or list that begins at `at`. */
function afterValue(text: string, at: number): number {
  let depth = 0;
  for (let next = at; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === quote) next = afterString(text, next) - 1;
    else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) {
      depth -= 1;
      if (depth === 0) return next + 1;
    }
  }
  return text.length;
}

const isMetadata = (text: string, at: number): boolean =>
  text.startsWith(metadataMember, at - metadataMember.length) &&
  text.charCodeAt(at - metadataMember.length - 1) !== backslash;

/** Extends the range of a member by one adjacent comma. */
const withComma = (text: string, from: number, to: number): readonly [number, number] => {
  if (text.charCodeAt(from - 1) === comma) return [from - 1, to];
  return [from, text.charCodeAt(to) === comma ? to + 1 : to];
};

/**
 * Removes the `managedFields` of the object or objects in a server's JSON: they are half of most texts, and parsing them is slower than skipping them.
 * Fields of that name elsewhere are kept. A text with an unusual layout is returned unchanged.
 */
export function withoutManagedFields(text: string, depthOfMetadata: number): string {
  if (!text.includes(fieldStart)) return text;
  let result = '';
  let from = 0;
  let depth = 0;
  let inMetadata = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== quote) {
      depth += depthChange(code);
      if (depth === depthOfMetadata && isOpening(code)) inMetadata = isMetadata(text, at);
      continue;
    }
    const isManaged = inMetadata && depth === depthOfMetadata && text.startsWith(fieldStart, at);
    if (!isManaged) {
      at = afterString(text, at) - 1;
      continue;
    }
    const end = afterValue(text, at + fieldStart.length - 1);
    const [start, next] = withComma(text, at, end);
    result += text.slice(from, start);
    if (depthOfMetadata !== textDepth.list) return result + text.slice(next);
    from = next;
    at = end - 1;
  }
  return result + text.slice(from);
}
