/** Reads the event type and resourceVersion of a line of a watch response, without parsing the line as JSON. */

/** Event type and resourceVersion of a line of a watch response. */
export interface WatchLineHead {
  readonly type: 'ADDED' | 'MODIFIED';
  readonly version: string;
}

const types = ['ADDED', 'MODIFIED'] as const;
const starts = types.map((type) => ({ type, bytes: Buffer.from(`{"type":"${type}",`) }));
const field = Buffer.from('"resourceVersion":"');
const quote = 0x22;

/**
 * Reads the type and resourceVersion of an ADDED or MODIFIED line from its bytes; undefined for other lines, and when the object contains a second
 * `resourceVersion`: parse them.
 */
export function watchLineHead(line: Buffer): WatchLineHead | undefined {
  const start = starts.find(({ bytes }) => line.subarray(0, bytes.length).equals(bytes));
  if (start === undefined) return undefined;
  const at = line.indexOf(field);
  if (at === -1 || line.indexOf(field, at + field.length) !== -1) return undefined;
  const from = at + field.length;
  return { type: start.type, version: line.toString('latin1', from, line.indexOf(quote, from)) };
}

/** Returns the event of a line that echoes an own write, with the object of the write's response (`answerOf`); undefined for any other line. */
export function echoOf<T>(
  line: Buffer | string,
  answerOf: (version: string) => T | undefined,
): { readonly type: WatchLineHead['type']; readonly object: T } | undefined {
  const head = watchLineHead(typeof line === 'string' ? Buffer.from(line) : line);
  const object = head && answerOf(head.version);
  return head === undefined || object === undefined ? undefined : { type: head.type, object };
}
