/** Runs a real PowerDNS server with its HTTP API for tests. */

import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePorts } from '../free-ports.ts';
import { createScratch, programPath, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** A real PowerDNS server owned by this process, on the loopback address. */
export interface PowerdnsProcess {
  /** Address of its webserver. */
  readonly url: string;
  readonly apiKey: string;
  /** Sends a request to its API, such as `GET /zones/example.test.`, with the key. */
  api(method: string, path: string, body?: object): Promise<Response>;
  /** Current answer over DNS: one string per record, sorted; empty when there is no such name or type. */
  lookup(name: string, type: 'A' | 'AAAA' | 'CNAME' | 'TXT'): Promise<readonly string[]>;
  /** Stalls the server until `resume`; requests sent meanwhile are still processed afterwards. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** Sends SIGKILL; acknowledged changes persist. */
  kill(): Promise<void>;
  /** Kills it if it runs and starts it again at the same ports. Ready when it resolves. */
  restart(): Promise<void>;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

const host = '127.0.0.1';
/** Tables of the SQLite backend, as its Debian package brings them. */
const schema = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';

/** Reports whether the server and its SQLite backend are installed on this machine. */
export const powerdnsAvailable = (): boolean => programPath('pdns_server') !== undefined && existsSync(schema);

/** Settings: its caches are off, so that a lookup shows the present state. */
const configOf = (folder: string, [dns, http]: readonly number[], apiKey: string): string => `launch=gsqlite3
gsqlite3-database=${folder}/pdns.sqlite3
gsqlite3-pragma-synchronous=0
local-address=${host}
local-port=${dns}
socket-dir=${folder}
daemon=no
guardian=no
api=yes
api-key=${apiKey}
webserver=yes
webserver-address=${host}
webserver-port=${http}
webserver-allow-from=127.0.0.0/8
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
zone-cache-refresh-interval=0
loglevel=4
`;

/** Writes the settings and an empty database. */
function prepare(folder: string, ports: readonly number[], apiKey: string): void {
  writeFileSync(join(folder, 'pdns.conf'), configOf(folder, ports, apiKey), { mode: 0o600 });
  const database = new DatabaseSync(join(folder, 'pdns.sqlite3'));
  database.exec(readFileSync(schema, 'utf8'));
  database.close();
}

async function lookup(port: number, name: string, type: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 500, tries: 2 });
  resolver.setServers([`${host}:${port}`]);
  const found = await resolver.resolve(name, type).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
    throw error;
  });
  return (found as readonly (string | readonly string[])[])
    .map((one) => (typeof one === 'string' ? one : one.join('')))
    .sort();
}

/** Starts a server with these empty zones, ready when it resolves. @throws when it is not installed, and with the end of its log when it does not answer */
export async function startPowerdns(zones: readonly string[]): Promise<PowerdnsProcess> {
  const command = programPath('pdns_server');
  if (command === undefined || !powerdnsAvailable())
    throw new Error('pdns_server is not installed: apt-get install pdns-server pdns-backend-sqlite3');
  const scratch = createScratch('powerdns');
  const { folder } = scratch;
  const ports = await freePorts(2);
  const apiKey = randomBytes(16).toString('hex');
  const url = `http://${host}:${ports[1]}`;
  prepare(folder, ports, apiKey);
  const api = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}/api/v1/servers/localhost${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    });

  const start = async () => {
    const started = await startProcess({ name: 'pdns_server', command, args: [`--config-dir=${folder}`], folder });
    const ask = async () => {
      if (started.ending !== undefined)
        throw new HopelessError(`pdns_server ${started.ending}:\n${started.lastWords()}`);
      return (await api('GET', '')).ok || undefined;
    };
    const message = (error: unknown) => `pdns_server does not answer (${error}):\n${started.lastWords()}`;
    await until(ask, { deadline: 20_000, interval: 20, message }).catch(async (error) => {
      await started.kill();
      throw error;
    });
    return started;
  };
  const addZone = async (zone: string) => {
    const { ok, status } = await api('POST', '/zones', {
      name: `${zone}.`,
      kind: 'Native',
      nameservers: [`ns1.${zone}.`],
    });
    if (!ok) throw new Error(`the zone ${zone} was not made: HTTP ${status}`);
  };
  let server = await start();
  await Promise.all(zones.map(addZone));
  return {
    url,
    apiKey,
    api,
    lookup: (name, type) => lookup(ports[0]!, name, type),
    pause: () => server.pause(),
    resume: () => server.resume(),
    kill: () => server.kill(),
    async restart() {
      await server.kill();
      server = await start();
    },
    async close() {
      await server.kill();
      scratch.remove();
    },
  };
}
