import test from 'ava';
import { acmeCertificate } from '../../../integrations/acme/certificate.ts';
import { keptKey, tlsSecretName } from '../../../integrations/acme/tls-secret.ts';
import { caddyRoutes } from '../../../integrations/caddy/routes.ts';
import { connectorOf, tokenSecretName } from '../../../integrations/cloudflare/connector.ts';
import { cloudflareDns } from '../../../integrations/cloudflare/dns.ts';
import { cloudflareTunnel } from '../../../integrations/cloudflare/tunnel.ts';
import { outputsOf } from '../../../integrations/http/outputs.ts';
import { ingress } from '../../../integrations/ingress/index.ts';
import { memoryBucket } from '../../../integrations/memory/bucket.ts';
import { memoryDatabase } from '../../../integrations/memory/database.ts';
import { postgresDatabase } from '../../../integrations/postgres/index.ts';
import { powerdnsDns } from '../../../integrations/powerdns/dns.ts';
import { rfc2136Dns } from '../../../integrations/rfc2136/dns.ts';
import { route53Dns } from '../../../integrations/route53/dns.ts';
import { s3Bucket } from '../../../integrations/s3/index.ts';
import { wrongFieldsIn } from '../../../sdk/host/index.ts';
import { type Integration, Secret, secretNameOf } from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';
import { aCondition, aWorkspace } from '../a-workspace.ts';
import { accountKey } from './acme/fixtures/subject.ts';
import { createMemoryServer as createDatabaseServer } from './postgres/a-server.ts';
import { createMemoryServer as createBucketServer } from './s3/fixtures/a-server.ts';
import { server } from './s3/fixtures/subject.ts';

const label = (length: number): string => 'a'.repeat(length);

type Kind = 'records' | 'hosts' | 'certificates';

/** Integrations that refuse a name, by what their names are of. */
const everybody: readonly Kind[] = ['records', 'hosts', 'certificates'];
const nobody: readonly Kind[] = [];

type OddName = readonly [what: string, name: string, refusedBy: readonly Kind[]];

/** Subdomains of a rule in the zone example.test. */
const subdomains: readonly OddName[] = [
  ['a plain label', 'shop', nobody],
  ['capitals', 'Shop', nobody],
  ['an underscore', 'my_shop', ['hosts', 'certificates']],
  ['63 characters', label(63), nobody],
  ['64 characters', label(64), everybody],
  ['more than 253 characters in all', Array.from({ length: 4 }, () => label(60)).join('.'), everybody],
  ['a wildcard', '*', ['records', 'hosts']],
  ['a wildcard within', 'a.*', everybody],
  ['a part of a label as wildcard', 'a*', everybody],
  ['a name that is not ASCII', 'bücher', everybody],
  ['its ASCII form', 'xn--bcher-kva', nobody],
  ['a dot like character', 'a\u3002b', everybody],
  ['the zone itself', '@', ['records']],
  ['the zone by its name', 'example.test', ['records']],
  ['the full name', 'shop.example.test', nobody],
  ['the full name with a dot', 'shop.example.test.', nobody],
  ['two dots at its end', 'shop.example.test..', everybody],
  ['an empty label', 'a..b', everybody],
  ['a dot before it', '.a', everybody],
  ['a name outside of the zone', 'shop.other.test.', everybody],
  ['a name that ends like the zone', 'shop.notexample.test.', everybody],
  ['a hyphen first', '-a', everybody],
  ['a hyphen last', 'a-', everybody],
  ['an address as labels', '192.0.2.1', nobody],
  ['an address of IPv6', '2001:db8::1', everybody],
  ['localhost', 'localhost', nobody],
  ['localhost as a full name', 'localhost.', everybody],
  ['a mark of owners', '_op-owner.shop', everybody],
  ['a line break', 'a\nb', everybody],
  ['a NUL', 'a\0b', everybody],
  ['an escape', 'a\\.b', everybody],
  ['a bidirectional override', 'a\u202eb', everybody],
  ['a space', 'a b', everybody],
  ['a slash', 'a/b', everybody],
  ['a port', 'a:8080', everybody],
];

/** Zones, with a rule of the subdomain shop. */
const zones: readonly OddName[] = [
  ['a plain zone', 'example.test', nobody],
  ['capitals and a dot', 'Example.TEST.', nobody],
  ['the root', '.', everybody],
  ['a wildcard', '*.example.test', everybody],
  ['an address', '192.0.2.1', everybody],
  ['an address of IPv6', '2001:db8::1', everybody],
  ['a name that is not ASCII', 'bücher.test', everybody],
  ['a line break', 'example.test\nx', everybody],
  ['an empty label', 'example..test', everybody],
  ['too long a label', `${label(64)}.test`, everybody],
];

const token = 'a-token-of-cloudflare';
const key = { name: 'key.', secret: Buffer.alloc(32, 1).toString('base64') };
const target = '192.0.2.1';

/** Integrations that take names, by what these are of. */
const integrations: Readonly<Record<Kind, readonly Integration[]>> = {
  records: [
    cloudflareDns({ token, zoneId: '0'.repeat(32), zone: 'example.test', target }),
    route53Dns({ target }),
    powerdnsDns({ url: 'http://pdns.test', apiKey: 'a-key-of-powerdns', target }),
    rfc2136Dns({ server: { host: '192.0.2.53' }, key, target }),
  ],
  certificates: [acmeCertificate({ directory: 'https://ca.example.test/dir', accountKey, agreeToTerms: true })],
  hosts: [
    ingress({ className: ['nginx'] }),
    caddyRoutes({ server: 'edge' }),
    cloudflareTunnel({ token, accountId: '0'.repeat(32), connector: false }),
  ],
};

const component = { name: 'web', template: {}, networks: [{ name: 'http', port: 80 }] };

function asking(zone: string, subdomain: string) {
  const rule = { name: 'web', subdomain, path: '/', component: 'web', network: 'http' };
  const spec = {
    components: [component],
    integrations: { 'acme-certificate': {} },
    networking: { dns: { zone }, tunnel: { cloudflare: {} }, ingress: { className: 'nginx', rules: [rule] } },
  };
  return aWorkspace({ spec: spec as never });
}

/** Control characters, and those that change how a text is read. */
const unreadable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const names = [
  ...subdomains.map(([what, name, refusedBy]) => ({ what, workspace: asking('example.test', name), refusedBy })),
  ...zones.map(([what, zone, refusedBy]) => ({ what: `zone: ${what}`, workspace: asking(zone, 'shop'), refusedBy })),
];

for (const [kind, some] of Object.entries(integrations) as [Kind, readonly Integration[]][])
  for (const integration of some)
    test(`${integration.name}: odd names are refused before anything is sent, by their field, or taken`, (t) => {
      for (const { what, workspace, refusedBy } of names) {
        t.true(integration.handles(workspace));
        const mistakes = wrongFieldsIn(integration, workspace);
        t.is(mistakes.length > 0, refusedBy.includes(kind), `${what}: ${JSON.stringify(mistakes)}`);
        for (const { field, message } of mistakes) {
          t.regex(field, /^spec\.(networking\.(ingress\.rules|dns\.zone)|integrations\.acme-certificate)/, what);
          t.notRegex(message, unreadable, what);
          t.true(message.length < 700, message);
        }
      }
    });

const workspaceNames = ['1', 'x'.repeat(64), 'x'.repeat(253), `${'x.'.repeat(126)}x`];
const database = { host: 'db.example.com', user: 'sequencer', password: 'quite-secret' };
const users = { endpoint: 'https://iam.example.test' };

/** Integrations whose external objects have a secret, with the member that asks for one. */
const secretive: readonly (readonly [member: string, make: () => Integration])[] = [
  ['postgres-database', () => postgresDatabase({ server: database, operations: createDatabaseServer() })],
  ['s3-bucket', () => s3Bucket({ server, users, operations: createBucketServer() })],
  ['memory-database', () => memoryDatabase()],
  ['memory-bucket', () => memoryBucket()],
];

for (const [member, make] of secretive)
  test(`${member}: outputs name the Secret that is there, however long the name of the workspace is`, async (t) => {
    for (const name of workspaceNames) {
      const stage = await aTargetCluster();
      const integration = make();
      const actor = stage.actor([integration]);
      await stage.create({ integrations: { [member]: {} } }, name);
      await actor.walk(name);
      const outputs = (await stage.read(name)).status?.outputs?.[integration.condition]?.secrets ?? {};
      t.is(Object.keys(outputs).length, 2, name);
      for (const { name: secret, key } of Object.values(outputs)) {
        const { data = {} } = await stage.client.get(Secret, { namespace: 'default', name: secret });
        t.not(data[key], undefined, name);
      }
      await stage.delete(name);
      await actor.walk(name);
      await t.throwsAsync(stage.read(name));
    }
  });

const isObjectName = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

test('the connector of a tunnel has labels and a Secret that the API server takes', (t) => {
  for (const name of workspaceNames) {
    const workspace = aWorkspace({ name });
    const { metadata, spec } = connectorOf(workspace, 'tunnel-1', {
      image: 'cloudflared:1',
      replicas: 1,
      resources: {},
    });
    for (const label of Object.values(metadata.labels ?? {})) t.regex(label, /^[a-z0-9]([-.a-z0-9]{0,61}[a-z0-9])?$/);
    t.deepEqual(spec?.selector.matchLabels, metadata.labels);
    t.is(tokenSecretName(workspace), secretNameOf(workspace, 'Tunneling'));
  }
});

test('a certificate and the keys of its orders are in two Secrets that the API server takes', async (t) => {
  for (const name of workspaceNames) {
    const workspace = aWorkspace({ name });
    const made: string[] = [];
    const create = (_: unknown, { metadata }: { metadata: { name: string } }) => {
      made.push(metadata.name);
      return Promise.resolve({ data: {} });
    };
    await keptKey({ workspace, create, patch: () => Promise.resolve() } as never, { id: 'order-1', names: '' });
    made.push(tlsSecretName({ workspace }));
    t.is(new Set(made).size, 2);
    for (const one of made) t.regex(one, isObjectName);
  }
});

test('outputs of hooks name the Secret of their thing', (t) => {
  const declared = { password: { description: 'Password.', secret: true, each: () => ['Left_'] } };
  for (const name of workspaceNames) {
    const workspace = aWorkspace({ name });
    const refs = [{ slot: 'Left_', id: {} }];
    t.deepEqual(outputsOf(declared, { refs, workspace, condition: aCondition('Box', 'Completed') }), {
      'Left_/password': { secretKeyRef: { name: secretNameOf(workspace, 'Box', 'Left_'), key: 'password' } },
    });
    t.regex(secretNameOf(workspace, 'Box', 'Left_'), isObjectName);
  }
});
