import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { shardLabelsOf } from '../../../../../sdk/operator/sharding/shard-labels.ts';
import { sharded } from '../../../../../sdk/operator/sharding/sharded.ts';
import { aConfigMap, controlled, theServer } from '../controlled.ts';

const labels = shardLabelsOf('test');
const of = (name: string, labelled: Readonly<Record<string, string>>) => {
  const map = aConfigMap(name);
  return { ...map, metadata: { ...map.metadata, labels: labelled } };
};

/** A shard `a`, whose runs take 5 s, with the names and times of those. */
async function aShard() {
  const server = await theServer();
  const runs: string[] = [];
  const reconciler = sharded<ConfigMap>(labels, 'a', async ({ object, key }) => {
    runs.push(object === undefined ? `${key.name} is gone` : `${key.name} begins`);
    await server.clock.sleep(5_000);
    if (object !== undefined) runs.push(`${key.name} ends`);
    return {};
  });
  const { stop, ended } = controlled(server, reconciler, {
    selection: { namespace: server.namespace, labels: `${labels.shard}=a` },
  });
  await server.clock.advance(100);
  const labelsOf = async (name: string) => (await server.client.get(ConfigMap, server.key(name))).metadata.labels;
  const end = async () => {
    stop.abort();
    await Promise.race([ended, server.clock.advance(30_000)]);
  };
  return { ...server, runs, labelsOf, end };
}

test('an object that is to be drained is let go when its run has ended, and its controller forgets it', async (t) => {
  const { apply, clock, runs, labelsOf, end } = await aShard();
  await apply(of('one', { [labels.shard]: 'a', mine: 'x' }));
  await clock.advance(1_000);
  await apply(of('one', { [labels.drain]: 'true' }));
  await clock.advance(1_000);
  t.deepEqual(await labelsOf('one'), { [labels.shard]: 'a', [labels.drain]: 'true', mine: 'x' });
  await clock.advance(10_000);
  t.deepEqual(await labelsOf('one'), { mine: 'x' });
  t.deepEqual(runs, ['one begins', 'one ends', 'one is gone']);
  await apply(of('one', { mine: 'y' }));
  await clock.advance(10_000);
  t.is(runs.length, 3, 'nor does it see it any more');
  await apply(of('one', { [labels.shard]: 'a' }));
  await clock.advance(10_000);
  t.is(runs.length, 5);
  await end();
});

test('an object that is drained from the start never runs', async (t) => {
  const { apply, clock, runs, labelsOf, end } = await aShard();
  await apply(of('one', { [labels.shard]: 'a', [labels.drain]: '' }));
  await apply(of('other', { [labels.shard]: 'b', [labels.drain]: '' }));
  await clock.advance(10_000);
  t.deepEqual((await labelsOf('one')) ?? {}, {});
  t.deepEqual(await labelsOf('other'), { [labels.shard]: 'b', [labels.drain]: '' });
  t.deepEqual(runs, ['one is gone']);
  await end();
});

test('what was given to another shard before it was let go is left as it is', async (t) => {
  const { apply, client, clock, key, labelsOf, end, cluster } = await aShard();
  await apply(of('one', { [labels.shard]: 'a' }));
  await clock.advance(10_000);
  let stolen = false;
  cluster.intercept(async (request, next) => {
    if (!stolen && request.method === 'PATCH' && `${request.headers['content-type']}`.includes('json-patch')) {
      stolen = true;
      const value = { metadata: { labels: { [labels.shard]: 'b', [labels.drain]: null } } };
      await client.patch(ConfigMap, key('one'), { type: 'merge', value });
    }
    return next(request);
  });
  await apply(of('one', { [labels.drain]: 'true' }));
  await clock.advance(10_000);
  t.true(stolen);
  t.deepEqual(await labelsOf('one'), { [labels.shard]: 'b' });
  await end();
});
