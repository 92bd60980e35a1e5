import test from 'ava';
import fc from 'fast-check';
import xxhash from 'xxhash-wasm';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import {
  assignmentOf,
  createHashRing,
  hashKeyOf,
  roundRobin,
} from '../../../../../sdk/operator/sharding/assignment.ts';
import { shardLabelsOf } from '../../../../../sdk/operator/sharding/shard-labels.ts';

const hashing = xxhash();
const labels = shardLabelsOf('boxes');
const shardNames = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,12}[a-z0-9]$/), { minLength: 1, maxLength: 8 });
const keys = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 100 });

test('the order of the shards, and one named twice, make no difference', async (t) => {
  const { h64 } = await hashing;
  fc.assert(
    fc.property(shardNames, keys, (shards, all) => {
      const ring = createHashRing(h64, shards);
      const other = createHashRing(h64, [...shards.toReversed(), shards[0]!]);
      return all.every((key) => ring.shardOf(key) === other.shardOf(key));
    }),
  );
  t.deepEqual(createHashRing(h64, ['b', 'a', 'b']).shards, ['a', 'b']);
});

test('a shard that joins takes keys, and no other gets one; when it leaves, each has again what it had', async (t) => {
  const { h64 } = await hashing;
  fc.assert(
    fc.property(shardNames, keys, ([joining, ...shards], all) => {
      const [before, after] = [createHashRing(h64, shards), createHashRing(h64, [...shards, joining!])];
      return all.every((key) => after.shardOf(key) === joining || after.shardOf(key) === before.shardOf(key));
    }),
  );
  t.is(createHashRing(h64, []).shardOf('a'), undefined);
});

test('of 10 000 keys on up to 10 shards each has its share, within half of it', async (t) => {
  const { h64 } = await hashing;
  const all = Array.from({ length: 10_000 }, (_, at) => `se.quencer.io/Workspace/team-${at % 7}/shop-${at}`);
  for (let count = 1; count <= 10; count += 1) {
    const ring = createHashRing(
      h64,
      Array.from({ length: count }, (_, at) => `sequencer-7d9c5b6f4-${at}`),
    );
    const shares = Map.groupBy(all, (key) => ring.shardOf(key));
    t.is(shares.size, count);
    const mean = all.length / count;
    for (const share of shares.values()) t.true(Math.abs(share.length - mean) < mean / 2, `${share.length} of ${mean}`);
  }
});

const object = (labelled: Readonly<Record<string, string>>) => ({ labels: labelled });

test('keys are on the shards that kubernetes-controller-sharding has them on (its ring at f1d25b3, asked in Go)', async (t) => {
  const { h64 } = await hashing;
  const ring = createHashRing(h64, ['sequencer-0', 'sequencer-1', 'sequencer-2']);
  const digits = Array.from({ length: 24 }, (_, at) =>
    ring.shardOf(`se.quencer.io/Workspace/team-${at % 5}/shop-${at}`)!.at(-1),
  );
  t.is(digits.join(''), '011020200020011210022221');
});

test('an object without a shard is assigned, so is one of a shard that is not there, and its drain label goes', async (t) => {
  const { h64 } = await hashing;
  const ring = createHashRing(h64, ['a']);
  const decide = (labelled: Readonly<Record<string, string>>) =>
    assignmentOf(object(labelled), labels, { ring, key: 'key' });
  const assign = { do: 'assign', shard: 'a' } as const;
  t.deepEqual(assignmentOf({}, labels, { ring, key: 'key' }), assign);
  t.deepEqual(decide({ other: 'x', [labels.drain]: 'true' }), assign);
  t.deepEqual(decide({ [labels.shard]: 'gone' }), assign);
  t.deepEqual(decide({ [labels.shard]: 'gone', [labels.drain]: '' }), assign);
  t.deepEqual(decide({ [labels.shard]: '' }), assign, 'a tenant may write that');
  t.deepEqual(decide({ [labels.shard]: 'a' }), { do: 'keep' });
  t.deepEqual(decide({ [labels.shard]: 'a', [labels.drain]: 'true' }), { do: 'keep' }, 'its shard lets it go');
});

test('an object of a shard that is there is never assigned to another one: it is drained, once', async (t) => {
  const { h64 } = await hashing;
  fc.assert(
    fc.property(shardNames, fc.string({ minLength: 1 }), fc.boolean(), (shards, key, isDraining) => {
      const ring = createHashRing(h64, shards);
      return shards.every((current) => {
        const labelled = { [labels.shard]: current, ...(isDraining && { [labels.drain]: 'true' }) };
        const wanted = !isDraining && ring.shardOf(key) !== current ? 'drain' : 'keep';
        return assignmentOf(object(labelled), labels, { ring, key }).do === wanted;
      });
    }),
  );
  t.deepEqual(assignmentOf({}, labels, { ring: createHashRing(h64, []), key: 'key' }), { do: 'keep' });
});

test('objects are named for the ring as kubernetes-controller-sharding names them', (t) => {
  const metadata = { name: 'shop', namespace: 'team-a' };
  t.is(hashKeyOf(ConfigMap, { metadata }), '/ConfigMap/team-a/shop');
  t.is(
    hashKeyOf({ ...ConfigMap, group: 'apps', kind: 'Deployment' }, { metadata: { name: 'a' } }),
    'apps/Deployment//a',
  );
});

test('namespaces take turns', (t) => {
  const all = ['a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'b/2'].map((key) => {
    const [namespace = '', name = ''] = key.split('/');
    return { metadata: { namespace, name } };
  });
  const order = roundRobin(all).map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  t.deepEqual(order, ['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'a/3']);
});
