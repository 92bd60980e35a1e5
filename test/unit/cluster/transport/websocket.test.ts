import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { Agent, type MessageEvent, WebSocket } from 'undici';
import { createCluster, type Listening } from '../../../cluster/index.ts';
import { createFrameReader, frameOf } from '../../../cluster/transport/websocket-frames.ts';

const maps = '/api/v1/namespaces/default/configmaps?watch=true';
const authorityOf = (listening: Listening): string =>
  atob(/certificate-authority-data: (\S+)/.exec(listening.kubeconfigYaml())![1]!);
const tokenOf = (listening: Listening): string => /token: (\S+)/.exec(listening.kubeconfigYaml())![1]!;

async function start(t: ExecutionContext) {
  const cluster = await createCluster();
  const listening = await cluster.listen();
  t.teardown(() => cluster.close());
  const put = (name: string, labels = {}) =>
    cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', labels } });
  return { cluster, listening, put, since: () => `${maps}&resourceVersion=${cluster.revision}` };
}

const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  Origin: 'https://example.com',
};

interface Asked {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly early?: Buffer;
}

/** Open connection, with the bytes received so far. */
async function ask(
  t: ExecutionContext,
  listening: Listening,
  { path = maps, headers = {}, early = Buffer.alloc(0) }: Asked,
) {
  const { port } = listening;
  const ca = authorityOf(listening);
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] });
  t.teardown(() => socket.destroy());
  await once(socket, 'secureConnect');
  let heard = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk]);
  });
  const all = { Host: 'x', Authorization: `Bearer ${tokenOf(listening)}`, ...handshake, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}\r\n`));
  socket.write(Buffer.concat([Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), early]));
  const ended = once(socket, 'end');
  return {
    socket,
    until: async (words: string | Buffer) => {
      while (!heard.includes(words)) await once(socket, 'data');
      return heard;
    },
    ended: async () => {
      await ended;
      return heard.toString('latin1');
    },
  };
}

/** Encodes a frame as clients send it. */
function maskedFrame(kind: 'text' | 'close' | 'ping' | 'pong', payload: Uint8Array): Buffer {
  const plain = frameOf(kind, payload);
  const size = plain.length - payload.length;
  const mask = [1, 2, 3, 4];
  plain[1]! |= 0x80;
  return Buffer.concat([plain.subarray(0, size), Buffer.from(mask), payload.map((byte, at) => byte ^ mask[at % 4]!)]);
}

test('a watch continues by WebSocket, an event a message', async (t) => {
  const { listening, put, since } = await start(t);
  const dispatcher = new Agent({ connect: { ca: authorityOf(listening) } });
  t.teardown(() => dispatcher.destroy());
  const socket = new WebSocket(`${listening.url.replace('https', 'wss')}${since()}`, {
    dispatcher,
    headers: { origin: listening.url, authorization: `Bearer ${tokenOf(listening)}` },
  });
  const heard: string[] = [];
  const all = new Promise<void>((resolve) => {
    socket.onmessage = ({ data }: MessageEvent) => {
      const { type, object } = JSON.parse(data as string) as { type: string; object: { metadata: { name: string } } };
      if (heard.push(`${type} ${object.metadata.name}`) === 3) resolve();
    };
  });
  await once(socket as unknown as NodeJS.EventEmitter, 'open');
  await Promise.all([put('a'), put('b')]);
  await put('a', { changed: 'yes' });
  await all;
  t.deepEqual(heard, ['ADDED a', 'ADDED b', 'MODIFIED a']);
  socket.close();
  await once(socket as unknown as NodeJS.EventEmitter, 'close');
});

test('what is wrong with a handshake is said as the real server says it', async (t) => {
  const { listening } = await start(t);
  const answers = async (headers: Record<string, string | undefined>, path = maps) =>
    (await ask(t, listening, { headers, path })).ended();
  t.is(await answers({ Origin: undefined }), 'HTTP/1.1 403 Forbidden\r\n\r\n');
  t.is(await answers({ 'Sec-WebSocket-Protocol': 'a, b' }), 'HTTP/1.1 400 Bad Request\r\n\r\n');
  t.is(
    await answers({ 'Sec-WebSocket-Version': '12' }),
    'HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version',
  );
  t.is(
    await answers({ 'Sec-WebSocket-Key': undefined }),
    'HTTP/1.1 400 Bad Request\r\n\r\nmismatch challenge/response',
  );
  t.regex(await answers({ Authorization: 'Bearer nobody' }), /^HTTP\/1.1 401 [\s\S]*"reason":"Unauthorized"/);
  t.regex(await answers({}, '/apis/nothing.example.com/v1/a?watch=1'), /^HTTP\/1.1 404 [\s\S]*404 page not found/);
  t.regex(await answers({}, '/version'), /^HTTP\/1.1 200 [\s\S]*"gitVersion"/, 'nothing to continue with');
  t.regex(await answers({ Upgrade: 'SPDY/3.1' }, '/version'), /^HTTP\/1.1 200 /, 'another protocol');
});

test('a token may come as a protocol, beside one that is chosen', async (t) => {
  const { listening } = await start(t);
  const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from(tokenOf(listening)).toString('base64url')}`;
  const by = (protocols: string) =>
    ask(t, listening, { headers: { Authorization: undefined, 'Sec-WebSocket-Protocol': protocols } });
  const { until } = await by(`${bearer}, base64.binary.k8s.io`);
  t.regex(
    String(await until('kube-root-ca.crt')),
    /^HTTP\/1.1 101 [\s\S]*Sec-WebSocket-Protocol: base64.binary.k8s.io\r/,
  );
  const wrong = `base64url.bearer.authorization.k8s.io.${Buffer.from('wrong').toString('base64url')}`;
  t.regex(await (await by(`${wrong}, base64.binary.k8s.io`)).ended(), /^HTTP\/1.1 401 /);
});

test('the end of a watch closes its WebSocket, and so does its client', async (t) => {
  const { cluster, listening, put, since } = await start(t);
  const goodbye = Buffer.from([0x88, 2, 3, 0xe8]).toString('latin1');
  await put('a');
  cluster.compact();
  const tooOld = await (await ask(t, listening, { path: `${maps}&resourceVersion=1` })).ended();
  t.regex(tooOld, /"code":410/);
  t.true(tooOld.endsWith(goodbye));
  const left = await ask(t, listening, { path: since(), early: maskedFrame('close', Buffer.alloc(0)) });
  t.true((await left.ended()).endsWith(goodbye));
  const unmasked = await ask(t, listening, { path: since(), early: frameOf('ping', Buffer.from('a')) });
  t.true((await unmasked.ended()).endsWith(Buffer.from([0x88, 2, 3, 0xea]).toString('latin1')), 'a protocol error');
});

test('pings are answered, messages are not; faults strike WebSockets as well', async (t) => {
  const { cluster, listening, since } = await start(t);
  const { socket, until, ended } = await ask(t, listening, { path: since() });
  await until('101');
  socket.write(Buffer.concat([maskedFrame('text', Buffer.alloc(70_000)), maskedFrame('ping', Buffer.from('hello'))]));
  await until(frameOf('pong', Buffer.from('hello')));
  cluster.faults.watches('configmaps').drop();
  await ended().catch((error: { code: string }) => t.is(error.code, 'ECONNRESET'));
  t.pass();
});

test('frames are read in whatever pieces they come', (t) => {
  const sent = Buffer.concat([
    ...[0, 125, 126, 65_536].map((size) => maskedFrame('text', Buffer.alloc(size))),
    maskedFrame('pong', Buffer.from('x')),
    maskedFrame('ping', Buffer.from('still there?')),
    maskedFrame('close', Buffer.alloc(0)),
  ]);
  const expected = [{ pong: frameOf('pong', Buffer.from('still there?')) }, 'leave'];
  for (const size of [1, 7, 1000, sent.length]) {
    const read = createFrameReader();
    const reactions = [];
    for (let at = 0; at < sent.length; at += size) reactions.push(...read(sent.subarray(at, at + size)));
    t.deepEqual(reactions, expected, `in pieces of ${size}`);
  }
  t.deepEqual(createFrameReader()(maskedFrame('ping', Buffer.alloc(126))), ['protocol error']);
});
