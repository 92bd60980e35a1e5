import test from 'ava';
import { conditionOf, createClient, defineIntegration } from '../../../sdk/index.ts';
import { createSequencer } from '../../../sequencer/index.ts';
import type { ApiRequest } from '../../cluster/index.ts';
import { aSeal } from '../a-seal.ts';
import { aTargetCluster, refusing, textOf } from '../a-target-cluster.ts';

const greeting = defineIntegration({
  name: 'dns',
  condition: 'DNS',
  handles: () => true,
  connect: ({ controller }) => ({
    reconcile: () => controller.updateCondition('Completed', 'said'),
    terminate: () => controller.updateCondition('Terminated', 'unsaid'),
  }),
});

const isClaim = (request: ApiRequest): boolean =>
  request.method === 'PATCH' && !request.url.includes('/status') && textOf(request).includes('/metadata/finalizers');

for (const [code, reason, most] of [
  [409, 'Conflict', 35],
  [429, 'TooManyRequests', 60],
  [500, 'InternalError', 60],
] as const)
  test(`a webhook that answers ${code} to every claim is reported, and asked less and less often`, async (t) => {
    const target = await aTargetCluster();
    const { cluster, clock } = target;
    const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock });
    const told: string[] = [];
    const events = {
      event: (...[, type, reason, message]: readonly unknown[]) => void told.push(`${type} ${reason} ${message}`),
    };
    const webhook = refusing(target, isClaim, { code, reason, message: 'no client writes claims' });
    const stop = new AbortController();
    const integrations = [greeting];
    const sequencer = createSequencer({ client, clock, integrations, seal: aSeal, random: () => 0.5, events });
    const end = sequencer.run(stop.signal);
    const minutes = async (count: number) => {
      for (let passed = 0; passed < count * 60; passed += 1) await clock.advance(1_000);
    };
    await target.create();
    await minutes(5);
    t.true(webhook.count <= most, `${webhook.count} claims in five minutes`);
    t.true(told.includes('Warning WriteRefused no client writes claims'), told.join('\n'));
    const { status, reason: why } = conditionOf(await target.read(), 'DNS');
    t.is(status, 'Error');
    t.regex(why, /^the finalizer se\.quencer\.io\/dns cannot be added, .*: no client writes claims$/);
    const before = webhook.count;
    await minutes(3);
    t.true(webhook.count - before <= 6, `${webhook.count - before} claims in three minutes`);
    webhook.over = true;
    await minutes(6);
    t.is(conditionOf(await target.read(), 'DNS').status, 'Completed');
    stop.abort();
    await Promise.all([end, clock.advance(20_000)]);
  });
