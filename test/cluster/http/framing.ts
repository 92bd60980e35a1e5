import { goJson } from '../go-json.ts';

/** One event of a watch, as it goes over the wire. */
export interface EventFrame {
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** How the events of a watch follow each other. */
export interface Framing {
  /** The media type of the stream. */
  readonly contentType: string;
  /** The events of a chunk; the server writes whole ones only. */
  framesOf(chunk: Uint8Array): readonly EventFrame[];
  /** The event that says why a watch cannot go on. */
  errorFrame(status: object): Uint8Array;
  /** A frame as a message of a WebSocket. */
  messageOf(frame: EventFrame): { readonly kind: 'text' | 'binary'; readonly payload: Uint8Array };
}

const newline = 10;
const start = '{"type":"';

const lineOf = (bytes: Uint8Array): EventFrame => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 32)).toString('latin1');
  return { type: head.slice(start.length, head.indexOf('"', start.length)), bytes };
};

/** A line of JSON for each event. */
export const lines: Framing = {
  contentType: 'application/json',
  framesOf(chunk) {
    const found: EventFrame[] = [];
    for (let from = 0; from < chunk.byteLength; ) {
      const at = chunk.indexOf(newline, from);
      const end = at === -1 ? chunk.byteLength : at + 1;
      found.push(lineOf(chunk.subarray(from, end)));
      from = end;
    }
    return found;
  },
  errorFrame: (object) => Buffer.from(`${goJson({ type: 'ERROR', object })}\n`),
  messageOf: ({ bytes }) => ({ kind: 'text', payload: bytes }),
};
