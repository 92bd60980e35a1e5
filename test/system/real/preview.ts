/** Starts real servers for the preview example, and plays it with them: `npm start -- --real`. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { runProgram } from '../../../sequencer/cli/process/run-program.ts';
import { startRealServer as startS3 } from '../../unit/integrations/s3/fixtures/a-real-server.ts';
import { startCaddy } from './programs/caddy.ts';
import { startNameServer } from './programs/name-server.ts';
import { startPebble } from './programs/pebble.ts';
import { startPostgres } from './programs/postgres.ts';
import { startRealServer } from './server.ts';

const root = join(import.meta.dirname, '../../..');

/** Starts all servers beside each other; they end with this process. */
async function startServers() {
  const naming = startNameServer({ implementation: 'bind', zone: 'preview.example.test' });
  const [cluster, postgres, s3, caddy, names, pebble] = await Promise.all([
    startRealServer(),
    startPostgres(),
    startS3(),
    startCaddy({ tls: true }),
    naming,
    naming.then(({ host, port }) => startPebble({ nameServer: `${host}:${port}` })),
  ]);
  return { cluster, postgres, s3, caddy, names, pebble };
}

type Servers = Awaited<ReturnType<typeof startServers>>;

/** Makes what is needed to use the servers: a role that may create databases, keys, certificates to trust. */
async function keysTo({ postgres, s3, caddy, names, pebble }: Servers): Promise<string> {
  const password = randomBytes(12).toString('hex');
  await postgres.sql(`CREATE ROLE sequencer LOGIN CREATEDB CREATEROLE PASSWORD '${password}'`);
  const { host, port, zone, key } = names;
  return JSON.stringify({
    postgres: { host: postgres.host, port: postgres.port, user: 'sequencer', password },
    s3: { ...s3.address, iam: s3.versitygw.iam, owner: s3.versitygw.root },
    caddy: { url: caddy.url, port: caddy.port },
    acme: { directory: pebble.directory, ca: pebble.ca, root: await pebble.root() },
    dns: { host, port, zone, key: { name: key.name, secret: key.secret } },
  });
}

/** Counts what is left, as the servers' owner sees it. */
async function leftOn({ postgres, s3, caddy, names }: Servers): Promise<Readonly<Record<string, number>>> {
  const own = ['SOA', 'NS'];
  const records = (await names.transfer()).filter(({ name, type }) => !own.includes(type) && !name.startsWith('ns1.'));
  const count = async (from: string) => (await postgres.sql(`SELECT 1 FROM ${from} LIKE 'ws\\_%'`)).length;
  const { body } = await caddy.admin('GET', `/config/apps/http/servers/${caddy.server}/routes`);
  return {
    databases: await count('pg_database WHERE datname'),
    roles: await count('pg_roles WHERE rolname'),
    'buckets and users': (await s3.things()).length,
    routes: ((JSON.parse(body) ?? []) as readonly unknown[]).length,
    'DNS records': records.length,
  };
}

process.stdout.write('starting    kube-apiserver, PostgreSQL, versitygw, Caddy, bind, Pebble\n');
const servers = await startServers();
const command = ['--conditions=source', join(root, 'sequencer/cli/main.ts'), 'dev'];
const config = ['--config', join(root, 'examples/preview/real.config.ts')];
const code = await runProgram({
  command: process.execPath,
  args: [...command, '--kubeconfig', servers.cluster.kubeconfigPath, ...config, ...process.argv.slice(2)],
  env: { PREVIEW_SERVERS: await keysTo(servers) },
  hasTerminal: process.stdin.isTTY,
});
const left = await leftOn(servers);
process.stdout.write(
  `on servers  ${Object.entries(left)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')}\n`,
);
const { cluster, postgres, s3, caddy, names, pebble } = servers;
await Promise.all([cluster, postgres, s3.versitygw, caddy, names, pebble].map((one) => one.close()));
process.exitCode = code !== 0 || Object.values(left).every((count) => count === 0) ? code : 1;
