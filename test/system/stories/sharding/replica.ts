// The program that is killed: one shard of a ring, which tells a third party of each walk.
import { setTimeout as sleep } from 'node:timers/promises';
import { defineIntegration, externalResource, requeueAfter } from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/index.ts';
import type { WalkMessage } from './walk-log.ts';

const [kubeconfig, replica, url] = process.argv.slice(2) as [string, string, string];
const tell = async (workspace: string, does: WalkMessage['does']): Promise<void> => {
  await fetch(url, { method: 'POST', body: JSON.stringify({ replica, workspace, does }) });
};
const thing = externalResource<object, { id: string }>({
  label: 'thing',
  identity: 'name',
  find: async ({ uid }) => ((await fetch(`${url}/${uid}`)).ok ? { id: uid } : undefined),
  create: async (_, { owner: { uid } }) => {
    await tell(uid, 'make');
    return { id: { id: uid } };
  },
  delete: async () => undefined,
});
const integration = defineIntegration({
  name: 'things',
  condition: 'Thing',
  handles: () => true,
  connect: ({ controller, workspace }) => ({
    async reconcile() {
      const uid = workspace.metadata.uid ?? '';
      await tell(uid, 'begin');
      await sleep(300);
      await controller.ensure(thing, {});
      await tell(uid, 'end');
      return requeueAfter(1_000);
    },
    terminate: () => controller.destroy(thing),
  }),
});
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

await runSequencer({
  kubeconfig,
  integrations: [integration],
  shards: { ring: 'story', shard: replica, leaseDuration: 15_000, renewDeadline: 12_000, retryPeriod: 500 },
  drain: 5_000,
  times: { lease: 4_000, margin: 800, maxRequest: 2_000 },
  signal: stopping.signal,
});
