import test from 'ava';
import { changeRoutes, observeRoutes } from '../../../../integrations/ingress/changes.ts';
import { type RouteObject, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import { routeActions, type WantedRoute, wantedRoutes } from '../../../../integrations/ingress/objects.ts';
import { createController } from '../../../../sdk/index.ts';
import { aTargetCluster, refusing } from '../../a-target-cluster.ts';

const settings = { className: 'nginx', gateway: undefined, tlsSecret: undefined, annotations: {} };
const path = { path: '/', service: 'shop-web-http', port: 80 };

async function aStage() {
  const stage = await aTargetCluster();
  const workspace = await stage.create();
  const { host } = stage.actor([]);
  const controller = createController(host, workspace, {
    type: 'Ingress',
    claim: 'se.quencer.io/ingress',
    terminating: false,
  });
  const hosts = ['a.test', 'b.test'].map((name) => ({ host: name, paths: [path] }));
  const wanted = wantedRoutes(workspace, hosts, { kind: 'Ingress', settings });
  const change = async (routes: readonly WantedRoute[]) => {
    const observed = await observeRoutes(controller, ['Ingress', 'HTTPRoute']);
    return changeRoutes(controller, observed, routeActions('Ingress', routes, observed));
  };
  return { stage, wanted, change };
}

test('the routes afterwards are reported by the answers, those that are gone are not among them', async (t) => {
  const { wanted, change } = await aStage();
  const names = ({ routes }: { readonly routes: readonly RouteObject[] }) =>
    routes.map(({ metadata }) => metadata.name);
  t.deepEqual(
    names(await change(wanted)),
    wanted.map(({ metadata }) => metadata.name),
  );
  t.deepEqual(names(await change(wanted.slice(1))), [wanted[1]!.metadata.name]);
  t.deepEqual(names(await change([])), []);
});

test('a refused action holds the others not up; any other error is thrown', async (t) => {
  const { stage, wanted, change } = await aStage();
  const named = wanted[0]!.metadata.name;
  const refused = refusing(stage, ({ body }) => Buffer.from(body ?? []).includes(named), {
    code: 422,
    reason: 'Invalid',
    message: 'spec is invalid',
  });
  const { routes, refusal } = await change(wanted);
  t.deepEqual(refusal, { reason: 'spec is invalid', isRetryable: false });
  t.is(routes.length, 1);
  refused.over = true;
  refusing(stage, ({ method }) => method === 'POST', { code: 500, reason: 'InternalError', message: 'down' });
  await t.throwsAsync(change(wanted), { message: /down/ });
  t.is((await stage.client.list<RouteObject>(routeKinds.Ingress)).items.length, 1);
});
