import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Workspace } from '../../../../sdk/index.ts';
import { startRealServer } from '../../real/server.ts';
import { until } from '../../real/until.ts';
import { startRing } from './ring.ts';

const kills = 6;
/** ms between two kills: less than a Lease, so that the next comes before the last one is got over. */
const interval = 4_000;

test.serial(
  'three shards of which one is killed every few seconds: each workspace is walked by one at a time',
  async (t) => {
    t.timeout(180_000);
    const { kubeconfigPath, close } = await startRealServer();
    t.teardown(close);
    const { client, log, begin, kill, settled } = await startRing(t, kubeconfigPath);
    const create = (name: string) => client.create(Workspace, { metadata: { namespace: 'default', name }, spec: {} });
    for (let at = 0; at < 12; at += 1) await create(`shop-${at}`);
    const shards = ['a0', 'b0', 'c0'];
    await Promise.all(shards.map(begin));
    await settled(shards);
    for (let count = 1; count <= kills; count += 1) {
      const place = count % shards.length;
      const victim = shards[place]!;
      shards[place] = `${victim[0]}${count}`;
      await kill(victim);
      await Promise.all([create(`late-${count}`), begin(shards[place]), sleep(interval)]);
    }
    await settled(shards);
    await until(async () => log.made.size === 12 + kills || undefined, { message: () => `${log.made.size} are made` });
    t.deepEqual(log.overlaps, []);
    t.deepEqual([...log.made.values()], Array(12 + kills).fill(1));
  },
);
