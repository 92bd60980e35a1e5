/** Exchanges DNS messages over TCP. */

import { connect, type Socket } from 'node:net';
import type { Clock } from '../../sdk/index.ts';

/** TCP address of a name server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** No complete response was received. `sent` reports whether the server may have received the request. */
export class ExchangeError extends Error {
  static {
    ExchangeError.prototype.name = 'ExchangeError';
  }
  readonly sent: boolean;

  constructor(message: string, sent: boolean, options?: ErrorOptions) {
    super(message, options);
    this.sent = sent;
  }
}

/** Deadline, clock and signal of an exchange. */
export interface ExchangeOptions {
  /** ms until the exchange fails. */
  readonly deadline: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Prefixes a message with its length, as TCP requires. */
export function frame(message: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(message.length + 2);
  framed.writeUInt16BE(message.length, 0);
  message.copy(framed, 2);
  return framed;
}

/** Returns the first message in the received bytes; undefined while it is incomplete. */
export function unframe(received: Buffer): Buffer | undefined {
  if (received.length < 2) return undefined;
  const length = received.readUInt16BE(0);
  return received.length < length + 2 ? undefined : received.subarray(2, length + 2);
}

/** Longest message with its length prefix, in bytes. */
const maxFrameLength = 2 + 0xffff;

/** Calls `answer` with the first complete message from a socket; each byte is copied once, regardless of the number of chunks. */
function onMessage(socket: Socket, answer: (message: Buffer) => void): void {
  const received = Buffer.allocUnsafe(maxFrameLength);
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    length += chunk.copy(received, length);
    const message = unframe(received.subarray(0, length));
    if (message !== undefined) answer(message);
  });
}

/** Sends one message and resolves with the response. @throws ExchangeError when none arrived */
export type Exchange = (address: ServerAddress, message: Buffer, options: ExchangeOptions) => Promise<Buffer>;

/**
 * Sends one message over a new connection and resolves with the response.
 * @throws ExchangeError when none arrived: refused, reset, closed early, past the deadline or aborted
 */
export function exchange(
  { host, port }: ServerAddress,
  message: Buffer,
  { deadline, clock, signal }: ExchangeOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let sent = false;
    const fail = (why: string, cause?: unknown) => {
      settle();
      reject(new ExchangeError(`name server ${host}:${port}: ${why}`, sent, { cause }));
    };
    if (signal.aborted) return reject(new ExchangeError(`name server ${host}:${port}: aborted`, false));
    const socket = connect({ host, port, noDelay: true });
    const onAbort = () => fail('aborted', signal.reason);
    const cancel = clock.after(deadline, () => fail(`no answer within ${deadline} ms`));
    const settle = () => {
      cancel();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('connect', () => {
      sent = true;
      socket.write(frame(message));
    });
    socket.on('error', (error) =>
      fail(error.message || (error as NodeJS.ErrnoException).code || 'no connection', error),
    );
    socket.on('end', () => fail('closed the connection without an answer'));
    onMessage(socket, (answer) => {
      settle();
      resolve(answer);
    });
  });
}
