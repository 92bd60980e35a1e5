/** One line of a watch. */
export interface EventLine {
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

const newline = 10;
const start = '{"type":"';

const lineOf = (bytes: Uint8Array): EventLine => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 32)).toString('latin1');
  return { type: head.slice(start.length, head.indexOf('"', start.length)), bytes };
};

/** The lines of a chunk; the server writes whole ones only. */
export function linesOf(chunk: Uint8Array): readonly EventLine[] {
  const lines: EventLine[] = [];
  for (let from = 0; from < chunk.byteLength; ) {
    const at = chunk.indexOf(newline, from);
    const end = at === -1 ? chunk.byteLength : at + 1;
    lines.push(lineOf(chunk.subarray(from, end)));
    from = end;
  }
  return lines;
}

/** Whether a line is about an object, and not about the watch itself. */
export const isChange = ({ type }: EventLine): boolean => type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';

/** Whether a line ends the initial events of a streaming list. */
export const isInitialEnd = ({ type, bytes }: EventLine): boolean =>
  type === 'BOOKMARK' && Buffer.from(bytes).includes('k8s.io/initial-events-end');
