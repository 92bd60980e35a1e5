import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { configFinalizer, IntegrationConfig } from '../../../../sdk/host/index.ts';
import {
  type Client,
  conditionOf,
  type KubeObject,
  SecretRegistry,
  systemClock,
  Workspace,
} from '../../../../sdk/index.ts';
import { defineTenantIntegration } from '../../../../sequencer/index.ts';
import { addConfigFinalizer } from '../../../../sequencer/tenants/config-finalizer.ts';
import {
  type AnyConfig,
  configIntegrationName,
  configKindOf,
  isUsing,
} from '../../../../sequencer/tenants/config-integration-name.ts';
import { Connections } from '../../../../sequencer/tenants/connections.ts';
import { workspaceIntegrations } from '../../../../sequencer/tenants/workspace-integrations.ts';
import { sweepCrashes } from '../../../cluster/index.ts';
import { type Actor, aTargetCluster, type TargetCluster, targetClusterOn } from '../../a-target-cluster.ts';
import { times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper, type ThirdParty } from '../../sdk/provider/a-third-party.ts';
import { aSecret } from './fixtures/a-config.ts';

const names = ({ boxes }: ThirdParty) => boxes.map(({ name }) => name).toSorted();
const all = ['www'];

/** Configs `a` and `b` on a server, each with a third party of its own, and a workspace that picks `a`. */
async function setUp() {
  const stage = await aTargetCluster();
  await stage.cluster.apply((await IntegrationConfig.crd?.()) as KubeObject);
  await stage.cluster.settle();
  const parties: Readonly<Record<string, ThirdParty>> = { a: aThirdParty(), b: aThirdParty() };
  const secretRefs = { token: { name: 'dns', key: 'token' } };
  for (const name of ['a', 'b'])
    await stage.client.create(IntegrationConfig, {
      metadata: { namespace: 'default', name },
      spec: { type: 'boxes', secretRefs: { token: { ...secretRefs.token, key: name } } },
    });
  await stage.create({ integrations: { boxes: { www: 1 } }, integrationConfigs: { boxes: { name: 'a' } } });
  const type = defineTenantIntegration({
    condition: 'Boxes',
    handles: ({ spec }) => spec.integrations?.boxes !== undefined,
    secrets: ['token'],
    create: (_, { token }) => boxKeeper(parties[token]!.resource('name')),
  });
  const configs = (await stage.client.list(IntegrationConfig)).items;
  const types = { boxes: type };
  const secretOf = () => aSecret({ a: 'a', b: 'b' }, { labels: { 'se.quencer.io/integration-type': 'boxes' } });
  const integrationsOf = (client: Client) => {
    const connections = new Connections({ types, secretOf, secrets: new SecretRegistry(), clock: systemClock });
    const byName = (name: string) => configs.find((config) => configIntegrationName(config) === name);
    const input = { types, own: configs, clusterWide: [], byName, isServed: () => false };
    const hold = (held: AnyConfig) => addConfigFinalizer(client, configKindOf(held), held);
    const host = { connections, hold };
    return (workspace: Workspace) => workspaceIntegrations(workspace, input, host);
  };
  return { stage, a: parties.a!, b: parties.b!, integrationsOf };
}

const pick = ({ client }: Pick<TargetCluster, 'client'>, name: string) =>
  client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { spec: { integrationConfigs: { boxes: { name } } } } },
  );

/** Walks with every lease over between two walks. */
const later = async ({ clock }: TargetCluster, actor: Actor) => {
  for (let walk = 0; walk < 5; walk += 1) {
    await actor.walk().catch(() => undefined);
    await clock.advance(30_000);
  }
};

/** Configs that the workspace is using without the finalizer that keeps them, though their party has something. */
async function leaks({ client, read }: TargetCluster, parties: Readonly<Record<string, ThirdParty>>) {
  const [workspace, { items }] = [await read(), await client.list(IntegrationConfig)];
  return items
    .filter(({ metadata }) => names(parties[metadata.name]!).length > 0)
    .filter(
      (config) =>
        !isUsing(workspace, configIntegrationName(config)) || !config.metadata.finalizers?.includes(configFinalizer),
    )
    .map(({ metadata }) => metadata.name);
}

for (const title of ['what is begun under a config', 'a change of configs'] as const)
  test(`${title} is carried to its end after a crash at any write, and nothing is outside without a config that is kept`, async (t) => {
    const { stage, a, b, integrationsOf } = await setUp();
    const isChange = title === 'a change of configs';
    if (isChange) await later(stage, stage.actor([], { times, integrationsOf }));
    const before = [a, b].map(({ boxes }) => [...boxes]);
    const crashes = await sweepCrashes({ cluster: stage.cluster, client: { userAgent: 'dies' } }, async (run) => {
      for (const [index, { boxes }] of [a, b].entries()) boxes.splice(0, boxes.length, ...before[index]!);
      const fork = targetClusterOn(run.cluster, stage.clock);
      if (isChange) await pick(fork, 'b');
      const dies = fork.actor([], { holder: 'dies', times, integrationsOf });
      let over = false;
      void dies.walk().then(
        () => (over = true),
        () => (over = true),
      );
      while (!over && run.crash.hits === 0) await setImmediate();
      dies.die();
      run.crash.remove();
      t.deepEqual(await leaks(fork, { a, b }), [], `after ${run.writes} writes`);
      const heir = fork.actor([], { holder: 'heir', times, integrationsOf });
      await later(fork, heir);
      t.is(conditionOf(await fork.read(), 'Boxes').status, 'Completed', `after ${run.writes} writes`);
      t.deepEqual([names(a), names(b)], isChange ? [[], all] : [all, []], `after ${run.writes} writes`);
      t.is((await fork.read()).metadata.finalizers?.length, 1);
      await fork.delete();
      await later(fork, heir);
      t.deepEqual([names(a), names(b)], [[], []], `deleted after ${run.writes} writes`);
    });
    t.true(crashes > 5, `${crashes} crashes`);
  });
