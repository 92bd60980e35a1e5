import test from 'ava';
import { configFinalizer, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { claimOf, createClient, ensureCrds, keyOf, Workspace } from '../../../../sdk/index.ts';
import { createConfigController } from '../../../../sequencer/tenants/config-controller.ts';
import { configIntegrationName } from '../../../../sequencer/tenants/config-integration-name.ts';
import type { ConfigProblem } from '../../../../sequencer/tenants/config-values.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../cluster/index.ts';
import { until } from '../../../system/real/until.ts';

const key = { namespace: 'default', name: 'dns' };

/** A running controller of configs, whose problem a test sets. */
async function setUp(className?: string) {
  const cluster = await createCluster();
  const clock = createManualClock();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig]);
  const state: { problem?: ConfigProblem } = {};
  const changed: string[] = [];
  const controller = createConfigController<IntegrationConfig>({
    kind: IntegrationConfig,
    client,
    clock,
    className,
    secrets: {},
    secretOf: () => undefined,
    problemOf: () => state.problem,
    onChange: (one) => void changed.push(keyOf(one)),
    engine: {},
  });
  const stop = new AbortController();
  const running = controller.run(stop.signal);
  const end = async () => {
    stop.abort();
    await running;
    await cluster.close();
  };
  const create = (spec: object = {}, finalizers: readonly string[] = []) =>
    client.create(IntegrationConfig, { metadata: { ...key, finalizers }, spec: { type: 'acme', ...spec } });
  const ready = async () => {
    const { status } = await client.get(IntegrationConfig, key);
    return status?.conditions?.find(({ type }) => type === 'Ready');
  };
  const readyIs = (reason: string) =>
    until(async () => ((await ready())?.reason === reason ? ready() : undefined), { message: () => `not ${reason}` });
  return { client, clock, controller, state, changed, create, ready, readyIs, end };
}

test('a config says whether it can be used, and under which claim', async (t) => {
  const { client, controller, state, changed, create, readyIs, end } = await setUp();
  t.teardown(end);
  const config = await create();
  t.like(await readyIs('Configured'), { status: 'True', observedGeneration: 1 });
  t.is((await client.get(IntegrationConfig, key)).status?.claim, claimOf(configIntegrationName(config)));
  t.deepEqual(changed, ['default/dns'], 'its own status is not a change');
  state.problem = { reason: 'SecretMissing', problem: 'Secret a does not exist' };
  controller.enqueue(key);
  t.like(await readyIs('SecretMissing'), { status: 'False', message: 'Secret a does not exist' });
  await client.delete(IntegrationConfig, key);
  await until(async () => changed.length === 2 || undefined, { message: () => 'its end is not reported' });
});

test('one that is being deleted is let go when nothing is left under it, also by another process', async (t) => {
  const { client, clock, create, readyIs, end } = await setUp();
  t.teardown(end);
  const config = await create({}, [configFinalizer]);
  const shop = { namespace: 'default', name: 'shop' };
  const finalizers = [claimOf(configIntegrationName(config))];
  await client.create(Workspace, { metadata: { ...shop, finalizers }, spec: {} });
  await client.create(Workspace, { metadata: { ...shop, name: 'other' }, spec: {} });
  await client.delete(IntegrationConfig, key);
  t.regex((await readyIs('InUse'))?.message ?? '', /in use by workspaces default\/shop: delete them/);
  await client.patch(Workspace, shop, { type: 'merge', value: { metadata: { finalizers: null } } });
  const gone = async () => {
    await clock.advance(60_000);
    return (await client.list(IntegrationConfig)).items.length === 0 || undefined;
  };
  t.true(await until(gone, { message: () => 'it is still there' }));
});

test('configs of another class are left alone', async (t) => {
  const { create, ready, client, readyIs, changed, end } = await setUp('blue');
  t.teardown(end);
  await create();
  await client.create(IntegrationConfig, {
    metadata: { ...key, name: 'blue' },
    spec: { type: 'acme', className: 'blue' },
  });
  await until(async () => changed.includes('default/blue') || undefined, { message: () => 'not seen' });
  t.is(await ready(), undefined);
  await client.delete(IntegrationConfig, key);
  await create({ className: 'blue' });
  t.truthy(await readyIs('Configured'));
});
