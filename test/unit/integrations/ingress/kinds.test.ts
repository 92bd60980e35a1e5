import test from 'ava';
import { gatewayKind, type RouteObject, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import { NotFoundError } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { serveGatewayApi } from './gateway-definitions.ts';

test('every cluster serves Ingresses; HTTPRoutes and Gateways where the Gateway API is installed', async (t) => {
  const { client } = await aTargetCluster();
  const count = async (kind: keyof typeof routeKinds) =>
    (await client.list<RouteObject>(routeKinds[kind])).items.length;
  t.is(await count('Ingress'), 0);
  await t.throwsAsync(count('HTTPRoute'), { instanceOf: NotFoundError });
  await serveGatewayApi(client);
  t.is(await count('HTTPRoute'), 0);
  t.is((await client.list(gatewayKind)).items.length, 0);
});
