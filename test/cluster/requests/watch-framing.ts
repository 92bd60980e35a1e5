/** Framing of watch events in a stream. */

import { goJson } from '../apimachinery/go/go-json.ts';

/** Encoded watch event. */
export interface EventFrame {
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Encoding of a sequence of watch events. */
export interface Framing {
  /** Media type of the stream. */
  readonly contentType: string;
  /** Splits a chunk into events; the server writes only complete ones. */
  framesOf(chunk: Uint8Array): readonly EventFrame[];
  /** Encodes the error that ends a watch. */
  errorFrame(status: object): Uint8Array;
  /** Converts a frame to a WebSocket message. */
  messageOf(frame: EventFrame): { readonly kind: 'text' | 'binary'; readonly payload: Uint8Array };
}

const newline = 10;
const start = '{"type":"';

const lineOf = (bytes: Uint8Array): EventFrame => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 32)).toString('latin1');
  return { type: head.slice(start.length, head.indexOf('"', start.length)), bytes };
};

/** Framing as one line of JSON per event. */
export const jsonLines: Framing = {
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
