import test from 'ava';
import { defineIntegration, UserError } from '../../../../../sdk/index.ts';
import { egressRules, undeclaredConnections } from '../../../../../sequencer/cli/manifests/egress.ts';
import { acmeType } from '../../tenants/fixtures/a-config.ts';

const integration = (name: string, endpoints?: readonly string[]) =>
  defineIntegration({
    name,
    condition: 'Acme',
    handles: () => true,
    connect: () => ({ reconcile: async () => undefined, terminate: async () => undefined }),
    ...(endpoints && { endpoints }),
  });
const rules = (endpoints: readonly string[], apiServers = ['203.0.113.10:6443']) =>
  egressRules({ integrations: [integration('acme', endpoints)] }, apiServers);
const inNamespace = (name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

test('the API server and DNS are always let through, each once', (t) => {
  const [apiServer, dns, ...rest] = rules([]);
  t.deepEqual(apiServer, {
    to: [{ ipBlock: { cidr: '203.0.113.10/32' } }],
    ports: [{ protocol: 'TCP', port: 6443 }],
  });
  t.deepEqual(
    dns?.ports?.map(({ protocol, port }) => `${protocol} ${port}`),
    ['UDP 53', 'TCP 53'],
  );
  t.like(dns?.to?.[0], inNamespace('kube-system'));
  t.deepEqual(rest, []);
  t.is(rules(['https://a.example', 'https://b.example']).length, 3, 'the same port of any address');
});

test('an address is let through by itself, a name as a port, a service as the pods of its namespace', (t) => {
  const [, , ...third] = rules([
    'https://[2001:db8::1]',
    'udp://192.0.2.53:53',
    'https://api.example.com',
    'tcp://db.team-a.svc.cluster.local:5432',
  ]);
  t.deepEqual(third, [
    { to: [{ ipBlock: { cidr: '2001:db8::1/128' } }], ports: [{ protocol: 'TCP', port: 443 }] },
    { to: [{ ipBlock: { cidr: '192.0.2.53/32' } }], ports: [{ protocol: 'UDP', port: 53 }] },
    { ports: [{ protocol: 'TCP', port: 443 }] },
    { to: [inNamespace('team-a')] },
  ]);
});

test('any host is a port', (t) => {
  t.deepEqual(rules(['udp://*:53', 'https://*']).slice(2), [
    { ports: [{ protocol: 'UDP', port: 53 }] },
    { ports: [{ protocol: 'TCP', port: 443 }] },
  ]);
});

const runnable = (endpoints?: readonly string[]) => ({
  name: 'previews',
  permissions: [],
  endpoints,
  create: () => ({ name: 'previews', run: async () => undefined }),
});

test('types that are opened to tenants, and runnables, say where they connect to as integrations do', (t) => {
  const config = {
    integrations: [],
    tenantIntegrations: { acme: { ...acmeType, endpoints: ['tcp://192.0.2.7:5432'] } },
    runnables: [runnable(['https://192.0.2.8'])],
  };
  t.deepEqual(egressRules(config, []).slice(1), [
    { to: [{ ipBlock: { cidr: '192.0.2.7/32' } }], ports: [{ protocol: 'TCP', port: 5432 }] },
    { to: [{ ipBlock: { cidr: '192.0.2.8/32' } }], ports: [{ protocol: 'TCP', port: 443 }] },
  ]);
  t.deepEqual(undeclaredConnections(config), []);
});

for (const wrong of ['api.example.com:6443', '203.0.113.10', 'x'])
  test(`${wrong} is not an address of an API server`, (t) => {
    t.throws(() => rules([], [wrong]), { instanceOf: UserError, message: /--egress needs IP:PORT/ });
  });

test('what the config does not tell is named', (t) => {
  const untold = undeclaredConnections({
    integrations: [integration('told', []), integration('untold')],
    tenantIntegrations: { acme: acmeType },
    runnables: [runnable()],
  });
  t.deepEqual(untold, ['integration untold', 'integration type acme', 'runnable previews']);
});
