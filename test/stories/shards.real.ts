import { join } from 'node:path';
import test from 'ava';
import { createClient, ensureCrds, Lease, loadConnection, Workspace } from '../../sdk/index.ts';
import { createScratch, type OwnedProcess, startProcess } from '../real/owned-process.ts';
import { startRealServer } from '../real/server.ts';
import { until } from '../real/until.ts';
import { startClusterProgram } from './programs.ts';
import { startWalkLog } from './sharded/walk-log.ts';

const servers = [
  { name: 'in-memory', start: startClusterProgram },
  { name: 'kube-apiserver', start: startRealServer },
] as const;
const label = 'shard.alpha.sharding.timebertt.dev/story';
const program = join(import.meta.dirname, 'sharded/replica.ts');
const count = 30;

for (const { name, start } of servers)
  test.serial(
    `${name}: shards that join, are killed, and are told to stop never walk a workspace of another`,
    async (t) => {
      t.timeout(180_000);
      const { kubeconfigPath, close } = await start();
      t.teardown(close);
      const log = await startWalkLog();
      t.teardown(log.close);
      const client = createClient({ connection: await loadConnection({ kubeconfig: kubeconfigPath }) });
      t.teardown(() => client.close());
      await ensureCrds(client, [Workspace]);
      const { folder, remove } = createScratch('shards');
      t.teardown(remove);
      const replicas = new Map<string, OwnedProcess>();
      const begin = async (replica: string): Promise<void> => {
        const args = [
          '--conditions=source',
          '--disable-warning=ExperimentalWarning',
          program,
          kubeconfigPath,
          replica,
          log.url,
        ];
        replicas.set(replica, await startProcess({ name: replica, command: process.execPath, args, folder }));
      };
      t.teardown(() => Promise.all([...replicas.values()].map((replica) => replica.kill())));
      const assigned = async () =>
        new Map((await client.list(Workspace)).items.map(({ metadata }) => [metadata.uid!, metadata.labels?.[label]]));
      /** Waits until each workspace has one of these shards, and is walked by it. */
      const settled = (shards: readonly string[]) =>
        until(
          async () => {
            const now = await assigned();
            const isSo = [...now].every(([uid, shard]) => shard !== undefined && log.last.get(uid)?.replica === shard);
            return isSo &&
              shards.every((shard) => [...now.values()].includes(shard)) &&
              new Set(now.values()).size === shards.length
              ? now
              : undefined;
          },
          {
            message: () =>
              `not walked by ${shards}: ${[...replicas].map(([shard, { ending, lastWords }]) => `${shard} ${ending}: ${lastWords()}`)}`,
          },
        );
      for (let at = 0; at < count; at += 1)
        await client.create(Workspace, { metadata: { namespace: 'default', name: `shop-${at}` }, spec: {} });
      for (const replica of ['a', 'b', 'c']) await begin(replica);
      const three = await settled(['a', 'b', 'c']);

      await begin('d');
      const four = await settled(['a', 'b', 'c', 'd']);
      const moved = [...four].filter(([uid, shard]) => three.get(uid) !== shard);
      t.true(moved.length > 0 && moved.every(([, shard]) => shard === 'd'), 'only the one that joins gets any');
      t.log(`${moved.length} of ${count} move when a fourth joins`);

      const sharder = (
        await client.get(Lease, { namespace: 'default', name: 'sequencer' })
      ).spec!.holderIdentity!.split('.')[0]!;
      const other = ['a', 'b', 'c', 'd'].find((shard) => shard !== sharder)!;
      const killed = performance.now();
      for (const victim of [sharder, other]) {
        await replicas.get(victim)!.kill();
        log.gone(victim);
      }
      const left = ['a', 'b', 'c', 'd'].filter((shard) => shard !== sharder && shard !== other);
      await settled(left);
      const orphans = [...four].filter(([, shard]) => shard === sharder || shard === other);
      const waits = orphans.map(([uid]) => log.last.get(uid)!.at - killed);
      t.true(orphans.length > 0);
      t.log(
        `SIGKILL of two of four, of which one assigns: all is walked again by ${Math.round(Math.max(...waits) / 1000)} s`,
      );

      process.kill(replicas.get(left[0]!)!.pid, 'SIGTERM');
      await until(async () => replicas.get(left[0]!)!.ending, { message: () => 'does not end' });
      t.is(replicas.get(left[0]!)!.ending, 'exited with 0');
      await settled([left[1]!]);
      t.deepEqual(log.overlaps, []);
      t.deepEqual(
        [...log.made.values()],
        Array.from({ length: count }, () => 1),
      );
    },
  );
