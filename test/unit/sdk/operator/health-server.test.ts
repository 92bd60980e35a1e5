import test from 'ava';
import { createHealthServer, type HealthServerOptions } from '../../../../sdk/operator/health-server.ts';

/** Starts a health server and returns a function that queries it. */
async function listening(options: Partial<HealthServerOptions> = {}) {
  const server = createHealthServer({ port: 0, host: '127.0.0.1', ...options });
  const stop = new AbortController();
  const ended = server.run(stop.signal);
  ended.catch(() => undefined);
  const port = await server.listening;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return [response.status, await response.text()] as const;
  };
  return { ask, stop, ended, port };
}

test('says whether it lives, whether it is ready and why not, and its metrics', async (t) => {
  let problems: readonly string[] = [];
  const metrics = { contentType: 'text/x', text: async () => 'up 1\n' };
  const { ask, stop, ended } = await listening({ ready: () => problems, metrics });
  t.deepEqual(await ask('/livez'), [200, 'ok\n']);
  t.deepEqual(await ask('/readyz?verbose'), [200, 'ok\n']);
  problems = ['pods not listed yet', 'too late'];
  t.deepEqual(await ask('/readyz'), [503, 'pods not listed yet\ntoo late\n']);
  t.deepEqual(await ask('/metrics'), [200, 'up 1\n']);
  t.deepEqual(await ask('/readyz', { method: 'HEAD' }), [503, '']);
  t.deepEqual(await ask('/livez', { method: 'POST', body: 'x' }), [405, 'GET or HEAD\n']);
  for (const path of ['/', '/toString', '/livez/x'])
    t.deepEqual(await ask(path), [404, '/livez /readyz /metrics\n'], path);
  stop.abort();
  await ended;
});

test('a check that throws is an answer, and one that hangs is one in time', async (t) => {
  const live = () => {
    throw new Error('a bug');
  };
  const metrics = { contentType: 'text/x', text: () => new Promise<string>(() => undefined) };
  const { ask, stop, ended } = await listening({ live, metrics, deadline: 50 });
  t.deepEqual(await ask('/livez'), [500, 'a bug\n']);
  t.deepEqual(await ask('/metrics'), [503, 'no answer within 50 ms\n']);
  stop.abort();
  await ended;
});

test('a port that is taken ends it with an error, one that makes no sense is refused', async (t) => {
  const { port, stop, ended } = await listening();
  const other = createHealthServer({ port, host: '127.0.0.1' });
  await t.throwsAsync(other.run(new AbortController().signal), { code: 'EADDRINUSE' });
  await t.throwsAsync(other.listening, { code: 'EADDRINUSE' });
  stop.abort();
  await ended;
  t.throws(() => createHealthServer({ port: 70_000 }), { instanceOf: TypeError, message: /found 70000/ });
  t.throws(() => createHealthServer({ port: 0, deadline: 0 }), { message: /deadline must be more than 0 ms/ });
});

test('one that is stopped before it starts ends', async (t) => {
  const server = createHealthServer({ port: 0, host: '127.0.0.1' });
  await server.run(AbortSignal.abort());
  t.pass();
});
