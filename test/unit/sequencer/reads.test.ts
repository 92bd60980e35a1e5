import test from 'ava';
import {
  conditionOf,
  defineIntegration,
  type Integration,
  NotFoundError,
  StaleError,
  type Workspace,
} from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';
import { recorder, statuses } from './engine/fixtures/a-recorder.ts';

/** An integration that notes what it reads at each call. */
function reader(reads: (workspace: Workspace) => unknown): {
  readonly integration: Integration;
  readonly calls: string[];
} {
  const calls: string[] = [];
  const integration = defineIntegration({
    name: 'reader',
    condition: 'Told',
    handles: () => true,
    reads,
    connect: ({ controller }) => ({
      async reconcile() {
        calls.push(JSON.stringify(reads(controller.workspace)));
        await controller.updateCondition('Completed', 'told');
      },
      terminate: () => controller.updateCondition('Terminated', 'gone'),
    }),
  });
  return { integration, calls };
}

test('what an integration reads of other conditions calls it again in the same walk', async (t) => {
  const target = await aTargetCluster();
  const dns = recorder('dns', 'DNS', ['Tunneling']);
  const told = reader((workspace) => ['Tunneling', 'DNS'].map((type) => conditionOf(workspace, type).status));
  const actor = target.actor([told.integration, dns.integration, recorder('tunnel', 'Tunneling').integration]);
  await target.create();
  t.deepEqual(await actor.walk(), {});
  t.is(told.calls[0], '["Initialized","Initialized"]');
  t.is(told.calls.at(-1), '["Completed","Completed"]');
  const { length } = told.calls;
  await actor.walk();
  t.is(told.calls.length, length + 1);
});

test('what changes with each call ends the walk, and is reported', async (t) => {
  const target = await aTargetCluster();
  let count = 0;
  const told = reader(() => (count += 1));
  const actor = target.actor([told.integration]);
  await target.create();
  await t.throwsAsync(actor.walk(), {
    message: /the walk has not ended after 51 moves: what `reads` .* reconcile reader/,
  });
});

test('an integration whose reads fails costs its own condition alone', async (t) => {
  const target = await aTargetCluster();
  const told = reader(() => {
    throw new Error('no such member');
  });
  const actor = target.actor([told.integration, recorder('dns', 'DNS').integration]);
  await target.create();
  await actor.walk();
  const { Told, DNS } = statuses((await target.read())!);
  t.deepEqual({ Told, DNS }, { Told: 'Error', DNS: 'Completed' });
  t.deepEqual(told.calls, []);
});

test('an integration whose reads fails when the workspace goes is called nevertheless, and holds nothing back', async (t) => {
  const target = await aTargetCluster();
  let isBroken = false;
  const told = reader(() => {
    if (isBroken) throw new Error('no such member');
    return 1;
  });
  const dns = recorder('dns', 'DNS');
  const actor = target.actor([told.integration, dns.integration]);
  await target.create();
  await actor.walk();
  isBroken = true;
  await target.delete();
  await actor.walk().catch((error: unknown) => t.true(error instanceof StaleError, 'two releases at once'));
  await actor.walk().catch((error: unknown) => t.true(error instanceof NotFoundError));
  t.is(dns.things.size, 0);
  await t.throwsAsync(target.read(), { message: /not found/ });
});
