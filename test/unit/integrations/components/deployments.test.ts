import test from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import { ConfigMap, Deployment, Pod } from '../../../../sdk/index.ts';
import { aShopWith, db, template } from './fixtures/a-component-shop.ts';

const key = { namespace: 'default', name: 'shop-db' };
const complete = { observedGeneration: 9, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
const completed = 'Completed: 1 of 1 components ready';

/** A shop whose Deployments are complete when told so. */
async function aDeployedShop(options: Parameters<typeof aShopWith>[0] = {}) {
  const shop = await aShopWith({ workload: 'Deployment', ...options }, db);
  const { client } = shop.stage;
  return {
    ...shop,
    deployment: () => client.get(Deployment, key),
    async complete(): Promise<void> {
      const patch = { type: 'merge', value: { status: complete } } as const;
      await client.patch(Deployment, key, patch, { subresource: 'status' });
      await shop.actor.walk();
    },
  };
}

test('a changed template is rolled out by the same Deployment, with the replicas that an autoscaler has set', async (t) => {
  const { actor, stage, deployment, complete, change, condition } = await aDeployedShop();
  await actor.walk();
  await complete();
  t.is(await condition(), completed);
  const { uid } = (await deployment()).metadata;
  await stage.client.patch(Deployment, key, { type: 'merge', value: { spec: { replicas: 3 } } });
  const gone = { ...template('db', '--old'), nodeSelector: { disk: 'ssd' } };
  await change({ components: [{ ...db, template: gone }] });
  await change({ components: [{ ...db, template: template('db', '--new') }] });
  const { metadata, spec } = await deployment();
  t.is(metadata.uid, uid);
  t.is(spec?.replicas, 3);
  t.deepEqual(spec?.template.spec?.containers[0]?.args, ['--new']);
  t.is(spec?.template.spec?.nodeSelector, undefined);
  t.is(await condition(), 'In Progress: 0 of 1 components ready; waiting for db');
});

test('a template that the API server refuses is reported, and the Deployment stays as it was', async (t) => {
  const { actor, deployment, change, condition } = await aDeployedShop();
  await actor.walk();
  const { generation } = (await deployment()).metadata;
  await change({ components: [{ ...db, template: { ...template('db'), restartPolicy: 'Sometimes' } }] });
  t.regex(await condition(), /^Error: .*restartPolicy/);
  t.is((await deployment()).metadata.generation, generation);
});

test('pods give way to Deployments, and the other way round', async (t) => {
  const { stage, actor, pods, deployment } = await aDeployedShop({ workload: 'Pod' });
  await actor.walk();
  t.deepEqual(pods(), ['shop-db']);
  await stage.actor([components({ workload: 'Deployment' })]).walk();
  await t.notThrowsAsync(deployment());
  t.deepEqual(pods(), []);
  await stage.actor([components({ workload: 'Pod' })]).walk();
  t.deepEqual(pods(), ['shop-db']);
  await stage.cluster.settle();
  await t.throwsAsync(deployment(), { message: /not found/ });
});

test('pods are restarted when a ConfigMap of the workspace that they read changes', async (t) => {
  const { stage, actor, deployment, change } = await aDeployedShop({ restartOnConfig: true });
  const { uid } = (await stage.read()).metadata;
  const ours = {
    name: 'settings',
    labels: { 'workspaces.sequencer.io/instance': 'shop' },
    ownerReferences: [
      { apiVersion: 'se.quencer.io/v1', kind: 'Workspace', name: 'shop', uid: uid ?? '', controller: true },
    ],
  };
  await stage.client.create(ConfigMap, { metadata: { ...ours, namespace: 'default' }, data: { level: 'info' } });
  const reading = { containers: [{ name: 'db', image: 'db:1', envFrom: [{ configMapRef: { name: 'settings' } }] }] };
  await change({ components: [{ ...db, template: reading }] });
  const before = (await deployment()).spec?.template.metadata?.annotations;
  await actor.walk();
  t.deepEqual((await deployment()).spec?.template.metadata?.annotations, before);
  const settings = { namespace: 'default', name: 'settings' };
  await stage.client.patch(ConfigMap, settings, { type: 'merge', value: { data: { level: 'debug' } } });
  await actor.walk();
  t.notDeepEqual((await deployment()).spec?.template.metadata?.annotations, before);
});

test('registry credentials are those of the option, unless the template names its own', async (t) => {
  const { stage, actor, change } = await aShopWith({ imagePullSecrets: ['registry'] }, db);
  await actor.walk();
  t.deepEqual((await stage.client.get(Pod, key)).spec?.imagePullSecrets, [{ name: 'registry' }]);
  await stage.client.delete(Pod, key, { gracePeriodSeconds: 0 });
  await change({ components: [{ ...db, template: { ...template('db'), imagePullSecrets: [{ name: 'mine' }] } }] });
  t.deepEqual((await stage.client.get(Pod, key)).spec?.imagePullSecrets, [{ name: 'mine' }]);
});
