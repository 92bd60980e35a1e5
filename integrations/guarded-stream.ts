/** Limits of streams that vendors' libraries read. */

import type { Socket } from 'node:net';

/** Maximum bytes that a server may send on one connection; the expected responses have a few thousand at most. */
export const maxAnswersLength = 1_048_576;

/** Limits of what a server may send on one connection. */
export interface ReceiveLimits {
  /** Bytes. @default 1 MiB */
  readonly maxBytes?: number;
  /** Maximum number of lines, for protocols whose library has a cost for each. @default unlimited */
  readonly maxLines?: number;
}

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', end + 1)) lines += 1;
  return lines;
}

/**
 * Destroys a stream with an error when it receives more than its limits, or when a `data` listener throws, which would otherwise end the process.
 * @returns the stream
 */
export function guardedStream<Stream extends Socket>(stream: Stream, limits: ReceiveLimits = {}): Stream {
  const { maxBytes = maxAnswersLength, maxLines } = limits;
  const emit = stream.emit.bind(stream) as (name: string | symbol, ...values: unknown[]) => boolean;
  let received = 0;
  let lines = 0;
  const receive = (chunk: Buffer): boolean => {
    received += chunk.length;
    if (received > maxBytes) throw new Error(`the server has sent more than ${maxBytes} bytes`);
    if (maxLines !== undefined) lines += linesIn(chunk);
    if (maxLines !== undefined && lines > maxLines) throw new Error(`the server has sent more than ${maxLines} lines`);
    return emit('data', chunk);
  };
  stream.emit = (name: string | symbol, ...values: unknown[]): boolean => {
    if (name !== 'data') return emit(name, ...values);
    if (stream.destroyed) return false;
    try {
      return receive(values[0] as Buffer);
    } catch (cause) {
      stream.destroy(new Error(`what the server sends cannot be read: ${(cause as Error).message}`, { cause }));
      return true;
    }
  };
  return stream;
}
