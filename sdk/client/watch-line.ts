/** What can be read off a watch's line without parsing it. */
export interface LineHead {
  readonly type: 'ADDED' | 'MODIFIED';
  readonly version: string;
}

const types = ['ADDED', 'MODIFIED'] as const;
const starts = types.map((type) => ({ type, bytes: Buffer.from(`{"type":"${type}",`) }));
const field = Buffer.from('"resourceVersion":"');
const quote = 0x22;

/**
 * The type and resourceVersion of an ADDED or MODIFIED line, read off its bytes; undefined when they are not certain,
 * as when the object holds a second resourceVersion somewhere: then parse it.
 */
export function headOf(line: Buffer): LineHead | undefined {
  const start = starts.find(({ bytes }) => line.subarray(0, bytes.length).equals(bytes));
  if (start === undefined) return undefined;
  const at = line.indexOf(field);
  if (at === -1 || line.indexOf(field, at + field.length) !== -1) return undefined;
  const from = at + field.length;
  return { type: start.type, version: line.toString('latin1', from, line.indexOf(quote, from)) };
}

/** The event of a line whose object we have already: it is one of our own writes, and `answerOf` has what the server answered. */
export function echoOf<T>(
  line: Buffer | string,
  answerOf: (version: string) => T | undefined,
): { readonly type: LineHead['type']; readonly object: T } | undefined {
  const head = headOf(typeof line === 'string' ? Buffer.from(line) : line);
  const object = head && answerOf(head.version);
  return head === undefined || object === undefined ? undefined : { type: head.type, object };
}
