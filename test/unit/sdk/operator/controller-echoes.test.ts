import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { done } from '../../../../sdk/reconcile/reconciler.ts';
import type { Interceptor } from '../../../cluster/index.ts';
import { aConfigMap, controlled, theServer, until } from './controlled.ts';

const merge = (data: Readonly<Record<string, string>>) => ({ type: 'merge', value: { data } }) as const;

test('ignores its own echoes on demand, and nothing else', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const { log, controller } = controlled(
    server,
    async ({ key, object }, self) => {
      if (object?.data?.mine === undefined) await self.client.patch(ConfigMap, key, merge({ mine: '1' }));
      return done;
    },
    { echoes: 'ignore' },
  );
  await until(server.clock, () => controller.store.get(server.key('a'))?.data?.mine === '1');
  t.deepEqual(log(), ['created a']);
  await server.client.patch(ConfigMap, server.key('a'), merge({ theirs: '1' }));
  await until(server.clock, () => log().length > 1);
  t.deepEqual(log(), ['created a', 'updated a']);
});

test('a foreign change that only a list tells, with our own write on top of it, runs', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  let deaf = false;
  const severed = new Set<() => void>();
  const intercept: Interceptor = async (request, next) => {
    if (deaf && request.method === 'GET') return { status: 503, headers: {}, body: 'not now' };
    const response = await next(request);
    const { stream } = response;
    if (stream === undefined) return response;
    return {
      ...response,
      stream: (sink) => {
        severed.add(() => sink.end());
        return stream({ write: (chunk) => (deaf ? undefined : sink.write(chunk)), end: () => sink.end() });
      },
    };
  };
  server.cluster.intercept(intercept);
  const seen: (string | undefined)[] = [];
  const { controller } = controlled(
    server,
    async ({ object }) => {
      seen.push(object?.data?.theirs);
      return done;
    },
    { echoes: 'ignore' },
  );
  await until(server.clock, () => seen.length === 1);
  deaf = true;
  await server.client.patch(ConfigMap, server.key('a'), merge({ theirs: '1' }));
  await controller.client.patch(ConfigMap, server.key('a'), merge({ mine: '1' }));
  await server.forget();
  for (const sever of severed) sever();
  deaf = false;
  await server.clock.advance(60_000);
  t.deepEqual(seen, [undefined, '1']);
});
