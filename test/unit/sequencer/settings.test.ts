import test from 'ava';
import * as z from 'zod';
import { conditionOf, defineIntegration, externalResource, Workspace } from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';

const key = { namespace: 'default', name: 'shop' };

/** An integration with a schema, and a third party in which a check is an interval by owner. */
function scene() {
  const checks = new Map<string, number>();
  const calls: string[] = [];
  const check = externalResource<{ interval: number }, { id: string }>({
    label: 'check',
    identity: 'name',
    find: async ({ uid }) => (checks.has(uid) ? { id: uid } : undefined),
    async create({ interval }, { owner: { uid } }) {
      calls.push(`create ${interval}`);
      checks.set(uid, interval);
      return { id: { id: uid } };
    },
    async update({ id }, { interval }) {
      calls.push(`update ${interval}`);
      checks.set(id, interval);
    },
    async delete({ id }) {
      calls.push('delete');
      checks.delete(id);
    },
  });
  const uptime = defineIntegration({
    name: 'uptime',
    condition: 'Uptime',
    settings: z.strictObject({ interval: z.int().min(10).default(60) }),
    handles: ({ spec }) => spec.integrations?.uptime !== undefined,
    connect: ({ controller }) => ({
      reconcile: ({ interval }) => controller.ensure(check, { interval }),
      terminate: () => controller.destroy(check),
    }),
  });
  return { uptime, checks, calls };
}

const fix = (target: Awaited<ReturnType<typeof aTargetCluster>>, uptime: object | null) =>
  target.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { uptime } } } });

test('a misspelt setting is an error that names field and remedy, once, before any claim or call; fixed, it walks on', async (t) => {
  const [target, { uptime, checks, calls }] = [await aTargetCluster(), scene()];
  await target.create({ integrations: { uptime: { intervall: 30 } } });
  const actor = target.actor([uptime]);
  await actor.walk();
  await actor.walk();
  const workspace = await target.read();
  const { status, reason } = conditionOf(workspace, 'Uptime');
  const mistake = 'spec.integrations.uptime.intervall: there is no such field; did you mean interval?';
  t.deepEqual([status, reason], ['Error', mistake]);
  t.like(conditionOf(workspace, 'Ready'), { status: 'False' });
  t.is(workspace.metadata.finalizers, undefined, 'nothing is claimed');
  t.deepEqual(calls, []);
  t.deepEqual(
    actor.events.map(({ type, message }) => [type, message]),
    [['Warning', mistake]],
  );
  await fix(target, { intervall: null, interval: 30 });
  await actor.walk();
  t.is(conditionOf(await target.read(), 'Uptime').status, 'Completed');
  t.deepEqual([...checks.values()], [30]);
});

test('defaults of the schema arrive; what is broken later stays as it is outside, and still goes with its workspace', async (t) => {
  const [target, { uptime, checks, calls }] = [await aTargetCluster(), scene()];
  await target.create({ integrations: { uptime: {} } });
  const actor = target.actor([uptime]);
  await actor.walk();
  t.deepEqual([...checks.values()], [60]);
  await fix(target, { interval: 1 });
  await actor.walk();
  t.like(conditionOf(await target.read(), 'Uptime'), {
    status: 'Error',
    reason: 'spec.integrations.uptime.interval: Too small: expected number to be >=10',
  });
  t.deepEqual(calls, ['create 60']);
  await target.delete();
  await actor.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.deepEqual([...checks.keys()], []);
});

test('what is broken and then no longer asked for is removed', async (t) => {
  const [target, { uptime, checks }] = [await aTargetCluster(), scene()];
  await target.create({ integrations: { uptime: {} } });
  const actor = target.actor([uptime]);
  await actor.walk();
  await fix(target, { interval: 1 });
  await actor.walk();
  await fix(target, null);
  await actor.walk();
  t.deepEqual([...checks.keys()], []);
  t.is((await target.read()).metadata.finalizers, undefined);
});
