/** Bounds of streams from servers that libraries of vendors read. */

import type { Socket } from 'node:net';

/** Longest of all that a server may send on one connection, in bytes: answers to what is asked here have a few thousand at most. */
export const longestAnswers = 1_048_576;

/**
 * Guards a stream against its server: it ends with an error once more was received than `longest`, and with the error of a listener that cannot read what was
 * received. Without that, such an error would end the process. @returns the stream
 */
export function guardedStream<Stream extends Socket>(stream: Stream, longest = longestAnswers): Stream {
  const emit = stream.emit.bind(stream) as (name: string | symbol, ...values: unknown[]) => boolean;
  let received = 0;
  const take = (chunk: unknown): boolean => {
    received += Buffer.byteLength(chunk as Buffer);
    if (received > longest) throw new Error(`the server has sent more than ${longest} bytes`);
    return emit('data', chunk);
  };
  stream.emit = (name: string | symbol, ...values: unknown[]): boolean => {
    if (name !== 'data') return emit(name, ...values);
    if (stream.destroyed) return false;
    try {
      return take(values[0]);
    } catch (cause) {
      stream.destroy(new Error(`what the server sends cannot be read: ${(cause as Error).message}`, { cause }));
      return true;
    }
  };
  return stream;
}
