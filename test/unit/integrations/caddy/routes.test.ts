import test from 'ava';
import { type CaddyRoutesOptions, caddyRoutes } from '../../../../integrations/caddy/routes.ts';
import { conditionOf } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { component, rule } from '../fixtures/an-ingress-spec.ts';
import { createMemoryCaddy } from './a-server.ts';

const spec = {
  components: [component('web', 80)],
  networking: { dns: { zone: 'example.test' }, ingress: { className: 'nginx', rules: [rule('web')] } },
};

async function walked(options: Partial<CaddyRoutesOptions> = {}) {
  const server = createMemoryCaddy();
  const stage = await aTargetCluster();
  const actor = stage.actor([caddyRoutes({ server: 'edge', operations: server, ...options })]);
  await stage.create(spec);
  for (let round = 0; round < 3; round += 1) await actor.walk();
  const { status, reason } = conditionOf(await stage.read(), 'Ingress');
  return { server, stage, actor, said: `${status}: ${reason}` };
}

test('the host of the first rule is an output, and the route leads to the service', async (t) => {
  const { server, stage, said } = await walked();
  t.regex(said, /^Completed: /);
  t.deepEqual((await stage.read()).status?.outputs, { Ingress: { values: { host: 'shop.example.test' } } });
  t.regex(JSON.stringify(server.routes), /"dial":"shop-web-http\.default\.svc:80"/);
});

for (const upstream of ['web', 'a b:80', '', 'unix//run/x.sock'])
  test(`an upstream ${JSON.stringify(upstream)} is a mistake, and nothing is sent`, async (t) => {
    const { server, said } = await walked({ upstream: () => upstream });
    t.regex(said, /^Error: option upstream of caddyRoutes must return host:port; found "/);
    t.is(server.routes, undefined);
  });

test('a mistake in a rule is reported', async (t) => {
  t.regex((await walked({ names: ['other.test'] })).said, /only names within other\.test are allowed/);
});
