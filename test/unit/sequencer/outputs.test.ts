import test from 'ava';
import { components } from '../../../integrations/components/index.ts';
import { conditionOf, defineIntegration, outputReferences, Pod, Workspace, withOutputs } from '../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../a-target-cluster.ts';

/** A database that knows its host when told so, and a reader that wants what the spec says of it. */
async function aPair() {
  const stage = await aTargetCluster();
  const state: { host?: string } = {};
  const calls: string[] = [];
  const database = defineIntegration({
    name: 'pg',
    condition: 'Database',
    outputs: {
      host: { description: 'Host and port.' },
      password: { description: 'Its password.', secret: true },
    },
    handles: ({ spec }) => spec.integrations?.pg !== undefined,
    connect: ({ controller }) => ({
      async reconcile() {
        await controller.setOutputs({
          host: state.host,
          password: { secretKeyRef: { name: 'shop-db', key: 'password' } },
        });
        await controller.updateCondition('Completed', 'there');
      },
      async terminate() {
        calls.push('terminate pg');
        await controller.updateCondition('Terminated', 'gone');
      },
    }),
  });
  const reader = defineIntegration({
    name: 'reader',
    condition: 'Read',
    references: ({ spec }) => outputReferences(spec.integrations?.reader),
    handles: ({ spec }) => spec.integrations?.reader !== undefined,
    connect: ({ workspace, controller }) => ({
      async reconcile() {
        const text = String(withOutputs(workspace, workspace.spec.integrations?.reader));
        calls.push(`read ${text}`);
        await controller.updateCondition('Completed', text);
      },
      async terminate() {
        calls.push('terminate reader');
        await controller.updateCondition('Terminated', 'gone');
      },
    }),
  });
  const integrations = [components({ podSecurity: 'privileged' }), reader, database];
  return { stage, state, calls, actor: stage.actor(integrations) };
}

const said = async (stage: TargetCluster, type: string): Promise<string> => {
  const { status, reason } = conditionOf(await stage.read(), type);
  return `${status}: ${reason}`;
};
const url = 'pg://${outputs::Database.host}/shop';

test('what an integration has learned reaches another one, in that order, and is awaited by name', async (t) => {
  const { stage, state, calls, actor } = await aPair();
  await stage.create({ integrations: { pg: {}, reader: url } });
  await actor.walk();
  t.is(await said(stage, 'Read'), 'Waiting: waits for Database.host');
  t.is((await stage.read()).status?.phase, 'Deploying');
  state.host = 'db:5432';
  await actor.walk();
  t.is(await said(stage, 'Read'), 'Completed: pg://db:5432/shop');
  t.is((await stage.read()).status?.phase, 'Healthy');
  const { revision } = stage.cluster;
  await actor.walk();
  t.is(stage.cluster.revision, revision, 'nothing is written when nothing has changed');
  state.host = 'db:5433';
  await actor.walk();
  t.is(await said(stage, 'Read'), 'Completed: pg://db:5433/shop');
  await stage.delete();
  await actor.walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.deepEqual(calls.slice(-2), ['terminate reader', 'terminate pg'], 'what uses an output ends first');
});

test('outputs vanish with their condition, and what uses them is told so, but left as it is', async (t) => {
  const { stage, state, calls, actor } = await aPair();
  state.host = 'db:5432';
  await stage.create({ integrations: { pg: {}, reader: url } });
  await actor.walk();
  t.truthy((await stage.read()).status?.outputs?.Database);
  await stage.client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { spec: { integrations: { pg: null } } } },
  );
  await actor.walk();
  t.is((await stage.read()).status?.outputs, undefined);
  t.is(await said(stage, 'Read'), 'Error: Database.host: this workspace asks for no Database');
  t.false(calls.includes('terminate reader'));
});

test('templates take outputs as texts, and keys of Secrets as env; without them no pod is made', async (t) => {
  const { stage, state, actor } = await aPair();
  const env = [
    { name: 'URL', value: url },
    { name: 'PASSWORD', valueFrom: { secretKeyRef: '${outputs::Database.password}' } },
  ];
  const template = { containers: [{ name: 'web', image: 'nginx', env }] };
  await stage.create({ integrations: { pg: {} }, components: [{ name: 'web', template }] });
  await actor.walk();
  t.is(await said(stage, 'Components'), 'Waiting: waits for Database.host');
  t.is((await stage.client.list(Pod, { namespace: 'default' })).items.length, 0);
  state.host = 'db:5432';
  await actor.walk();
  const [pod] = (await stage.client.list(Pod, { namespace: 'default' })).items;
  t.deepEqual(pod?.spec?.containers?.[0]?.env, [
    { name: 'URL', value: 'pg://db:5432/shop' },
    { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'shop-db', key: 'password' } } },
  ]);
});

test('a reference that can never be is an error at once, told by one event', async (t) => {
  const { stage, actor } = await aPair();
  await stage.create({ integrations: { pg: {}, reader: '${outputs::Database.prot}' } });
  await actor.walk();
  await actor.walk();
  t.is(
    await said(stage, 'Read'),
    'Error: Database.prot: integration "pg" declares no output prot; known are host, password',
  );
  t.is(actor.events.filter(({ reason }) => reason === 'ReadBlocked').length, 1);
  t.is(await said(stage, 'Database'), 'Completed: there');
});
