/** PostgreSQL servers that say what no server should. */

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ExecutionContext } from 'ava';
import type { createAuthority } from '../../../cluster/index.ts';
import { aHostileServer, type HostileServer, withoutEnd } from '../fixtures/a-hostile-server.ts';

type Identity = ReturnType<ReturnType<typeof createAuthority>['issue']>;

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** Message of the protocol: a letter, its length, its content. */
const message = (letter: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from(letter), int(body.length + 4), body]);
};

const welcome = Buffer.concat([message('R', int(0)), message('Z', Buffer.from('I'))]);
const column = message('T', Buffer.from([0, 1]), Buffer.from('a\0'), Buffer.alloc(18));
const row = message('D', Buffer.from([0, 1]), int(100), Buffer.alloc(100, 'A'));
const rows = Buffer.concat(Array.from({ length: 1_000 }, () => row));

/** Answers of a server to the first message, and to each later one. */
export interface Speech {
  /** Only the deadline ends the connection. */
  readonly isWaitedFor?: true;
  readonly first?: (socket: Socket) => void;
  readonly later?: (socket: Socket) => void;
}

/** Speeches of hostile servers, by what they do. */
export const speeches: Readonly<Record<string, Speech>> = {
  'an authentication that does not exist': { first: (socket) => void socket.write(message('R', int(99))) },
  'a message shorter than it has to be': { first: (socket) => void socket.write(message('R')) },
  'the page of a web server': {
    isWaitedFor: true,
    first: (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
  },
  'nothing to a statement': { isWaitedFor: true },
  'the end of the connection to a statement': { later: (socket) => void socket.destroy() },
  'rows without an end': {
    later(socket) {
      socket.write(column);
      withoutEnd(socket, rows);
    },
  },
  'an error of a gigabyte': {
    later(socket) {
      socket.write(Buffer.concat([Buffer.from('E'), int(2 ** 30)]));
      withoutEnd(socket, Buffer.alloc(65_536, 'A'));
    },
  },
  'notices without an end, before it is ready': {
    first: (socket) => withoutEnd(socket, message('N', Buffer.from('SNOTICE\0Mwait\0\0'))),
  },
  'a row of a type that it has no text for': {
    later(socket) {
      socket.write(column);
      socket.write(message('D', Buffer.from([255, 255])));
    },
  },
};

/** Serves a speech, over TLS where an identity is given. */
export function aHostilePostgres(
  t: ExecutionContext,
  { first = (socket) => void socket.write(welcome), later = () => {} }: Speech,
  identity?: Identity,
): Promise<HostileServer> {
  const speak = (socket: Socket): void => {
    let heard = 0;
    socket.on('error', () => {}).on('data', () => (heard++ === 0 ? first(socket) : later(socket)));
  };
  return aHostileServer(t, (raw) => {
    if (identity === undefined) return speak(raw);
    const { key, certificate: cert } = identity;
    raw.once('data', () => {
      raw.write('S');
      speak(new TLSSocket(raw, { isServer: true, key, cert }));
    });
  });
}
