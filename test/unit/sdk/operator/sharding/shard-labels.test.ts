import test from 'ava';
import {
  isRingName,
  isShardName,
  ringLabel,
  shardLabelsOf,
  shardNameOf,
} from '../../../../../sdk/operator/sharding/shard-labels.ts';

test('labels are those of kubernetes-controller-sharding', (t) => {
  t.is(ringLabel, 'alpha.sharding.timebertt.dev/controllerring');
  t.deepEqual(shardLabelsOf('sequencer'), {
    shard: 'shard.alpha.sharding.timebertt.dev/sequencer',
    drain: 'drain.alpha.sharding.timebertt.dev/sequencer',
  });
});

test('a ring is named as a part of a label can be', (t) => {
  for (const name of ['a', 'my-ring', 'a.b', 'a'.repeat(63)]) t.true(isRingName(name), name);
  for (const name of ['', 'A', '-a', 'a-', 'a/b', 'a_b', 'a'.repeat(64), 'a,b in (c)']) t.false(isRingName(name), name);
  t.throws(() => shardLabelsOf('a/b'), {
    message: 'sharding: a ring is named by 1 to 63 of a-z, 0-9, - and ., found "a/b"',
  });
});

test('a shard is named by its host, as a Lease and the value of a label can be', (t) => {
  t.is(shardNameOf('sequencer-7d9c5b6f4-x2k4p'), 'sequencer-7d9c5b6f4-x2k4p');
  for (const host of ['Build_Host.local', '-a-', '...', '', 'é', `${'x'.repeat(100)}.17.ab`]) {
    const name = shardNameOf(host);
    t.true(isShardName(name), `${host}: ${name}`);
  }
  t.is(shardNameOf(`${'x'.repeat(100)}.17.ab`).slice(-6), '.17.ab', 'what makes it unique is kept');
});
