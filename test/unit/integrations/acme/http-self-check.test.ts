import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { servedAtOf, servedText } from '../../../../integrations/acme/http-self-check.ts';
import { createAuthority } from '../../../cluster/pki/certificate.ts';

const { signal } = new AbortController();
const route = { host: 'shop.example.test', path: '/.well-known/acme-challenge/a' };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server; its port. */
async function aServer(t: ExecutionContext, answer: Answer, isSecure = false): Promise<number> {
  const { certificate: cert, key } = createAuthority(Date.now()).issue(['other.example.test']);
  const server = isSecure ? createSecureServer({ cert, key }, answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const ask = (port: number, securePort?: number) =>
  servedText(route, signal, { host: '127.0.0.1', port, ...(securePort && { securePort }) });
const redirect =
  (location: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location }).end();

test('a host is asked at the address that serves it, by its name', async (t) => {
  const port = await aServer(t, ({ headers, url }, response) => response.end(`${headers.host} ${url}\n`));
  t.is(await ask(port), 'shop.example.test /.well-known/acme-challenge/a');
});

test('a redirect of the same host is followed, also to a certificate of another name', async (t) => {
  const secure = await aServer(t, (_, response) => response.end('a.thumb'), true);
  const port = await aServer(t, redirect('https://shop.example.test/a'));
  t.is(await ask(port, secure), 'a.thumb');
});

test('other answers say what they are, and no other host or port is asked', async (t) => {
  const asked: string[] = [];
  const other = await aServer(t, (_, response) => {
    asked.push('other');
    response.end('a.thumb');
  });
  for (const [answer, message] of [
    [(_, response) => response.writeHead(404).end('a.thumb'), /^HTTP 404$/],
    [redirect(`http://127.0.0.1:${other}/`), /^HTTP 302$/],
    [redirect(`http://shop.example.test:${other}/`), /^HTTP 302$/],
    [redirect(`https://shop.example.test:${other}/`), /^HTTP 302$/],
    [redirect('file:///etc/passwd'), /^HTTP 302$/],
    [redirect('http://['), /^HTTP 302$/],
    [redirect('/again'), /^too many redirects$/],
  ] as readonly (readonly [Answer, RegExp])[])
    await t.throwsAsync(ask(await aServer(t, answer)), { message });
  t.deepEqual(asked, []);
});

test('an answer without end is read in part, and one that is given up ends', async (t) => {
  const endless = await aServer(t, (_, response) => {
    const more = () => response.write('x'.repeat(1_000), () => setImmediate(more));
    response.on('error', () => {});
    more();
  });
  t.is((await ask(endless)).length, 2_000);
  const silent = await aServer(t, () => {});
  const giving = new AbortController();
  const asking = servedText(route, giving.signal, { host: '127.0.0.1', port: silent });
  giving.abort();
  await t.throwsAsync(asking, { name: 'AbortError' });
});

test('an address has a host, and port 80 unless it says another one', (t) => {
  t.deepEqual(servedAtOf('192.0.2.7'), { host: '192.0.2.7', port: 80 });
  t.deepEqual(servedAtOf('ingress.infra.svc:8080'), { host: 'ingress.infra.svc', port: 8_080 });
  t.deepEqual(servedAtOf('[2001:db8::7]:80'), { host: '2001:db8::7', port: 80 });
  for (const wrong of ['', 'a:0', 'a:70000', 'a b', 'http://a', '[a]', 7, undefined])
    t.is(servedAtOf(wrong), undefined);
});

test('a server that changes to another protocol is answered by its status, and one that is silent by the reason to give up', async (t) => {
  const port = await aServer(t, (_, response) =>
    response.writeHead(101, { upgrade: 'another', connection: 'upgrade' }).end(),
  );
  await t.throwsAsync(ask(port), { message: 'HTTP 101' });
  const silent = await aServer(t, () => {});
  const late = AbortSignal.abort(new Error('no answer within 10000 ms'));
  await t.throwsAsync(servedText(route, late, { host: '127.0.0.1', port: silent }), { message: /^no answer within/ });
});
