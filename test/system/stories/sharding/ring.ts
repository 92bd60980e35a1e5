/** Replicas in processes of their own, which are the shards of one ring. */

import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import xxhash from 'xxhash-wasm';
import { createClient, ensureCrds, loadConnection, Workspace } from '../../../../sdk/index.ts';
import { createHashRing, hashKeyOf } from '../../../../sdk/operator/sharding/assignment.ts';
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
  const { h64: hash } = await xxhash();
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
    /** Waits until each workspace has the shard that the hash ring of these names for it, and is walked by it; returns the shards by uid. */
    settled(shards: readonly string[]) {
      const ring = createHashRing(hash, shards);
      return until(
        async () => {
          const { items } = await client.list(Workspace);
          const isAtHome = items.every(({ metadata }) => {
            const shard = ring.shardOf(hashKeyOf(Workspace, { metadata }));
            return metadata.labels?.[label] === shard && log.last.get(metadata.uid!)?.replica === shard;
          });
          return isAtHome ? new Map(items.map(({ metadata }) => [metadata.uid!, metadata.labels![label]!])) : undefined;
        },
        { message: () => `not walked by ${shards}:\n${words().join('\n')}` },
      );
    },
  };
}
