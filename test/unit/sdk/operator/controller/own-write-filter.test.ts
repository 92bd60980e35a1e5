import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { OwnWriteFilter } from '../../../../../sdk/operator/controller/own-write-filter.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { aConfigMap, type ControlledServer, controlled, theServer, until } from '../controlled.ts';

test('a change of others asks for a run, our own does not', (t) => {
  const filter = new OwnWriteFilter();
  filter.wrote('5');
  t.false(filter.causesRun('shop', '5'));
  t.true(filter.causesRun('shop', '6'));
  t.true(filter.causesRun('shop', undefined));
});

test('a version that is forgotten asks for a run, as another client’s does', (t) => {
  const filter = new OwnWriteFilter();
  filter.wrote('5');
  filter.forget('5');
  t.true(filter.causesRun('shop', '5'));
});

test('a change that overtakes the answer to its write is decided when the run has ended', (t) => {
  const filter = new OwnWriteFilter();
  filter.begin('shop');
  t.false(filter.causesRun('shop', '5'));
  t.true(filter.causesRun('other', '6'), 'other keys are not held up');
  filter.wrote('5');
  t.false(filter.end('shop'));
});

test('a foreign change between two of ours is not lost', (t) => {
  const filter = new OwnWriteFilter();
  filter.begin('shop');
  filter.wrote('5');
  for (const version of ['5', '6', '7']) filter.causesRun('shop', version);
  filter.wrote('7');
  t.true(filter.end('shop'));
  t.false(filter.end('shop'), 'and told once');
});

test('memory is bounded: what was written long ago counts as another writer’s', (t) => {
  const filter = new OwnWriteFilter();
  for (let version = 0; version <= 16_384; version += 1) filter.wrote(String(version));
  t.true(filter.causesRun('shop', '0'));
  t.false(filter.causesRun('shop', '1'));
});

/** Holds watch events back from `lag` to `arrive`, so that stores are behind. */
function lagging({ cluster, clock }: ControlledServer) {
  const backlog: (() => void)[] = [];
  let isLagging = false;
  cluster.intercept(async (request, next) => {
    const response = await next(request);
    const { stream } = response;
    if (stream === undefined) return response;
    return {
      ...response,
      stream: (sink) =>
        stream({
          write: (chunk) => (isLagging ? void backlog.push(() => sink.write(chunk)) : sink.write(chunk)),
          end: () => sink.end(),
        }),
    };
  });
  const arrive = async () => {
    isLagging = false;
    for (const send of backlog.splice(0)) send();
    await clock.advance(0);
  };
  const lag = () => {
    isLagging = true;
  };
  return { lag, arrive };
}

test('a run never sees an object older than its own last write, and others run meanwhile', async (t) => {
  const server = await theServer();
  for (const name of ['a', 'b']) await server.apply(aConfigMap(name, { count: '0' }));
  const { lag, arrive } = lagging(server);
  const counts: string[] = [];
  const { controller } = controlled(server, async ({ key, object }, self) => {
    counts.push(`${key.name}${object?.data?.count}`);
    const count = Number(object?.data?.count);
    if (key.name !== 'a' || count >= 2) return done;
    lag();
    await self.client.patch(ConfigMap, key, { type: 'merge', value: { data: { count: String(count + 1) } } });
    self.enqueue(key);
    return done;
  });
  await until(server.clock, () => controller.health().queue.held === 1);
  t.deepEqual(counts, ['a0', 'b0']);
  controller.enqueue(server.key('b'));
  await server.clock.advance(0);
  t.deepEqual(counts, ['a0', 'b0', 'b0'], 'b does not');
  await arrive();
  await arrive();
  t.deepEqual(counts, ['a0', 'b0', 'b0', 'a1', 'a2']);
  t.like(controller.health().ownWrites, { waiting: 0, overdue: 0 });
});

test('with a selection by labels, the writes of what is selected are waited for', async (t) => {
  const server = await theServer();
  const labels = { shard: 'one' };
  const { metadata } = aConfigMap('a');
  await server.apply({ ...aConfigMap('a', { count: '0' }), metadata: { ...metadata, labels } });
  const { lag, arrive } = lagging(server);
  const counts: (string | undefined)[] = [];
  const { controller } = controlled(
    server,
    async ({ key, object }, self) => {
      counts.push(object?.data?.count);
      if (object?.data?.count !== '0') return done;
      lag();
      await self.client.patch(ConfigMap, key, { type: 'merge', value: { data: { count: '1' } } });
      await server.apply(aConfigMap('of-no-shard'));
      self.enqueue(key);
      return done;
    },
    { selection: { namespace: server.namespace, labels: 'shard=one' }, echoes: 'ignore' },
  );
  await until(server.clock, () => controller.health().queue.held === 1);
  t.deepEqual(counts, ['0']);
  await arrive();
  t.deepEqual(counts, ['0', '1']);
  t.deepEqual(controller.health().ownWrites, { waiting: 0, overdue: 0 });
});

test('a run that began without an own write, since that is overdue, is followed by one that sees it', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a', { count: '0' }));
  const { lag, arrive } = lagging(server);
  const counts: (string | undefined)[] = [];
  controlled(
    server,
    async ({ key, object }, self) => {
      counts.push(object?.data?.count);
      if (counts.length > 1) return done;
      lag();
      await self.client.patch(ConfigMap, key, { type: 'merge', value: { data: { count: '1' } } });
      self.enqueue(key);
      return done;
    },
    { echoes: 'ignore' },
  );
  await server.clock.advance(5_000);
  t.deepEqual(counts, ['0', '0'], 'the watch has shown nothing for five seconds');
  await arrive();
  t.deepEqual(counts, ['0', '0', '1']);
});
