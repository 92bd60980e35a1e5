import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { acmeCertificate } from '../../../../integrations/acme/certificate.ts';
import { caddyRoutes } from '../../../../integrations/caddy/routes.ts';
import { rfc2136Dns } from '../../../../integrations/rfc2136/dns.ts';
import { type Client, Workspace } from '../../../../sdk/index.ts';
import { startCaddy } from '../../../system/real/programs/caddy.ts';
import { startNameServer } from '../../../system/real/programs/name-server.ts';
import { until } from '../../../system/real/until.ts';
import { component } from '../fixtures/an-ingress-spec.ts';
import { aNode } from './fixtures/a-node.ts';
import { aRealSequencer, namespace } from './fixtures/a-real-sequencer.ts';
import { startRealServer } from './fixtures/a-real-server.ts';
import { accountKey, respondersOf } from './fixtures/subject.ts';

const names = await startNameServer({ implementation: 'bind', zone: 'example.test' });
const caddy = await startCaddy();
const acme = await startRealServer({
  ...{ nameServer: `${names.host}:${names.port}`, httpPort: caddy.port },
  ...{ refusedNonces: 5, reusedAuthorizations: 0 },
});
test.after.always('the servers stop', async () => {
  await acme.pebble.close();
  await caddy.close();
  await names.close();
});

const spec = (...subdomains: readonly string[]) => ({
  components: [component('web', 80)],
  networking: {
    dns: { zone: 'example.test' },
    ingress: {
      className: 'nginx',
      rules: subdomains.map((subdomain) => ({
        ...{ name: `rule-${subdomain}`, subdomain, path: '/', component: 'web', network: 'http' },
      })),
    },
  },
  integrations: { 'acme-certificate': {} },
});

test.serial(
  'two workspaces are proved over HTTP at once, through routes to responders of their own, of which nothing is left',
  async (t) => {
    const node = await aNode(12);
    const { host, port, key } = names;
    const { url, server } = caddy;
    const { client, reaches, secret, vanishes } = await aRealSequencer(t, [
      rfc2136Dns({ server: { host, port }, key, target: '127.0.0.1' }),
      caddyRoutes({ url, server, upstream: (_, { service }) => node.dial(service) }),
      acmeCertificate({
        ...{ directory: acme.pebble.directory, accountKey, agreeToTerms: true, fetch: acme.fetch },
        ...{ challenge: 'http-01', responder: { image: 'node' }, names: ['example.test'] },
        servedAt: `127.0.0.1:${caddy.port}`,
        retryInterval: 1000, // Caddy resets connections when its routes change
      }),
    ]);
    const stop = new AbortController();
    const serving = node.run(client, stop.signal);
    await Promise.all([
      client.create(Workspace, { metadata: { namespace, name: 'shop' }, spec: spec('shop', 'api-shop') }),
      client.create(Workspace, { metadata: { namespace, name: 'blog' }, spec: spec('blog') }),
    ]);
    await Promise.all([reaches('shop', /^Completed/), reaches('blog', /^Completed/)]);
    const certified = async (name: string) =>
      new X509Certificate((await secret(`${name}-certificate`)).chain).subjectAltName;
    t.is(await certified('shop'), 'DNS:shop.example.test, DNS:api-shop.example.test');
    t.is(await certified('blog'), 'DNS:blog.example.test');
    t.is(node.started(), 2);
    await nothingIsLeft(client);
    await reaches('shop', /^Completed/, 'Ingress');
    t.notRegex((await caddy.admin('GET', '/config/')).body, /acme-challenge/);
    await vanishes('shop');
    await vanishes('blog');
    stop.abort();
    await serving;
  },
);

async function nothingIsLeft(client: Client): Promise<void> {
  const look = async () => {
    const { items } = await client.list(Workspace);
    const routes = items.flatMap(({ status }) => status?.routes ?? []);
    return [...(await respondersOf(client)), ...routes].length === 0 ? true : undefined;
  };
  await until(look, { deadline: 20_000, interval: 50, message: () => 'a responder or its routes stay' });
}
