import test from 'ava';
import { type ComponentsOptions, components } from '../../../integrations/components/index.ts';
import { type Component, conditionOf, Pod, Service, Workspace, type WorkspaceSpec } from '../../../sdk/index.ts';
import { type Actor, aStage, type Stage } from '../../a-stage.ts';

const template = (name: string, ...args: readonly string[]) => ({ containers: [{ name, image: `${name}:1`, args }] });
const network = (name: string, port: number) => ({ name, port, targetPort: port, protocol: 'TCP' }) as const;
const needs = (componentName: string) => ({ componentName, conditionType: 'Ready', conditionStatus: 'True' }) as const;

const db: Component = { name: 'db', networks: [network('sql', 5432)], template: template('db') };
const web: Component = {
  name: 'web',
  networks: [network('http', 80)],
  template: template('web', '${components::db.networks.sql}'),
  dependsOn: [needs('db')],
};

/** A stage with one workspace of these components, and what its tests look at. */
const aShop = (...all: readonly Component[]) => aShopWith({}, ...all);

async function aShopWith(options: ComponentsOptions, ...all: readonly Component[]) {
  const stage = await aStage();
  const actor = stage.actor([components(options)]);
  await stage.create({ components: all });
  return { stage, actor, ...lookAt(stage, actor) };
}

function lookAt({ client, cluster, read }: Stage, actor: Actor) {
  /** All but the API server's own service. */
  const names = (kind: string) =>
    cluster
      .list({ apiVersion: 'v1', kind }, 'default')
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== 'kubernetes');
  return {
    pods: () => names('Pod'),
    services: () => names('Service'),
    /** As a node would. */
    report: (name: string, status: object) =>
      client.patch(
        Pod,
        { namespace: 'default', name },
        { type: 'merge', value: { status } },
        { subresource: 'status' },
      ),
    async condition() {
      const { status, reason } = conditionOf(await read(), 'Components');
      return `${status}: ${reason}`;
    },
    async change(spec: WorkspaceSpec) {
      const operations = [{ op: 'replace', path: '/spec', value: spec }] as const;
      await client.patch(Workspace, { namespace: 'default', name: 'shop' }, { type: 'json', operations });
      await actor.walk();
    },
    writes: () => cluster.audit.filter(({ method, url }) => method !== 'GET' && /pods|services/.test(url)).length,
  };
}

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

test('components and networks that nobody asks for any more are removed; what others own stays', async (t) => {
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

test('an object of that name which somebody else owns is left alone and named', async (t) => {
  const { stage, actor, condition } = await aShop(db);
  await stage.client.create(Pod, {
    metadata: { name: 'shop-db', namespace: 'default' },
    spec: { containers: [{ name: 'x', image: 'x' }] },
  });
  const { requeueAfter } = await actor.walk();
  t.is(await condition(), 'Error: Pod shop-db exists and belongs to nobody: delete or rename it');
  t.is(requeueAfter, 30_000);
  await stage.client.delete(Pod, { namespace: 'default', name: 'shop-db' }, { gracePeriodSeconds: 0 });
  await actor.walk();
  t.is(await condition(), 'In Progress: 0 of 1 components ready; waiting for db');
});

test('a mistake in the components creates nothing and says what to mend', async (t) => {
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

test('a pod that its node has thrown out is made anew', async (t) => {
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
  t.false(components().handles(await (await aStage()).create({})));
});

const escaping = (spec: object): Component => ({ name: 'web', template: { ...template('web'), ...spec } });

for (const [what, spec, field] of [
  ['the host’s processes', { hostPID: true }, 'hostPID'],
  ['the host’s files', { volumes: [{ name: 'root', hostPath: { path: '/' } }] }, 'volumes[0].hostPath'],
  ['another service account', { serviceAccountName: 'admin' }, 'serviceAccountName'],
] as const)
  test(`a pod that wants ${what} is refused before anything is created, and the workspace can be deleted`, async (t) => {
    const { stage, actor, pods, services, condition, writes } = await aShop(db, escaping(spec));
    await actor.walk();
    t.true((await condition()).startsWith(`Error: component web: template.${field}: `), await condition());
    t.deepEqual([...pods(), ...services()], []);
    t.is(writes(), 0);
    await stage.delete();
    await actor.walk();
    await actor.walk();
    await t.throwsAsync(stage.read(), { message: /not found/ });
  });

test('podSecurity and serviceAccounts open what whoever runs the sequencer wants open, by workspace', async (t) => {
  const serviceAccounts = ({ metadata }: Workspace) => (metadata.namespace === 'default' ? ['admin'] : []);
  const { stage, actor, pods } = await aShopWith(
    { podSecurity: 'privileged', serviceAccounts },
    escaping({ hostPID: true, serviceAccountName: 'admin' }),
  );
  await actor.walk();
  t.deepEqual(pods(), ['shop-web']);
  const { spec } = await stage.client.get(Pod, { namespace: 'default', name: 'shop-web' });
  t.like(spec, { hostPID: true, serviceAccountName: 'admin', automountServiceAccountToken: false });
});

test('a template that the pod standards leave room for is created hardened', async (t) => {
  const { stage, actor } = await aShop(db);
  await actor.walk();
  const { spec } = await stage.client.get(Pod, { namespace: 'default', name: 'shop-db' });
  t.like(spec, { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } });
  t.like(spec?.containers[0], {
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  });
});

test('a template of more levels or characters than any pod has is told', async (t) => {
  const { actor, condition, change } = await aShop(escaping({ volumes: [{ a: 'x'.repeat(600_000) }] }));
  await actor.walk();
  t.regex(await condition(), /^Error: component web: template: more than 524288 characters/);
  await change({ components: [db] });
  t.regex(await condition(), /^In Progress/);
});

test('options that mean nothing are refused with their name', (t) => {
  for (const [options, message] of [
    [{ podSecurty: 'baseline' }, /components: podSecurty is no option; known are podSecurity, serviceAccounts/],
    [{ podSecurity: 'lax' }, /components: podSecurity must be one of privileged, baseline, restricted, not "lax"/],
    [{ serviceAccounts: 'admin' }, /components: serviceAccounts must be a list of names/],
  ] as const)
    t.throws(() => components(options as never), { instanceOf: TypeError, message });
});

test('a function of service accounts that answers something else is named in the condition', async (t) => {
  const { actor, condition } = await aShopWith({ serviceAccounts: () => 'admin' as never }, db);
  await t.throwsAsync(actor.walk(), { message: /serviceAccounts must return a list of names/ });
  t.is(await condition(), 'Error: components: serviceAccounts must return a list of names');
});
