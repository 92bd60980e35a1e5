// The same with real servers: PostgreSQL, S3, Caddy, an ACME authority, a name server. Their addresses are in PREVIEW_SERVERS, as JSON.
// In a checkout, npm start -- --real starts them, and kube-apiserver. The code host and the node agent are the example's.
import { generateKeyPairSync } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { fileURLToPath } from 'node:url';
import { IAMClient, ListUsersCommand } from '@aws-sdk/client-iam';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { acmeCertificate } from 'workspace-sequencer/integrations/acme/certificate';
import { caddyRoutes } from 'workspace-sequencer/integrations/caddy/routes';
import { components } from 'workspace-sequencer/integrations/components';
import { gitea } from 'workspace-sequencer/integrations/gitea';
import { postgresDatabase } from 'workspace-sequencer/integrations/postgres';
import { previews } from 'workspace-sequencer/integrations/previews';
import { rfc2136Dns } from 'workspace-sequencer/integrations/rfc2136/dns';
import { type AccessKey, s3Bucket } from 'workspace-sequencer/integrations/s3';
import { certificateLoader } from './certificate-loader.ts';
import { createNodeAgent } from './node-agent.ts';
import { codeHost, repository, token, webhook } from './repository.ts';
import { story } from './story.ts';
import { templateOf } from './template.ts';

/** Addresses of the servers, and what is needed to use them. */
interface Servers {
  readonly postgres: { readonly host: string; readonly port: number; readonly user: string; readonly password: string };
  /** Addresses of S3 and IAM, and the key with the rights that integrations/s3 asks for; `owner` may do everything, and counts. */
  readonly s3: AccessKey & {
    readonly endpoint: string;
    readonly iam: string;
    readonly region: string;
    readonly owner: AccessKey;
  };
  /** Address of its admin API, and its HTTPS port; the server is named `edge`. */
  readonly caddy: { readonly url: string; readonly port: number };
  /** `ca` is to be trusted as the authority's server, `root` as what it signs. */
  readonly acme: { readonly directory: string; readonly ca: string; readonly root: string };
  readonly dns: {
    readonly host: string;
    readonly port: number;
    readonly zone: string;
    readonly key: { readonly name: string; readonly secret: string };
  };
}

if (process.env.PREVIEW_SERVERS === undefined) throw new Error('set PREVIEW_SERVERS, or run npm start -- --real');
const { postgres, s3, caddy, acme, dns } = JSON.parse(process.env.PREVIEW_SERVERS) as Servers;
const { endpoint, iam, region, owner: credentials, accessKeyId, secretAccessKey } = s3;
const s3Client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
const iamClient = new IAMClient({ endpoint: iam, region, credentials });
const namespace = 'default';
const host = `pr-1.${dns.zone}`;
const program = fileURLToPath(import.meta.resolve(import.meta.url.endsWith('.js') ? './shop.js' : './shop.ts'));
const agent = createNodeAgent({ program, namespace, isKubelet: true });
const resolver = new Resolver({ timeout: 1000, tries: 2 });
resolver.setServers([`${dns.host}:${dns.port}`]);
// Yours is kept: an account of its own for each start is for examples alone.
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const shop = previews({
  host: gitea({ url: codeHost.url, token, secret: webhook.secret }),
  repositories: [repository],
  webhook: { port: webhook.port, address: '127.0.0.1' },
  template: templateOf({
    ...{ namespace, zone: dns.zone },
    integrations: { 'postgres-database': {}, 's3-bucket': {}, 'acme-certificate': {} },
  }),
});

export const integrations = [
  components(),
  postgresDatabase({ server: postgres }),
  s3Bucket({ server: { endpoint, region, accessKeyId, secretAccessKey }, users: { endpoint: iam } }),
  acmeCertificate({
    directory: acme.directory,
    ca: acme.ca,
    accountKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    agreeToTerms: true,
    nameServers: [`${dns.host}:${dns.port}`],
    revoke: true,
  }),
  rfc2136Dns({ server: { host: dns.host, port: dns.port }, key: dns.key, target: '127.0.0.1' }),
  caddyRoutes({ url: caddy.url, server: 'edge', upstream: agent.addressOf }),
  shop.integration,
];

export const runnables = [shop.runnable, agent.runnable, certificateLoader({ url: caddy.url, namespace })];

/** Counts the databases and roles of workspaces. */
async function inPostgres(): Promise<Readonly<Record<string, number>>> {
  const client = new pg.Client({ ...postgres, database: 'postgres' });
  await client.connect();
  const count = async (from: string) => (await client.query(`SELECT 1 FROM ${from} LIKE 'ws\\_%'`)).rows.length;
  try {
    return { databases: await count('pg_database WHERE datname'), roles: await count('pg_roles WHERE rolname') };
  } finally {
    await client.end();
  }
}

/** Counts the buckets and users of workspaces. */
async function inS3(): Promise<Readonly<Record<string, number>>> {
  const { Buckets = [] } = await s3Client.send(new ListBucketsCommand({}));
  const { Users = [] } = await iamClient.send(new ListUsersCommand({ PathPrefix: '/workspace-sequencer/' }));
  return { buckets: Buckets.filter(({ Name }) => Name?.startsWith('ws-')).length, users: Users.length };
}

/** Counts the entries of a list in Caddy's configuration. */
const inCaddy = async (path: string): Promise<number> => {
  const answer = await fetch(`${caddy.url}/config/apps/${path}`, { headers: { connection: 'close' } });
  return ((await answer.json()) as readonly unknown[] | null)?.length ?? 0;
};

/** Counts the records of a name and of its challenge. */
const inDns = async (): Promise<number> => {
  const all = [resolver.resolve4(host), resolver.resolveTxt(host), resolver.resolveTxt(`_acme-challenge.${host}`)];
  return (
    await Promise.all(
      all.map((one) =>
        one.then(
          ({ length }) => length,
          () => 0,
        ),
      ),
    )
  ).reduce((a, b) => a + b);
};

/** Played by `sequencer dev` alone. */
export const walkthrough = story({
  codeHost: { url: codeHost.url, repository, token },
  namespace,
  host,
  addressOf: async (name) => (await resolver.resolve4(name))[0],
  port: caddy.port,
  ca: acme.root,
  counts: async () => ({
    ...(await inPostgres()),
    ...(await inS3()),
    routes: await inCaddy('http/servers/edge/routes'),
    'loaded certificates': await inCaddy('tls/certificates/load_pem'),
    'DNS records': await inDns(),
    processes: agent.running(),
    comments: codeHost.comments().length,
  }),
});
