import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { type HttpApiOptions, httpApi } from '../../../integrations/http-api.ts';
import { DefiniteError, ThrottledError } from '../../../sdk/index.ts';
import { createManualClock } from '../../cluster/index.ts';
import { aHostileServer } from './fixtures/a-hostile-server.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const { signal } = new AbortController();
const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

/** An API whose server gives these answers in order, and then `{}`. */
async function anApi(t: ExecutionContext, answers: readonly Answer[] = [], options: Partial<HttpApiOptions> = {}) {
  const queue = [...answers];
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push(`${request.method} ${request.url} ${body}`.trim());
    headers.push(request.headers);
    (queue.shift() ?? says(200, {}))(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const clock = createManualClock();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const api = httpApi({
    vendor: 'Acme',
    url,
    headers: { 'x-api-key': 'the-key' },
    fetch: globalThis.fetch,
    clock,
    deadline: 5_000,
    concurrency: 2,
    reasonOf: (body) => (body as { error?: string } | undefined)?.error,
    advice: { 403: 'check option apiKey' },
    ...options,
  });
  return { api, clock, url, requests, headers, server };
}

test('a GET that is answered without a body has failed: it does not say that nothing is there', async (t) => {
  const { api } = await anApi(t, [says(204, ''), says(200, ' '), says(204, '')]);
  const read = () => api.request({ method: 'GET', path: '/things', signal });
  await t.throwsAsync(read(), { message: 'Acme: GET /v1/things: returned nothing (HTTP 204)' });
  await t.throwsAsync(read(), { message: 'Acme: GET /v1/things: returned nothing (HTTP 200)' });
  t.is((await api.request({ method: 'DELETE', path: '/things/1', signal })).body, undefined);
});

test('headers are returned, and a body as text where that is asked for', async (t) => {
  const { api, requests } = await anApi(t, [says(200, 'plain', { 'x-next': '7' }), says(200, '')]);
  const answer = await api.request({ method: 'GET', path: '/text', isText: true, signal });
  t.is(answer.headers.get('x-next'), '7');
  t.true(String(answer.body).includes('plain'));
  t.is((await api.request({ method: 'HEAD', path: '/text', signal })).body, undefined);
  t.deepEqual(requests, ['GET /v1/text', 'HEAD /v1/text']);
});

test('a request carries its body as JSON and the credential, and its answer is read as JSON', async (t) => {
  const { api, requests, headers } = await anApi(t, [says(201, { id: 7 }), says(204, '')]);
  const body = { name: 'shop' };
  t.like(await api.request({ method: 'POST', path: '/things', body, signal }), { status: 201, body: { id: 7 } });
  t.like(await api.request({ method: 'DELETE', path: '/things/7', signal }), { status: 204, body: undefined });
  t.deepEqual(requests, ['POST /v1/things {"name":"shop"}', 'DELETE /v1/things/7']);
  t.like(headers[0], { 'x-api-key': 'the-key', 'content-type': 'application/json' });
});

test('headers may be made of the body that is sent', async (t) => {
  const { api, headers } = await anApi(t, [], { headers: (body) => ({ 'x-length': String(body.length) }) });
  await api.request({ method: 'POST', path: '/things', body: { a: 1 }, signal });
  await api.request({ method: 'GET', path: '/things', signal });
  t.deepEqual(
    headers.map((sent) => sent['x-length']),
    ['7', '0'],
  );
});

test('a refusal names method, path and status, the vendor’s words in short, and advice', async (t) => {
  const { api } = await anApi(t, [
    says(403, { error: 'no\n\u0007such   right' }),
    says(422, { error: 'x'.repeat(5_000) }),
    says(400, '<html>'),
  ]);
  const get = () => api.request({ method: 'GET', path: '/things?a=b', signal });
  const refused = await t.throwsAsync(get(), { instanceOf: DefiniteError });
  t.is(refused?.message, 'Acme: GET /v1/things?a=b: HTTP 403: no such right: check option apiKey');
  const long = await t.throwsAsync(get(), { instanceOf: DefiniteError });
  t.true((long?.message.length ?? 0) < 400);
  const html = await t.throwsAsync(get(), { instanceOf: DefiniteError });
  t.is(html?.message, 'Acme: GET /v1/things?a=b: HTTP 400');
});

test('an expected status is an answer, with its body if that is JSON', async (t) => {
  const { api } = await anApi(t, [says(404, { error: 'gone' }), says(404, 'Not Found')]);
  const remove = () => api.request({ method: 'DELETE', path: '/things/7', signal, expected: [404] });
  t.like(await remove(), { status: 404, body: { error: 'gone' } });
  t.like(await remove(), { status: 404, body: undefined });
});

test('after a 429 nothing is sent before the named time, nor for longer than an hour', async (t) => {
  for (const [retryAfter, pause] of [
    ['2', 2_000],
    ['999999', 3_600_000],
  ] as const) {
    const { api, clock, requests } = await anApi(t, [says(429, {}, { 'retry-after': retryAfter })]);
    const get = () => api.request({ method: 'GET', path: '/things', signal });
    t.is((await t.throwsAsync(get(), { instanceOf: ThrottledError }))?.retryAfter, pause);
    await clock.advance(pause - 1);
    t.is((await t.throwsAsync(get(), { instanceOf: ThrottledError, message: /not sent/ }))?.retryAfter, 1_000);
    t.is(requests.length, 1);
    await clock.advance(1);
    t.is((await get()).status, 200);
  }
});

test('what has no answer in time fails, with an outcome that is not known', async (t) => {
  const { api, clock, requests } = await anApi(t, [() => {}]);
  const sent = api.request({ method: 'POST', path: '/things', signal });
  const failed = t.throwsAsync(sent, { message: 'Acme: POST /v1/things: no answer within 5000 ms' });
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(5_000);
  t.false((await failed) instanceof DefiniteError);
});

for (const [what, answer, message] of [
  ['an endless body', says(200, 'x'.repeat(2 ** 20 + 1)), /returned more than 1048576 bytes/],
  ['something else than JSON', says(200, '<html>'), /returned something that is not JSON/],
  [
    'half an answer',
    (response: ServerResponse) => void response.writeHead(200).write('{', () => response.destroy()),
    /\/things: /,
  ],
  ['an error of the server', says(500, {}), /HTTP 500/],
] as const)
  test(`${what} leaves the outcome unknown`, async (t) => {
    const { api } = await anApi(t, [answer]);
    const error = await t.throwsAsync(api.request({ method: 'POST', path: '/things', signal }), { message });
    t.false(error instanceof DefiniteError || error instanceof ThrottledError);
  });

test('a server that cannot be reached had nothing of it', async (t) => {
  const { api, server } = await anApi(t);
  server.close();
  await once(server, 'close');
  await t.throwsAsync(api.request({ method: 'POST', path: '/things', signal }), {
    instanceOf: DefiniteError,
    message: /^Acme: POST \/v1\/things: .*ECONNREFUSED/,
  });
});

test('what is not HTTP is told by the words of the client, not as a fetch that failed', async (t) => {
  const { port } = await aHostileServer(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  const { api } = await anApi(t, [], { url: `http://127.0.0.1:${port}` });
  await t.throwsAsync(api.request({ method: 'GET', path: '/things', signal }), {
    message: /^Acme: GET \/things: fetch failed: Response does not match the HTTP\/1.1 protocol/,
  });
  const encodings = { 'content-encoding': Array.from({ length: 100 }, () => 'gzip').join() };
  const nested = await anApi(t, [says(200, '{}', encodings)]);
  await t.throwsAsync(nested.api.request({ method: 'GET', path: '/things', signal }), {
    message: /^Acme: GET \/v1\/things: fetch failed: too many content-encodings/,
  });
});

test('a redirect is a refusal: the credential goes nowhere else', async (t) => {
  const elsewhere = await anApi(t);
  const { api } = await anApi(t, [says(307, '', { location: `${elsewhere.url}/things?token=x` })]);
  await t.throwsAsync(api.request({ method: 'POST', path: '/things', body: {}, signal }), {
    instanceOf: DefiniteError,
    message: `Acme: POST /v1/things: HTTP 307: it leads to ${elsewhere.url}/things, and redirects are not followed: if that is right, set it as the address`,
  });
  t.deepEqual(elsewhere.requests, []);
});

test('no more requests than allowed are under way; one that is given up meanwhile is never sent', async (t) => {
  const open: ServerResponse[] = [];
  const hold: Answer = (response) => void open.push(response);
  const { api, requests } = await anApi(t, [hold, hold]);
  const stop = new AbortController();
  const get = (path: string, by = signal) => api.request({ method: 'GET', path, signal: by });
  const first = [get('/1'), get('/2')];
  const givenUp = get('/3', stop.signal);
  const last = get('/4');
  while (open.length < 2) await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error('given up'));
  await t.throwsAsync(givenUp, { message: 'given up' });
  t.is(requests.length, 2);
  for (const response of open) response.end('{}');
  await Promise.all([...first, last]);
  t.deepEqual(requests.toSorted(), ['GET /v1/1', 'GET /v1/2', 'GET /v1/4']);
});
