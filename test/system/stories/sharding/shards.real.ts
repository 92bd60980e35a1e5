import test from 'ava';
import { Lease, Workspace } from '../../../../sdk/index.ts';
import { startRealServer } from '../../real/server.ts';
import { startClusterProgram } from '../programs.ts';
import { startRing } from './ring.ts';

const servers = [
  { name: 'in-memory', start: startClusterProgram },
  { name: 'kube-apiserver', start: startRealServer },
] as const;
const all = ['a', 'b', 'c', 'd'];
const count = 30;

for (const { name, start } of servers)
  test.serial(`${name}: shards that join, are killed, and are told to stop walk no workspace of another`, async (t) => {
    t.timeout(180_000);
    const { kubeconfigPath, close } = await start();
    t.teardown(close);
    const { client, log, begin, kill, stop, settled } = await startRing(t, kubeconfigPath);
    for (let at = 0; at < count; at += 1)
      await client.create(Workspace, { metadata: { namespace: 'default', name: `shop-${at}` }, spec: {} });
    for (const replica of all.slice(0, 3)) await begin(replica);
    const three = await settled(all.slice(0, 3));

    await begin('d');
    const four = await settled(all);
    const moved = [...four].filter(([uid, shard]) => three.get(uid) !== shard);
    t.true(
      moved.every(([, shard]) => shard === 'd'),
      'only the one that joins gets any',
    );
    t.log(`${moved.length} of ${count} move when a fourth joins`);

    const { spec } = await client.get(Lease, { namespace: 'default', name: 'sequencer' });
    const sharder = all.find((shard) => spec!.holderIdentity!.startsWith(`${shard}.`))!;
    const victims = [sharder, all.find((shard) => shard !== sharder)!];
    const killed = performance.now();
    for (const victim of victims) await kill(victim);
    const left = all.filter((shard) => !victims.includes(shard)) as [string, string];
    await settled(left);
    const waits = [...four]
      .filter(([, shard]) => victims.includes(shard))
      .map(([uid]) => log.last.get(uid)!.at - killed);
    t.log(
      `SIGKILL of two of four, one of which assigns: all is walked again ${(Math.max(...waits) / 1000).toFixed(1)} s later`,
    );

    t.is(await stop(left[0]), 'exited with 0');
    await settled([left[1]]);
    t.deepEqual(log.overlaps, []);
    t.deepEqual([...log.made.values()], Array(count).fill(1));
  });
