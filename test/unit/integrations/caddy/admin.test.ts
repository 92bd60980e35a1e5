import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { caddyAdmin } from '../../../../integrations/caddy/admin.ts';
import { DefiniteError, systemClock, ThrottledError } from '../../../../sdk/index.ts';

const { signal } = new AbortController();

/** Client of a server that answers all requests so. */
async function asked(t: ExecutionContext, listener: RequestListener, deadline = 5_000) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return caddyAdmin({
    url: `http://127.0.0.1:${port}/proxy/`,
    server: 'edge',
    tls: undefined,
    clock: systemClock,
    deadline,
  });
}

const answering =
  (status: number, body: string, etag?: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...(etag && { trailer: 'ETag' }) });
    response.write(body);
    if (etag !== undefined) response.addTrailers({ ETag: etag });
    response.end();
  };

test('routes come with the version in the trailer, below the path of the address', async (t) => {
  const paths: (string | undefined)[] = [];
  const admin = await asked(t, (request, response) => {
    paths.push(`${request.method} ${request.url} ${request.headers['if-match']} ${request.headers.connection}`);
    answering(200, '[{"@id":"a"}]', '"v1"')(request, response);
  });
  const before = await admin.read({ signal });
  t.deepEqual(before, { routes: [{ '@id': 'a' }], version: '"v1"' });
  t.true(await admin.replace({ before, routes: [], signal }));
  t.true(await admin.replace({ before: { ...before, routes: undefined }, routes: [], signal }));
  const path = '/proxy/config/apps/http/servers/edge/routes';
  t.deepEqual(paths, [`GET ${path} undefined close`, `PATCH ${path} "v1" close`, `PUT ${path} "v1" close`]);
});

for (const [why, listener, message] of [
  ['no version', answering(200, '[]'), /has no ETag: Caddy 2\.5 or later is needed/],
  ['no JSON', answering(200, 'nope', '"v"'), /returned something that is not JSON/],
  ['a page of a proxy', answering(503, '<html>'), /HTTP 503$/],
  ['no list', answering(200, '{"a":1}', '"v"'), /returned no list of routes/],
  ['no routes', answering(200, '[1]', '"v"'), /returned no list of routes/],
  ['a refusal', answering(403, '{"error":"host not allowed"}'), /HTTP 403: host not allowed/],
  ['more than a configuration', answering(200, `["${'x'.repeat(9 * 2 ** 20)}"]`, '"v"'), /GET \/config/],
] as const)
  test(`an answer with ${why} is an error`, async (t) => {
    const admin = await asked(t, listener);
    await t.throwsAsync(admin.read({ signal }), { message });
  });

const before = { routes: [], version: '"v"' };

test('a refusal is told from patience and from an answer that says nothing', async (t) => {
  const replace = async (listener: RequestListener, deadline?: number) =>
    (await asked(t, listener, deadline)).replace({ before, routes: [], signal });
  t.false(await replace(answering(412, '{"error":"no match"}')));
  await t.throwsAsync(replace(answering(500, '{"error":"loading new config"}')), { instanceOf: DefiniteError });
  await t.throwsAsync(replace(answering(429, '')), { instanceOf: ThrottledError });
  for (const [listener, deadline] of [
    [answering(500, ''), 5_000],
    [answering(502, '{}'), 5_000],
    [(request) => request.socket.destroy(), 5_000],
    [() => {}, 50],
  ] as const satisfies readonly (readonly [RequestListener, number])[]) {
    const error = await t.throwsAsync(replace(listener, deadline));
    t.false(error instanceof DefiniteError, error.message);
    t.false(error instanceof ThrottledError, error.message);
  }
});

test('nothing that listens is a refusal: nothing was sent', async (t) => {
  const admin = caddyAdmin({
    url: 'http://127.0.0.1:1',
    server: 'edge',
    tls: undefined,
    clock: systemClock,
    deadline: 5_000,
  });
  await t.throwsAsync(admin.replace({ before, routes: [], signal }), {
    instanceOf: DefiniteError,
    message: /ECONNREFUSED/,
  });
});
