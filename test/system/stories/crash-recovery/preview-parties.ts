/** Real servers that a preview environment needs, and what is on them. */

import { X509Certificate } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { type Client, Pod, Secret, Service } from '../../../../sdk/index.ts';
import { type RealStream, startRealStream } from '../../../unit/integrations/notify/fixtures/a-real-stream.ts';
import {
  type RealServer as RealS3,
  startRealServer as startS3,
} from '../../../unit/integrations/s3/fixtures/a-real-server.ts';
import { type AlertmanagerProcess, startAlertmanager } from '../../real/programs/alertmanager.ts';
import { type CaddyProcess, startCaddy } from '../../real/programs/caddy.ts';
import { type NameServer, startNameServer } from '../../real/programs/name-server.ts';
import { type Pebble, startPebble } from '../../real/programs/pebble.ts';
import { type Postgres, startPostgres } from '../../real/programs/postgres.ts';

/** Servers of a preview environment besides its cluster. */
export interface PreviewParties {
  readonly postgres: Postgres;
  readonly caddy: CaddyProcess;
  readonly names: NameServer;
  readonly pebble: Pebble;
  readonly s3: RealS3;
  readonly stream: RealStream;
  readonly alertmanager: AlertmanagerProcess;
}

/** Starts them for the duration of a test. */
export async function startPreviewParties(t: ExecutionContext): Promise<PreviewParties> {
  const closing = <T extends { close(): Promise<void> }>(party: T): T => {
    t.teardown(() => party.close());
    return party;
  };
  const naming = startNameServer({ implementation: 'bind' }).then(closing);
  const [postgres, caddy, names, pebble, s3, stream, alertmanager] = await Promise.all([
    startPostgres().then(closing),
    startCaddy().then(closing),
    naming,
    naming.then(({ host, port }) => startPebble({ nameServer: `${host}:${port}` })).then(closing),
    startS3().then((server) => {
      closing(server.versitygw);
      return server;
    }),
    startRealStream().then(closing),
    startAlertmanager().then(closing),
  ]);
  return { postgres, caddy, names, pebble, s3, stream, alertmanager };
}

/** Things of workspaces, each list sorted: what each workspace has one of stands there once. */
export interface PreviewThings {
  readonly pods: readonly string[];
  readonly services: readonly string[];
  readonly databases: readonly string[];
  readonly roles: readonly string[];
  readonly routes: readonly string[];
  readonly addresses: readonly string[];
  readonly owners: readonly string[];
  readonly challenges: readonly string[];
  /** Names in the certificates that Secrets hold. */
  readonly certificates: readonly string[];
  /** Databases that the URIs in Secrets open. */
  readonly opened: readonly string[];
  readonly buckets: readonly string[];
  /** Users of buckets, each with the name of its bucket. */
  readonly users: readonly string[];
  /** Workspaces whose silence is not over. */
  readonly silences: readonly string[];
  /** Workspaces that were told to have come. */
  readonly came: readonly string[];
  /** Workspaces that were told to be gone. */
  readonly went: readonly string[];
}

/** Opens a database by its URI. @returns its name, or why it cannot be opened */
async function openedBy(uri: string): Promise<string> {
  const client = new pg.Client({ connectionString: uri });
  client.on('error', () => {});
  try {
    await client.connect();
    return String((await client.query('SELECT current_database() AS name')).rows[0]?.name);
  } catch (error) {
    return `${new URL(uri).pathname}: ${error}`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Reads the names of workspaces in messages, by event. */
async function announced({ stream }: PreviewParties): Promise<(event: string) => readonly string[]> {
  const told = (await stream.messages()).map(
    ({ payload }) => JSON.parse(payload) as { readonly event: string; readonly name: string },
  );
  return (event) =>
    told
      .filter((one) => one.event === event)
      .map(({ name }) => name)
      .sort();
}

/** Reads the workspaces whose silences are not over. */
async function silenced({ alertmanager }: PreviewParties): Promise<readonly string[]> {
  const answer = await fetch(`${alertmanager.url}/api/v2/silences`, { headers: { connection: 'close' } });
  const all = (await answer.json()) as readonly {
    readonly status: { readonly state: string };
    readonly matchers: readonly { readonly name: string; readonly value: string }[];
  }[];
  return all
    .filter(({ status }) => status.state !== 'expired')
    .map(({ matchers }) => matchers.find(({ name }) => name === 'workspace')?.value ?? 'nameless')
    .sort();
}

const namesIn = (chain: string): string => new X509Certificate(chain).subjectAltName?.replace('DNS:', '') ?? 'nameless';

/** Reads all things of workspaces. */
export async function previewThings(client: Client, parties: PreviewParties): Promise<PreviewThings> {
  const { postgres, caddy, names, s3 } = parties;
  const namespace = 'default';
  const inNamespace = async (kind: typeof Pod | typeof Service) => {
    const { items } = await client.list(kind as typeof Pod, { namespace, labels: 'components.sequencer.io/instance' });
    return items.map(({ metadata }) => metadata.labels?.['components.sequencer.io/instance'] ?? '').sort();
  };
  const inPostgres = async (query: string) => (await postgres.sql(query)).map(({ name }) => String(name)).sort();
  const records = await names.transfer();
  const named = (type: string, holds: (name: string) => boolean) =>
    records.filter((one) => one.type === type && holds(one.name)).map(({ name }) => name);
  const secrets = (await client.list(Secret, { namespace })).items;
  const member = (name: string) =>
    secrets.flatMap(({ data = {} }) =>
      data[name] === undefined ? [] : [Buffer.from(data[name], 'base64').toString()],
    );
  const { body } = await caddy.admin('GET', `/config/apps/http/servers/${caddy.server}/routes`);
  const routes = (JSON.parse(body) ?? []) as readonly {
    readonly match?: readonly { readonly host?: readonly string[] }[];
  }[];
  const inS3 = (await s3.things()).map((thing) => (typeof thing === 'string' ? thing : thing.id).split(' '));
  const stored = (kind: string) => inS3.flatMap(([what, name = '']) => (what === kind ? [name] : [])).sort();
  const told = await announced(parties);
  const isChallenge = (name: string) => name.includes('_acme-challenge.');
  return {
    pods: await inNamespace(Pod),
    services: await inNamespace(Service),
    databases: await inPostgres(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'ws\\_%'`),
    roles: await inPostgres(`SELECT rolname AS name FROM pg_roles WHERE rolname LIKE 'ws\\_%'`),
    routes: routes.map(({ match }) => match?.[0]?.host?.join() ?? '').sort(),
    addresses: named('A', (name) => !name.startsWith('ns1.')).sort(),
    owners: named('TXT', (name) => name.startsWith('_op-owner.') && !isChallenge(name)).sort(),
    challenges: named('TXT', isChallenge),
    certificates: member('tls.crt').map(namesIn).sort(),
    opened: (await Promise.all(member('uri').map(openedBy))).sort(),
    ...{ buckets: stored('bucket'), users: stored('user') },
    ...{ silences: await silenced(parties), came: told('came'), went: told('went') },
  };
}
