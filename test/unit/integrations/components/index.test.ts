import test from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import { conditionOf, Deployment, type KubeObject, Pod, Service } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aShop, aShopWith, db, network, template, web } from './fixtures/a-component-shop.ts';

const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

test('components come up in the order of their dependencies, the condition says what it waits for', async (t) => {
  const { actor, pods, services, condition, report } = await aShop(web, db);
  await actor.walk();
  t.deepEqual(services(), ['shop-db-sql', 'shop-web-http']);
  t.deepEqual(pods(), ['shop-db']);
  t.is(await condition(), 'In Progress: 0 of 2 components ready; waiting for web (needs db Ready), db');
  await report('shop-db', ready);
  await actor.walk();
  t.deepEqual(pods(), ['shop-db', 'shop-web']);
  t.is(await condition(), 'In Progress: 1 of 2 components ready; waiting for web');
  await report('shop-web', ready);
  await actor.walk();
  t.is(await condition(), 'Completed: 2 of 2 components ready');
});

test('what is created belongs to the workspace, is labelled, and has its references resolved', async (t) => {
  const { stage, actor, report } = await aShop(db, web);
  await actor.walk();
  await report('shop-db', ready);
  await actor.walk();
  const pod = await stage.client.get(Pod, { namespace: 'default', name: 'shop-web' });
  t.deepEqual(pod.spec?.containers[0]?.args, ['shop-db-sql.default.svc:5432']);
  t.is(pod.metadata.ownerReferences?.[0]?.uid, (await stage.read()).metadata.uid);
  t.like(pod.metadata.labels, {
    'components.sequencer.io/name': 'web',
    'components.sequencer.io/instance': 'shop',
    'workspaces.sequencer.io/instance': 'shop',
  });
  const service = await stage.client.get(Service, { namespace: 'default', name: 'shop-web-http' });
  t.is(service.metadata.labels?.['components.sequencer.io/network'], 'http');
});

test('a second walk over what is as wanted writes nothing', async (t) => {
  const { actor, writes, report } = await aShop(db);
  await actor.walk();
  await report('shop-db', ready);
  await actor.walk();
  const before = writes();
  await actor.walk();
  await actor.walk();
  t.is(writes(), before);
});

test('a pod of which something else is wanted is deleted, and made anew once it is gone', async (t) => {
  const { stage, actor, report, change, condition } = await aShop(db);
  await actor.walk();
  await report('shop-db', ready);
  await actor.walk();
  const { uid } = (await stage.client.get(Pod, { namespace: 'default', name: 'shop-db' })).metadata;
  await change({ components: [{ ...db, template: template('db', '--verbose') }] });
  t.is(await condition(), 'In Progress: 0 of 1 components ready; waiting for db');
  await stage.client.delete(Pod, { namespace: 'default', name: 'shop-db' }, { gracePeriodSeconds: 0 });
  await actor.walk();
  const pod = await stage.client.get(Pod, { namespace: 'default', name: 'shop-db' });
  t.not(pod.metadata.uid, uid);
  t.deepEqual(pod.spec?.containers[0]?.args, ['--verbose']);
});

test('a service of which something else is wanted is changed and keeps its address, its pod is not touched', async (t) => {
  const { stage, actor, report, change, condition } = await aShop(db);
  await actor.walk();
  await report('shop-db', ready);
  await actor.walk();
  const { uid } = (await stage.client.get(Pod, { namespace: 'default', name: 'shop-db' })).metadata;
  await change({ components: [{ ...db, networks: [network('sql', 5433)] }] });
  const service = await stage.client.get(Service, { namespace: 'default', name: 'shop-db-sql' });
  t.is(service.spec?.ports?.[0]?.port, 5433);
  t.is((await stage.client.get(Pod, { namespace: 'default', name: 'shop-db' })).metadata.uid, uid);
  t.is(await condition(), 'Completed: 1 of 1 components ready');
});

test('components and networks that are no longer requested are removed; what others own stays', async (t) => {
  const { stage, actor, pods, services, report, change } = await aShop(db, { ...web, dependsOn: [] });
  await stage.client.create(Service, {
    metadata: { name: 'foreign', namespace: 'default', labels: { 'components.sequencer.io/instance': 'shop' } },
    spec: { ports: [{ port: 1 }] },
  });
  await actor.walk();
  await report('shop-db', ready);
  await change({ components: [{ ...db, networks: [] }] });
  await stage.client.delete(Pod, { namespace: 'default', name: 'shop-web' }, { gracePeriodSeconds: 0 });
  await actor.walk();
  t.deepEqual(pods(), ['shop-db']);
  t.deepEqual(services(), ['foreign']);
});

test('an object of that name with another owner is left alone and named', async (t) => {
  const { stage, actor, condition } = await aShop(db);
  await stage.client.create(Pod, {
    metadata: { name: 'shop-db', namespace: 'default' },
    spec: { containers: [{ name: 'x', image: 'x' }] },
  });
  const { requeueAfter } = await actor.walk();
  t.is(await condition(), 'Error: Pod shop-db exists and belongs to no owner: delete or rename it');
  t.is(requeueAfter, 30_000);
  await stage.client.delete(Pod, { namespace: 'default', name: 'shop-db' }, { gracePeriodSeconds: 0 });
  await actor.walk();
  t.is(await condition(), 'In Progress: 0 of 1 components ready; waiting for db');
});

test('a mistake in the components creates nothing and says what to fix', async (t) => {
  const { actor, pods, services, condition, change } = await aShop({ ...web, dependsOn: [] });
  await actor.walk();
  t.deepEqual([...pods(), ...services()], []);
  t.is(
    await condition(),
    'Error: component web: template.containers[0].args[0]: ${components::db.networks.sql} stands for nothing; known are web.networks.http',
  );
  await change({ components: [web, db] });
  t.is(await condition(), 'In Progress: 0 of 2 components ready; waiting for web (needs db Ready), db');
});

test('a template that the server refuses is an Error in the server’s words', async (t) => {
  const { stage, actor, condition } = await aShop(db);
  const message = 'Pod "shop-db" is invalid: spec.containers: Required value';
  const body = Buffer.from(
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Invalid', code: 422, message }),
  );
  stage.cluster.intercept((request, next) =>
    request.method === 'POST' && request.url.includes('/pods')
      ? Promise.resolve({ status: 422, headers: { 'content-type': 'application/json' }, body })
      : next(request),
  );
  t.is((await actor.walk()).requeueAfter, undefined);
  t.is(await condition(), `Error: ${message}`);
});

test('a pod that was evicted is made anew', async (t) => {
  const { stage, actor, report, pods } = await aShop(db);
  await actor.walk();
  await report('shop-db', { phase: 'Failed', reason: 'Evicted' });
  await actor.walk();
  await stage.client.delete(Pod, { namespace: 'default', name: 'shop-db' }, { gracePeriodSeconds: 0 });
  await actor.walk();
  t.deepEqual(pods(), ['shop-db']);
  t.is((await stage.client.get(Pod, { namespace: 'default', name: 'shop-db' })).status?.reason, undefined);
});

test('on deletion everything goes, those last that others depend on', async (t) => {
  const { stage, actor, pods, services, report } = await aShop(db, web);
  await actor.walk();
  await report('shop-db', ready);
  await actor.walk();
  await stage.client.patch(
    Pod,
    { namespace: 'default', name: 'shop-web' },
    { type: 'merge', value: { metadata: { finalizers: ['example.com/slow'] } } },
  );
  await stage.delete();
  await actor.walk();
  await actor.walk();
  const first = await stage.client.get(Pod, { namespace: 'default', name: 'shop-web' });
  const other = await stage.client.get(Pod, { namespace: 'default', name: 'shop-db' });
  t.truthy(first.metadata.deletionTimestamp);
  t.is(other.metadata.deletionTimestamp, undefined);
  t.regex(conditionOf(await stage.read(), 'Components').reason, /shop-web is held by example.com\/slow/);
  await stage.client.patch(
    Pod,
    { namespace: 'default', name: 'shop-web' },
    { type: 'merge', value: { metadata: { finalizers: null } } },
  );
  for (let round = 0; round < 4; round += 1) {
    for (const name of pods())
      await stage.client.delete(Pod, { namespace: 'default', name }, { gracePeriodSeconds: 0 });
    await actor.walk();
  }
  t.deepEqual([...pods(), ...services()], []);
  await t.throwsAsync(stage.read(), { message: /not found/ });
});

test('a workspace without components is not touched', async (t) => {
  t.false(components().handles(await (await aTargetCluster()).create({})));
});

test('a misspelt field of a template is reported by the server, and nothing is made of it; fixed, it comes up', async (t) => {
  const misspelt = { ...db, template: { ...template('db'), restartPolicyy: 'Never' } };
  const { actor, pods, condition, change } = await aShop(misspelt);
  await actor.walk();
  t.regex(await condition(), /^Error: shop-db: .*strict decoding error: unknown field "spec\.restartPolicyy"$/);
  t.deepEqual(pods(), []);
  await change({ components: [db] });
  t.deepEqual(pods(), ['shop-db']);
});

for (const workload of ['Pod', 'Deployment'] as const)
  test(`a ${workload} that runs stays when its template becomes one that the server never takes`, async (t) => {
    const { stage, actor, condition, change } = await aShopWith({ workload }, db);
    await actor.walk();
    const kind = { Pod, Deployment }[workload];
    const uidOf = async () =>
      (await stage.client.get<KubeObject>(kind, { namespace: 'default', name: 'shop-db' })).metadata;
    const { uid } = await uidOf();
    for (const [wrong, told] of [
      [{ ...template('db', '-v'), restartPolicyy: 'Never' }, /^Error: shop-db: .*unknown field ".*restartPolicyy"/],
      [template('DB', '-v'), /^Error: .*shop-db.* is invalid: .*name: Invalid value: "DB"/],
    ] as const) {
      await change({ components: [{ ...db, template: wrong }] });
      t.regex(await condition(), told);
      t.like(await uidOf(), { uid, deletionTimestamp: undefined });
    }
  });
