import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { acmeCertificate } from '../../../integrations/acme/certificate.ts';
import { endpointAt, isHost } from '../../../integrations/endpoints.ts';
import { gitea } from '../../../integrations/gitea/index.ts';
import { gitHub } from '../../../integrations/github/index.ts';
import { gitLab } from '../../../integrations/gitlab/index.ts';
import { memoryBucket } from '../../../integrations/memory/bucket.ts';
import { memoryDatabase } from '../../../integrations/memory/database.ts';
import { memoryDns } from '../../../integrations/memory/dns.ts';
import { alertmanagerSilences } from '../../../integrations/notify/alertmanager.ts';
import { natsMessages } from '../../../integrations/notify/nats.ts';
import { smtpMessages } from '../../../integrations/notify/smtp.ts';
import { previews } from '../../../integrations/previews/index.ts';
import { rfc2136Dns } from '../../../integrations/rfc2136/dns.ts';
import { route53Dns } from '../../../integrations/route53/dns.ts';
import { s3Bucket } from '../../../integrations/s3/index.ts';

const key = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-a-real-key' };
const region = 'eu-central-1';
const target = '192.0.2.1';
const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const account = {
  directory: 'https://ca.example.com/directory',
  accountKey: privateKey,
  agreeToTerms: true,
} as const;
const byHttp = { challenge: 'http-01', responder: { image: 'example.test/node:22' }, names: ['apps.test'] } as const;
const mailsAt = (server: object) =>
  smtpMessages({
    server: { host: 'mail.example.com', ...server },
    from: 'a@b.test',
    to: ['c@b.test'],
    workspaces: 'all',
  });
const tsig = { name: 'key', secret: Buffer.alloc(32).toString('base64') };
const ofNames = (server: { readonly host: string; readonly port?: number }) =>
  rfc2136Dns({ server, key: tsig, zone: 'example.test', target });

for (const [what, { endpoints }, expected] of [
  ['S3 at AWS', s3Bucket({ server: { region, ...key } }), ['https://s3.eu-central-1.amazonaws.com']],
  [
    'S3 and IAM at AWS',
    s3Bucket({ server: { region, ...key }, users: {} }),
    ['https://s3.eu-central-1.amazonaws.com', 'https://iam.amazonaws.com'],
  ],
  [
    'S3 elsewhere',
    s3Bucket({
      server: { region, ...key, endpoint: 'https://s3.example.com:9000' },
      users: { endpoint: 'https://iam.example.com' },
    }),
    ['https://s3.example.com:9000', 'https://iam.example.com'],
  ],
  ['S3 with a key that the AWS SDK finds', s3Bucket({ server: { region } }), undefined],
  ['Route 53', route53Dns({ ...key, zone: 'example.test', target }), ['https://route53.amazonaws.com']],
  ['Route 53 with a key that the AWS SDK finds', route53Dns({ zone: 'example.test', target }), undefined],
  ['a name server', ofNames({ host: '192.0.2.53' }), ['tcp://192.0.2.53:53']],
  ['a name server over IPv6', ofNames({ host: 'fe80::1%eth0', port: 5353 }), ['tcp://[fe80::1]:5353']],
  [
    'ACME with name servers that answer for the name',
    acmeCertificate(account),
    ['https://ca.example.com/directory', 'udp://*:53', 'tcp://*:53'],
  ],
  [
    'ACME with name servers of its own',
    acmeCertificate({ ...account, nameServers: ['192.0.2.53', '[2001:db8::53]:5353'] }),
    [
      ...['https://ca.example.com/directory', 'udp://192.0.2.53:53', 'tcp://192.0.2.53:53'],
      ...['udp://[2001:db8::53]:5353', 'tcp://[2001:db8::53]:5353'],
    ],
  ],
  [
    'ACME over HTTP',
    acmeCertificate({ ...account, ...byHttp }),
    ['https://ca.example.com/directory', 'tcp://*:80', 'tcp://*:443'],
  ],
  [
    'ACME over HTTP at an address',
    acmeCertificate({ ...account, ...byHttp, servedAt: 'ingress.infra.svc:8080' }),
    ['https://ca.example.com/directory', 'tcp://ingress.infra.svc:8080', 'tcp://ingress.infra.svc:443'],
  ],
  ['a mail server', mailsAt({}), ['tcp://mail.example.com:587']],
  ['a mail server with TLS', mailsAt({ security: 'tls' }), ['tcp://mail.example.com:465']],
  ['a mail server at a port', mailsAt({ host: '2001:db8::25', port: 2525 }), ['tcp://[2001:db8::25]:2525']],
  [
    'NATS',
    natsMessages({
      servers: ['nats', 'nats.infra.svc:4223', 'tls://192.0.2.9:4222', '[2001:db8::9]'],
      stream: 'ALL',
      workspaces: 'all',
    }),
    ['tcp://nats:4222', 'tcp://nats.infra.svc:4223', 'tcp://192.0.2.9:4222', 'tcp://[2001:db8::9]:4222'],
  ],
  [
    'Alertmanager',
    alertmanagerSilences({ url: 'http://alerts.infra.svc:9093', workspaces: 'all' }),
    ['http://alerts.infra.svc:9093'],
  ],
  ['GitHub', gitHub({ token: 'a-token' }), ['https://api.github.com']],
  ['GitLab', gitLab({ token: 'a-token' }), ['https://gitlab.com/api/v4']],
  ['Gitea', gitea({ token: 'a-token', url: 'https://git.example:3000/api/v1' }), ['https://git.example:3000/api/v1']],
  ['memory of DNS', memoryDns(), []],
  ['memory of buckets', memoryBucket(), []],
  ['memory of databases', memoryDatabase(), []],
] as const)
  test(`${what} is at ${expected?.join(' ') || 'no address that the options tell'}`, (t) => {
    t.deepEqual(endpoints, expected);
  });

test('previews are where their code host is: what reads pull requests, and what reports on them', (t) => {
  const { integration, runnable } = previews({
    host: gitHub({ token: 'a-token' }),
    repositories: ['acme/shop'],
    template: { metadata: { namespace: 'previews' }, spec: {} },
  });
  for (const { endpoints } of [integration, runnable]) t.deepEqual(endpoints, ['https://api.github.com']);
});

test('a host is a name or an address, and an endpoint names it without its interface', (t) => {
  t.true(['db', 'db_1.example.com', '192.0.2.1', '::1', 'fe80::1%eth0'].every(isHost));
  t.false(['', 'a b', 'a:1', 'http://a', 'a/b', 1, undefined].some(isHost));
  t.is(endpointAt({ host: 'fe80::1%eth0', port: 1 }, 'udp'), 'udp://[fe80::1]:1');
});
