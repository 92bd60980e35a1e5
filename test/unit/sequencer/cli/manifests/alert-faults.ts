/** Faults of an operator in this process, each with the metrics that are there then. */

import {
  ConfigMap,
  createClient,
  defineIntegration,
  type Integration,
  Lease,
  withLeaderElection,
} from '../../../../../sdk/index.ts';
import { createMetrics, type Metrics } from '../../../../../sdk/metrics/index.ts';
import { createSequencer, type SequencerOptions } from '../../../../../sequencer/index.ts';
import { aTargetCluster, refusing, type TargetCluster } from '../../../a-target-cluster.ts';
import { boxes } from '../../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../../sdk/provider/a-third-party.ts';
import { isStatusPatch } from '../../../sdk/provider/guarding.ts';

interface Scene {
  readonly stage: TargetCluster;
  readonly metrics: Metrics;
  /** Runs a sequencer until the end of the scene. */
  run(integrations: readonly Integration[], more?: Partial<SequencerOptions>): void;
}

const integration = (connect: Integration['connect'], more: Partial<Integration> = {}): Integration =>
  defineIntegration({ name: 'acme', condition: 'Acme', handles: () => true, connect, ...more });

/** An integration whose guarded task fails without an answer. */
const failing = (more: Partial<Integration> = {}, identity?: 'name'): Integration =>
  integration(
    ({ controller }) => ({
      reconcile: () =>
        controller.guard(
          'making',
          () => Promise.reject(new Error('cut off')),
          identity === undefined ? {} : { identity },
        ),
      terminate: () => controller.updateCondition('Terminated', 'gone'),
    }),
    more,
  );

const hanging = integration(() => ({ reconcile: () => new Promise(() => {}), terminate: async () => {} }));

/** Faults by the alert that they have to fire. */
export const faults: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async SequencerNoLeader({ stage: { client, clock }, metrics }) {
    const lease = { namespace: 'default', name: 'sequencer' };
    const spec = { holderIdentity: 'dead', leaseDurationSeconds: 3600, renewTime: new Date(clock.now()).toISOString() };
    await client.create(Lease, { metadata: lease, spec: { ...spec, renewTime: spec.renewTime.replace('Z', '000Z') } });
    const controllers = [{ name: 'none', run: async () => {} }];
    const { observer } = metrics;
    const stop = new AbortController();
    const elected = withLeaderElection({ client, clock, observer, lease, identity: 'alive', controllers });
    const running = elected.run(stop.signal);
    await clock.advance(10_000);
    stop.abort();
    await Promise.all([running, clock.advance(10_000)]);
  },
  async SequencerConditionUnknown({ stage, run }) {
    await stage.create();
    run([failing()]);
    await stage.clock.advance(1_000);
  },
  async SequencerConditionStuck({ stage, run }) {
    await stage.create();
    run([integration(() => ({ reconcile: () => Promise.reject(new Error('no')), terminate: async () => {} }))]);
    for (let minutes = 0; minutes < 31; minutes += 1) await stage.clock.advance(60_000);
  },
  async SequencerCircuitOpen({ stage, run }) {
    await stage.create();
    run([failing({ limits: { rate: 10, breaker: { failures: 1, pause: 60_000 } } }, 'name')]);
    await stage.clock.advance(1_000);
  },
  async SequencerCallsFail({ stage, run }) {
    await stage.create();
    run([failing({}, 'name')]);
    await stage.clock.advance(1_000);
  },
  async SequencerWritesRefused({ stage, run }) {
    const forbidden = { code: 403, reason: 'Forbidden', message: 'no' };
    refusing(stage, isStatusPatch('intent'), forbidden);
    await stage.create();
    run([failing()]);
    await stage.clock.advance(1_000);
  },
  async SequencerDrift({ stage, run }) {
    const party = aThirdParty();
    await stage.create(boxes(Object.fromEntries([...'abcdefghijk'].map((name) => [name, 1]))));
    run([boxKeeper(party.resource('tag', { driftInterval: 60_000 }))]);
    for (let seconds = 0; seconds < 30; seconds += 1) await stage.clock.advance(1_000);
    party.boxes.splice(0);
    for (let minutes = 0; minutes < 5; minutes += 1) await stage.clock.advance(60_000);
  },
  async SequencerQueueLong({ stage, run }) {
    for (let number = 0; number < 102; number += 1) await stage.create({}, `shop-${number}`);
    run([hanging], { workers: 1 });
    await stage.clock.advance(1_000);
  },
  async SequencerQueueStalled({ stage, run }) {
    for (let number = 0; number < 12; number += 1) await stage.create({}, `shop-${number}`);
    run([hanging], { workers: 1, times: { call: 3_600_000 } });
    for (let minutes = 0; minutes < 13; minutes += 1) await stage.clock.advance(60_000);
  },
  async SequencerWalkLong({ stage, run }) {
    await stage.create();
    run([hanging], { times: { call: 3_600_000 } });
    for (let minutes = 0; minutes < 11; minutes += 1) await stage.clock.advance(60_000);
  },
  async SequencerApiServerFails({ stage, metrics }) {
    refusing(stage, () => true, { code: 500, reason: 'InternalError', message: 'no' });
    const { cluster, clock } = stage;
    const { observer } = metrics;
    const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock, observer });
    await Promise.all([client.list(ConfigMap).catch(() => undefined), clock.advance(60_000)]);
    await client.close();
  },
};

/** Returns the metrics of an operator with a fault. */
export async function metricsWith(alert: string): Promise<string> {
  const stage = await aTargetCluster();
  const { clock } = stage;
  const metrics = createMetrics({ clock });
  const { observer } = metrics;
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  const run: Scene['run'] = (integrations, more) => {
    const events = { event: () => {} };
    const sequencer = createSequencer({ client: stage.client, clock, integrations, events, observer, ...more });
    running.push(sequencer.run(stop.signal).catch(() => undefined));
  };
  await faults[alert]!({ stage, metrics, run });
  for (let turn = 0; turn < 20; turn += 1) await clock.advance(0);
  const text = await metrics.text();
  stop.abort();
  for (let seconds = 0; seconds < 60; seconds += 1) await clock.advance(1_000);
  await Promise.all(running);
  await stage.cluster.close();
  return text;
}
