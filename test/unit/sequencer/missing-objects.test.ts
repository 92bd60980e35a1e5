import test from 'ava';
import {
  ConfigMap,
  conditionOf,
  defineIntegration,
  type Integration,
  type ProviderController,
} from '../../../sdk/index.ts';
import { createSequencer } from '../../../sequencer/index.ts';
import { aSeal } from '../a-seal.ts';
import { aTargetCluster } from '../a-target-cluster.ts';

const settings = { namespace: 'default', name: 'settings' };
const made = { status: 'Completed', reason: 'made', refs: [{ id: 'a' }] } as const;
const gone = { status: 'Terminated', reason: 'gone', refs: [] } as const;

type Step = (controller: ProviderController, read: () => Promise<unknown>) => Promise<void>;

/** An integration, one of whose calls reads a ConfigMap that may be missing. */
const reading = (reconcile: Step, terminate: Step): Integration =>
  defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => {
      const read = () => controller.get(ConfigMap, { name: settings.name });
      return { reconcile: () => reconcile(controller, read), terminate: () => terminate(controller, read) };
    },
  });

const make: Step = async (controller) => {
  if (controller.refs.length === 0) await controller.guard('making', async () => made, { identity: 'name' });
};
const unmake: Step = (controller) => controller.guard('deleting', async () => gone, { op: 'delete' });

/** Runs a sequencer of one workspace; `seconds` lets time pass. */
async function aRun(integration: Integration) {
  const target = await aTargetCluster();
  const { client, clock } = target;
  const stop = new AbortController();
  const told: string[] = [];
  const events = { event: (...[, , reason]: readonly unknown[]) => void told.push(String(reason)) };
  const integrations = [integration];
  const end = createSequencer({ client, clock, integrations, seal: aSeal, random: () => 0.5, events }).run(stop.signal);
  await target.create();
  return {
    target,
    told,
    seconds: async (count: number): Promise<void> => {
      for (let passed = 0; passed < count; passed += 1) await clock.advance(1_000);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([end, clock.advance(20_000)]);
    },
  };
}

const cases: readonly (readonly [where: string, reconcile: Step, said: RegExp])[] = [
  [
    'reconcile',
    async (controller, read) => {
      await read();
      await make(controller, read);
    },
    /^Error: configmaps "settings" not found$/,
  ],
  [
    'the task of a guard',
    async (controller, read) => {
      const task = async () => {
        await read();
        return made;
      };
      if (controller.refs.length === 0) await controller.guard('making', task, { identity: 'name' });
    },
    /^Locked: outcome not known yet, looked for again: configmaps "settings" not found/,
  ],
];
for (const [where, reconcile, said] of cases)
  test(`an object that ${where} misses is reported, and looked for again`, async (t) => {
    await using run = await aRun(reading(reconcile, unmake));
    await run.seconds(10);
    const { status, reason } = conditionOf(await run.target.read(), 'DNS');
    t.regex(`${status}: ${reason}`, said);
    t.true(run.told.includes('DNSFailed'));
    await run.target.client.create(ConfigMap, { metadata: settings });
    await run.seconds(120);
    t.is(conditionOf(await run.target.read(), 'DNS').status, 'Completed');
  });

test('an object that terminate misses is reported, and looked for again', async (t) => {
  const terminate: Step = async (controller, read) => {
    await read();
    await unmake(controller, read);
  };
  await using run = await aRun(reading(make, terminate));
  await run.seconds(10);
  await run.target.delete();
  await run.seconds(10);
  const { status, reason } = conditionOf(await run.target.read(), 'DNS');
  t.regex(`${status}: ${reason}`, /^Error: configmaps "settings" not found/);
  await run.target.client.create(ConfigMap, { metadata: settings });
  await run.seconds(120);
  await t.throwsAsync(run.target.read(), { name: 'NotFoundError' });
});
