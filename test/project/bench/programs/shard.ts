import { systemClock } from '../../../../sdk/clock.ts';
import {
  type ClientObserver,
  createClient,
  defineIntegration,
  loadConnection,
  withLeaderElection,
} from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/run/sequencer.ts';
import { shardOf } from '../../../../sequencer/run/shards.ts';
import type { ReplicaParameters, ReplicaUsage } from '../benchmarks/shards.ts';
import { ownUsage } from '../harness/usage.ts';
import { answer, parameters, say } from './dialogue.ts';

// One replica of a sequencer whose only integration does nothing: the leader of an election, or a shard of a ring.
const { kubeconfigYaml, replica, isShard } = parameters<ReplicaParameters>();
const counts = { requests: 0, events: 0 };
const observer: ClientObserver = {
  request: ({ kind }, work) => {
    if (kind === 'workspaces') counts.requests += 1;
    return work();
  },
  watch: ({ kind }) => ({
    event() {
      if (kind === 'workspaces') counts.events += 1;
    },
  }),
};
const client = createClient({ connection: await loadConnection({ kubeconfig: { yaml: kubeconfigYaml } }), observer });
const nothing = defineIntegration({
  name: 'nothing',
  condition: 'Nothing',
  handles: () => true,
  connect: ({ controller }) => ({
    reconcile: async () => void (await controller.updateCondition('Completed', 'nothing is there')),
    terminate: async () => void (await controller.updateCondition('Terminated', 'nothing was there')),
  }),
});
const events = { event: () => undefined };
const shard = isShard ? { shard: { ring: 'bench', name: replica } } : {};
const sequencer = createSequencer({ client, integrations: [nothing], workers: 16, events, ...shard });
const main = { name: 'sequencer', run: (signal: AbortSignal) => sequencer.run(signal) };
const [operatorNamespace, drain] = ['default', 15_000];
const work = isShard
  ? shardOf({ client, ring: 'bench', shard: replica, operatorNamespace, times: {}, main, drain, clock: systemClock })
  : withLeaderElection({
      client,
      lease: { namespace: operatorNamespace, name: 'sequencer' },
      identity: replica,
      controllers: [main],
    });
const stop = new AbortController();
const running = work.run(stop.signal);
await Promise.race([sequencer.synced, running]);
say('works');
await answer((): ReplicaUsage => {
  (globalThis as { readonly gc?: () => void }).gc?.();
  return { ...counts, ...ownUsage() };
});
stop.abort();
await running;
await client.close();
