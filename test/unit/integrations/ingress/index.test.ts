import test, { type ExecutionContext } from 'ava';
import { type IngressOptions, ingress } from '../../../../integrations/ingress/index.ts';
import { gatewayKind, type RouteKind, type RouteObject, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import { conditionOf, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { aTargetCluster, refusing } from '../../a-target-cluster.ts';
import { component, rule } from '../fixtures/an-ingress-spec.ts';
import { serveGatewayApi } from './gateway-definitions.ts';

const gateway = { name: 'edge', namespace: 'infra' };
const networking: WorkspaceSpec['networking'] = {
  dns: { zone: 'example.test' },
  ingress: { className: 'nginx', rules: [rule('web')] },
};
const spec: WorkspaceSpec = { components: [component('web', 80)], networking };

async function aShop(options: IngressOptions = {}) {
  const stage = await aTargetCluster();
  const actor = stage.actor([ingress(options)]);
  await stage.create(spec);
  const routes = async (kind: RouteKind) =>
    (await stage.client.list<RouteObject>(routeKinds[kind], { namespace: 'default' })).items;
  const { client, read, delete: remove } = stage;
  return {
    client,
    read,
    remove,
    stage,
    actor,
    routes,
    async walk() {
      await stage.clock.advance(60_000);
      const result = await actor.walk();
      const { status, reason } = conditionOf(await stage.read(), 'Ingress');
      return { ...result, said: `${status}: ${reason}` };
    },
    async report(kind: RouteKind, status: object) {
      const [one] = await routes(kind);
      const key = { namespace: 'default', name: one!.metadata.name };
      await stage.client.patch<RouteObject>(
        routeKinds[kind],
        key,
        { type: 'merge', value: { status } },
        { subresource: 'status' },
      );
    },
  };
}

test('an Ingress is made, owned by the workspace, and its host is an output', async (t) => {
  const { walk, routes, read } = await aShop({ annotations: { 'example.test/a': 'b' } });
  t.is((await walk()).said, 'Completed: Ingress of shop.example.test');
  const [made, ...more] = await routes('Ingress');
  t.is(more.length, 0);
  t.is(made?.metadata.ownerReferences?.[0]?.uid, (await read()).metadata.uid);
  t.like(made?.metadata.annotations, { 'example.test/a': 'b' });
  t.deepEqual((await read()).status?.outputs, { Ingress: { values: { host: 'shop.example.test' } } });
  t.is((await read()).status?.dns, undefined);
});

test('with waitForAddress the address is waited for, told, and published for DNS until the end', async (t) => {
  const { walk, report, read, client, remove, routes } = await aShop({ waitForAddress: true });
  t.is((await walk()).said, 'In Progress: waiting until Ingress of shop.example.test has an address');
  await report('Ingress', { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } });
  t.is((await walk()).said, 'Completed: Ingress of shop.example.test at 192.0.2.1');
  const { status } = await read();
  t.deepEqual(status?.dns, [{ recordType: 'A', name: 'shop.example.test', target: '192.0.2.1' }]);
  t.like(status?.outputs?.Ingress?.values, { address: '192.0.2.1' });
  t.deepEqual(status?.ingress, { kinds: ['Ingress'], hosts: ['shop.example.test'] });
  await client.patch(
    { group: 'se.quencer.io', version: 'v1alpha1', kind: 'Workspace', plural: 'workspaces', namespaced: true },
    { namespace: 'default', name: 'shop' },
    {
      type: 'merge',
      value: { metadata: { finalizers: [...((await read()).metadata.finalizers ?? []), 'test/holds'] } },
    },
  );
  await remove();
  t.is((await walk()).said, 'Terminated: no route is left');
  t.deepEqual(await routes('Ingress'), []);
  const ended = (await read()).status;
  t.is(ended?.dns, undefined);
  t.is(ended?.ingress, undefined);
});

test('where the cluster begins to serve HTTPRoutes, they take the place of Ingresses', async (t) => {
  const { walk, routes, client, read } = await aShop({ gateway });
  t.is((await walk()).said, 'Completed: Ingress of shop.example.test');
  await serveGatewayApi(client);
  const { said, requeueAfter } = await walk();
  t.is(said, 'Completed: HTTPRoute of shop.example.test');
  t.is(requeueAfter, 300_000);
  t.is((await routes('HTTPRoute')).length, 1);
  t.deepEqual(await routes('Ingress'), []);
  t.deepEqual((await read()).status?.ingress, { kinds: ['HTTPRoute'] });
});

test('without the option gateway, routes of an earlier one are removed', async (t) => {
  const { walk, routes, client, actor, stage } = await aShop({ gateway });
  await serveGatewayApi(client);
  await walk();
  t.is((await routes('HTTPRoute')).length, 1);
  actor.die();
  await stage.actor([ingress()], { holder: 'two' }).walk();
  t.deepEqual(await routes('HTTPRoute'), []);
  t.is((await routes('Ingress')).length, 1);
});

async function expectGateway(t: ExecutionContext, options: IngressOptions) {
  const { walk, report, client } = await aShop({ gateway, waitForAddress: true, ...options });
  await client.create(
    { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
    { metadata: { name: 'infra' } },
  );
  await serveGatewayApi(client);
  await client.create(gatewayKind, { metadata: gateway });
  await client.patch(
    gatewayKind,
    gateway,
    { type: 'merge', value: { status: { addresses: [{ value: '192.0.2.7' }] } } },
    { subresource: 'status' },
  );
  const waiting = 'In Progress: waiting until HTTPRoute of shop.example.test has an address';
  t.is((await walk()).said, waiting);
  const accepted = (status: string) => ({
    parents: [
      {
        parentRef: gateway,
        controllerName: 'test/controller',
        conditions: [{ type: 'Accepted', status, message: 'no such listener' }],
      },
    ],
  });
  await report('HTTPRoute', accepted('False'));
  t.is((await walk()).said.replace(/shop-\S+/, 'X'), 'Error: HTTPRoute X is not accepted: no such listener');
  await report('HTTPRoute', accepted('True'));
  t.is((await walk()).said, 'Completed: HTTPRoute of shop.example.test at 192.0.2.7');
}

for (const api of ['auto', 'HTTPRoute'] as const)
  test(`with api ${api}, an HTTPRoute waits until its Gateway accepts it, and has the Gateway’s address`, (t) =>
    expectGateway(t, { api }));

test('a kind that the option names and the cluster does not serve is an error', async (t) => {
  const { walk } = await aShop({ api: 'HTTPRoute', gateway });
  t.regex((await walk()).said, /^Error: the cluster does not serve HTTPRoute of gateway\.networking\.k8s\.io\/v1/);
});

test('an object of others is left alone, and named', async (t) => {
  const { walk, routes, client } = await aShop();
  await walk();
  const [one] = await routes('Ingress');
  const key = { namespace: 'default', name: one!.metadata.name };
  await client.delete(routeKinds.Ingress, key);
  await client.create<RouteObject>(routeKinds.Ingress, {
    metadata: key,
    spec: { defaultBackend: { service: { name: 'x', port: { number: 1 } } } },
  });
  t.regex((await walk()).said, /^Error: Ingress shop-\S+ exists and is not this workspace’s: delete or rename it$/);
  t.like((await routes('Ingress'))[0]?.spec, { defaultBackend: { service: { name: 'x' } } });
});

test('a route that lost its label is labelled again', async (t) => {
  const { walk, routes, client } = await aShop();
  await walk();
  const [one] = await routes('Ingress');
  const key = { namespace: 'default', name: one!.metadata.name };
  await client.patch<RouteObject>(routeKinds.Ingress, key, { type: 'merge', value: { metadata: { labels: null } } });
  t.is((await walk()).said, 'Completed: Ingress of shop.example.test');
  t.deepEqual((await routes('Ingress'))[0]?.metadata.labels, one?.metadata.labels);
});

test('a workspace that is wrong, a refusal and a missing right are reported', async (t) => {
  const shop = await aShop({ className: ['internal'] });
  t.regex((await shop.walk()).said, /^Error: spec\.networking\.ingress\.className must be one of internal/);
  for (const [code, reason] of [
    [422, 'Invalid'],
    [403, 'Forbidden'],
  ] as const) {
    const other = await aShop();
    const refused = refusing(other.stage, ({ method, url }) => method === 'POST' && url.includes('/ingresses'), {
      code,
      reason,
      message: `it is ${reason}`,
    });
    t.is((await other.walk()).said, `Error: it is ${reason}`);
    refused.over = true;
    t.regex((await other.walk()).said, /^Completed/);
  }
});

test('the permissions are those of the kinds that may be made', (t) => {
  const rights = (options: IngressOptions) =>
    ingress(options).permissions?.map(({ resources, verbs }) => `${resources} ${verbs.length}`);
  t.deepEqual(rights({}), ['ingresses 5']);
  t.deepEqual(rights({ gateway }), ['ingresses 5', 'httproutes 5']);
  t.deepEqual(rights({ gateway, api: 'HTTPRoute', waitForAddress: true }), ['httproutes 5', 'gateways 1']);
});
