/** Replicas in processes of their own, which are the shards of one ring. */

import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { createClient, ensureCrds, loadConnection, Workspace } from '../../../../sdk/index.ts';
import { createScratch, type OwnedProcess, startProcess } from '../../real/owned-process.ts';
import { until } from '../../real/until.ts';
import { startWalkLog } from './walk-log.ts';

const label = 'shard.alpha.sharding.timebertt.dev/story';

/** Connects to a cluster with a log of all walks, and starts no replica yet. */
export async function startRing(t: ExecutionContext, kubeconfigPath: string) {
  const log = await startWalkLog();
  t.teardown(log.close);
  const client = createClient({ connection: await loadConnection({ kubeconfig: kubeconfigPath }) });
  t.teardown(() => client.close());
  await ensureCrds(client, [Workspace]);
  const { folder, remove } = createScratch('shards');
  t.teardown(remove);
  const replicas = new Map<string, OwnedProcess>();
  t.teardown(() => Promise.all([...replicas.values()].map((replica) => replica.kill())));
  const assigned = async () =>
    new Map((await client.list(Workspace)).items.map(({ metadata }) => [metadata.uid!, metadata.labels?.[label]]));
  const words = () => [...replicas.values()].map(({ name, ending, lastWords }) => `${name} ${ending}:\n${lastWords()}`);
  return {
    client,
    log,
    async begin(name: string): Promise<void> {
      const program = join(import.meta.dirname, 'replica.ts');
      const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning'];
      const args = [...flags, program, kubeconfigPath, name, log.url];
      replicas.set(name, await startProcess({ name, command: process.execPath, args, folder }));
    },
    /** Sends SIGKILL. */
    async kill(name: string): Promise<void> {
      await replicas.get(name)!.kill();
      log.gone(name);
    },
    /** Sends SIGTERM, and returns how it has ended. */
    stop(name: string): Promise<string> {
      const replica = replicas.get(name)!;
      process.kill(replica.pid, 'SIGTERM');
      return until(async () => replica.ending, { message: () => `${name} does not end` });
    },
    /** Waits until each workspace has one of these shards, each of which has one, and is walked by it. */
    settled: (shards: readonly string[]) =>
      until(
        async () => {
          const now = await assigned();
          const isWalked = [...now].every(([uid, shard]) => log.last.get(uid)?.replica === (shard ?? ''));
          return isWalked && `${[...new Set(now.values())].sort()}` === `${shards.toSorted()}` ? now : undefined;
        },
        { message: () => `not walked by ${shards}:\n${words().join('\n')}` },
      ),
  };
}
