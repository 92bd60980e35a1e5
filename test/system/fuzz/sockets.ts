/** Opens misbehaving connections to a listening cluster. */

import { connect as connectHttp2, constants } from 'node:http2';
import { setTimeout as later } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { Agent, request } from 'undici';
import { randomFrom } from '../../cluster/apimachinery/seeded-random.ts';
import { createCluster } from '../../cluster/index.ts';
import type { FuzzOptions } from './fuzz.ts';
import { openSockets } from './leaks.ts';
import { faultOf } from './oracle.ts';

const watchHead = 'GET /api/v1/configmaps?watch=true HTTP/1.1\r\nhost: a\r\n';

/** First bytes of clients that do not speak HTTP or die midway. */
const beginnings: readonly string[] = [
  '',
  'GET',
  'GET / HTTP/1.1\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"a"',
  'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n',
  'POST /api/v1/namespaces HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nffffffff\r\n{',
  'POST /api/v1/namespaces HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: a\r\nx: ${'b'.repeat(70_000)}\r\n\r\n`,
  'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /api/v1/namespaces/default/pods/a/exec HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: SPDY/3.1\r\n\r\n',
  'GET /api/v1/pods?watch=true HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  `${watchHead}\r\n`,
  `${watchHead}expect: 100-continue\r\n\r\n`,
  '\0\x01\x02\x03',
];

interface ServerAddress {
  readonly port: number;
  readonly ca: string;
  readonly authorization: string;
}

const opened = (port: number, ca: string): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] }, () => resolve(socket));
    socket.on('error', reject);
  });

/** Opens a connection, sends something invalid and leaves: by a half close, a reset, or in order. */
async function misbehave({ port, ca, authorization }: ServerAddress, random: () => number): Promise<void> {
  const socket = await opened(port, ca);
  socket.removeAllListeners('error').on('error', () => {});
  const text = beginnings[Math.floor(random() * beginnings.length)]!;
  const credentials =
    random() < 0.5 ? text.replace('host: a\r\n', `host: a\r\nauthorization: ${authorization}\r\n`) : text;
  socket.write(credentials.slice(0, random() < 0.3 ? Math.floor(random() * credentials.length) : undefined));
  socket.resume();
  if (random() < 0.4) await later(1);
  const leave = random();
  if (leave < 0.4) socket.end();
  else socket.destroy();
  if (leave < 0.4) await later(2).then(() => socket.destroy());
}

/** Opens streams of one HTTP/2 session and resets them at random times. */
function misbehaveOnStreams({ port, ca, authorization }: ServerAddress, random: () => number): Promise<void> {
  return new Promise((resolve) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca });
    session.on('error', () => {});
    session.on('close', resolve);
    for (let count = 0; count < 3; count += 1) {
      const path = random() < 0.5 ? '/api/v1/configmaps?watch=true' : '/api/v1/namespaces';
      const method = random() < 0.5 ? 'GET' : 'POST';
      const stream = session.request({ ':path': path, ':method': method, authorization });
      stream.on('error', () => {});
      if (random() < 0.5) stream.write('{"a"');
      if (random() < 0.5) stream.close(constants.NGHTTP2_CANCEL);
      else stream.on('response', () => stream.close(constants.NGHTTP2_CANCEL));
    }
    setTimeout(() => session.destroy(), 5);
  });
}

/** Waits until no more sockets are open than before. Throws when that never happens. */
async function settled(before: number): Promise<void> {
  for (let tries = 0; openSockets() > before && tries < 100; tries += 1) await later(20);
  if (openSockets() > before) throw new Error(`${openSockets() - before} sockets are still open`);
}

/** Connections and watches that were opened and left. */
export interface SocketCounts {
  readonly connections: number;
  /** Watches that were open when their client left. */
  readonly watches: number;
}

/** Attacks a listening cluster; throws when it stops answering correctly, or when anything is still open in the end. */
export async function fuzzSockets({ seed, duration }: FuzzOptions): Promise<SocketCounts> {
  const socketsBefore = openSockets();
  const cluster = await createCluster();
  const listening = await cluster.listen();
  const yaml = listening.kubeconfigYaml();
  const ca = Buffer.from(/certificate-authority-data: (\S+)/.exec(yaml)![1]!, 'base64').toString();
  const authorization = `Bearer ${/token: (\S+)/.exec(yaml)![1]!}`;
  const place: ServerAddress = { port: listening.port, ca, authorization };
  const dispatcher = new Agent({ connect: { ca } });
  const random = randomFrom(seed);
  const end = performance.now() + duration;
  let connections = 0;
  try {
    while (performance.now() < end) {
      await Promise.all(Array.from({ length: 4 }, () => misbehave(place, random)));
      await misbehaveOnStreams(place, random);
      connections += 7;
      const { statusCode, headers, body } = await request(`${listening.url}/api/v1/namespaces`, {
        dispatcher,
        headers: { authorization },
      });
      const text = await body.text();
      const fault =
        statusCode === 200
          ? undefined
          : faultOf({ status: statusCode, contentType: String(headers['content-type']), text });
      if (fault !== undefined || statusCode !== 200)
        throw new Error(`${fault ?? 'an error'}: ${statusCode} ${text} (seed ${seed})`);
    }
    for (let tries = 0; cluster.openWatches > 0 && tries < 100; tries += 1) await later(20);
    if (cluster.openWatches > 0)
      throw new Error(`${cluster.openWatches} watches are open whose clients have gone (seed ${seed})`);
    const watches = cluster.audit.filter(({ verb, code }) => verb === 'watch' && code === 200).length;
    return { connections, watches };
  } finally {
    await dispatcher.destroy();
    await cluster.close();
    await settled(socketsBefore);
  }
}
