/** A name server in this process. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { frame, unframe } from '../../../../integrations/rfc2136/exchange.ts';
import { createResponder, type Fault, type Responder, type ResponderOptions } from './responder.ts';

/**
 * A name server in this process: RFC 2136 with prerequisites, TSIG, TCP on the loopback address. Strict: a message that it cannot verify
 * changes nothing.
 */
export interface TestNameServer extends Omit<Responder, 'respond'> {
  readonly host: string;
  readonly port: number;
  /** Number of received messages. */
  readonly requests: number;
  failNext(fault: Fault): void;
  close(): Promise<void>;
}

/** Calls `answer` with the first message of each connection and sends the result; without a result the connection is cut. */
function listen(answer: (bytes: Buffer) => Buffer | 'silence' | undefined) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let received: Buffer = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const bytes = unframe(received);
      const response = bytes === undefined ? 'silence' : answer(bytes);
      if (response === undefined) socket.destroy();
      else if (response !== 'silence') socket.end(frame(response));
    });
  });
  server.listen(0, '127.0.0.1');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  return { server, close };
}

/** Starts one; it accepts connections when this resolves. */
export async function startTestNameServer(options: ResponderOptions): Promise<TestNameServer> {
  const responder = createResponder(options);
  const faults: Fault[] = [];
  let requests = 0;
  const { server, close } = listen((bytes) => {
    requests += 1;
    const fault = faults.shift();
    return fault === 'silent' ? 'silence' : responder.respond(bytes, fault);
  });
  await once(server, 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    records: () => responder.records(),
    get updates() {
      return responder.updates;
    },
    get requests() {
      return requests;
    },
    publish: (record) => responder.publish(record),
    clear: () => responder.clear(),
    failNext: (fault) => void faults.push(fault),
    close,
  };
}
