import test, { type ExecutionContext } from 'ava';
import { caddyAdmin } from '../../../../integrations/caddy/admin.ts';
import { routeOf } from '../../../../integrations/caddy/route-table.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';
import { until } from '../../../system/real/until.ts';
import { startRealCaddy } from './a-real-server.ts';
import { expectCaddy } from './contract.ts';

const { signal } = new AbortController();

async function started(t: ExecutionContext, deadline = 5_000) {
  const caddy = await startRealCaddy();
  t.teardown(() => caddy.close());
  const { url, server } = caddy;
  const admin = caddyAdmin({ url, server, tls: undefined, clock: systemClock, deadline });
  return { caddy, admin };
}

const route = (host: string) => ({
  '@id': `workspace:u:Ingress:${host}`,
  ...routeOf(host, [{ path: '/a', dial: '127.0.0.1:9' }]),
});

test('the real server behaves as the one in memory does', async (t) => expectCaddy(t, (await started(t)).admin));

test('of many that write what they have read at once, one has its way', async (t) => {
  const { admin } = await started(t);
  await admin.replace({ before: await admin.read({ signal }), routes: [], signal });
  const before = await admin.read({ signal });
  const hosts = Array.from({ length: 10 }, (_, index) => `${index}.test`);
  const done = await Promise.all(
    hosts.map((host) => admin.replace({ before, routes: [route(host)], signal }).catch(() => undefined)),
  );
  t.true(done.filter((one) => one === true).length <= 1);
  t.is((await admin.read({ signal })).routes?.length, 1);
});

test('a route answers for its host and its paths, and nothing else does', async (t) => {
  const { admin, caddy } = await started(t);
  await admin.replace({ before: await admin.read({ signal }), routes: [route('a.test')], signal });
  const statuses = async (...paths: readonly string[]) => {
    const all: number[] = [];
    for (const path of paths) all.push((await caddy.get('a.test', path)).status);
    return all;
  };
  t.deepEqual(await statuses('/', '/ab', '/a', '/a/b'), [404, 404, 502, 502]);
  t.is((await caddy.get('b.test', '/a')).status, 200, 'what Caddy answers for a host that it does not know');
});

test('a configuration that Caddy does not load is a refusal, and so is a server that it does not have', async (t) => {
  const { admin, caddy } = await started(t);
  const before = await admin.read({ signal });
  const routes = [{ handle: [{ handler: 'nonsense' }] }];
  const error = await t.throwsAsync(admin.replace({ before, routes, signal }), { instanceOf: DefiniteError });
  t.regex(error.message, /^Caddy: PUT \/config\/apps\/http\/servers\/edge\/routes: HTTP 500: .*nonsense/);
  t.deepEqual(await admin.read({ signal }), before);
  const other = caddyAdmin({ url: caddy.url, server: 'other', tls: undefined, clock: systemClock, deadline: 5_000 });
  await t.throwsAsync(other.read({ signal }), {
    instanceOf: DefiniteError,
    message: /HTTP 400: invalid traversal path/,
  });
});

test('what was given up while the server stood still is carried out later, and keeps what was read before from being written', async (t) => {
  const { admin, caddy } = await started(t, 300);
  const before = await admin.read({ signal });
  await caddy.pause();
  const error = await t.throwsAsync(admin.replace({ before, routes: [route('a.test')], signal }));
  t.false(error instanceof DefiniteError);
  caddy.resume();
  const arrived = async () => ((await caddy.routes()).length > 0 ? true : undefined);
  await until(arrived, { deadline: 10_000, message: () => 'the request was not carried out' });
  t.false(await admin.replace({ before, routes: [route('b.test')], signal }));
  t.deepEqual(await caddy.routes(), [route('a.test')]);
});
