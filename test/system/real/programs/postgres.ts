/** Runs a real PostgreSQL server for tests. */

import { execFile } from 'node:child_process';
import { chownSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Authority, createAuthority } from '../../../cluster/pki/certificate.ts';
import { freePorts } from '../free-ports.ts';
import { createScratch, type OwnedProcess, programPath, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** A real PostgreSQL server owned by this process, on the loopback address. */
export interface Postgres {
  readonly host: string;
  readonly port: number;
  /** Certificate, in PEM, of the authority that has signed the server's; TLS is offered, and not required. */
  readonly authority: string;
  /** Superuser, whose password is the same. */
  readonly superuser: string;
  /** Executes statements as superuser, each for itself. @param database @default postgres */
  sql(text: string, database?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Stalls the process that takes connections until `resume`; those that are open continue. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** End of its log, with every statement. */
  lastWords(): string;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

const host = '127.0.0.1';
const superuser = 'postgres';

/** Uid and gid of the server when this process is root, which PostgreSQL refuses to run as: Debian's user without rights. */
const unprivileged = 65_534;

/** Returns the path of a program: on the PATH, or where Debian installs the newest version. */
function postgresProgram(name: string): string {
  const path = programPath(name) ?? globSync(`/usr/lib/postgresql/*/bin/${name}`).sort().at(-1);
  if (path === undefined) throw new Error(`${name} is not installed: apt-get install postgresql-15`);
  return path;
}

/** Command that runs a program without privileges. */
const asUser = (
  command: string,
  args: readonly string[],
): { readonly command: string; readonly args: readonly string[] } =>
  process.getuid?.() === 0
    ? {
        command: 'setpriv',
        args: [`--reuid=${unprivileged}`, `--regid=${unprivileged}`, '--clear-groups', command, ...args],
      }
    : { command, args };

/** Folder and port of one server. */
interface PostgresServer {
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly authority: Authority;
}

/** Makes an empty cluster. @throws an error when PostgreSQL is not installed */
async function initialize({ folder, data, authority }: PostgresServer): Promise<void> {
  const initdb = postgresProgram('initdb');
  if (process.getuid?.() === 0) chownSync(folder, unprivileged, unprivileged);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, superuser, { mode: 0o644 });
  const args = ['-D', data, '-U', superuser, '-A', 'scram-sha-256', '--no-sync', `--pwfile=${passwordFile}`];
  const program = asUser(initdb, args);
  await promisify(execFile)(program.command, [...program.args], { cwd: folder, timeout: 60_000 });
  const { certificate, key } = authority.issue([host]);
  writeFileSync(join(data, 'server.crt'), certificate);
  writeFileSync(join(data, 'server.key'), key, { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(join(data, 'server.key'), unprivileged, unprivileged);
}

/** Starts the server on its cluster, ready when it resolves. */
async function start({ folder, data, port }: PostgresServer, sql: Postgres['sql']): Promise<OwnedProcess> {
  const settings = {
    listen_addresses: host,
    port,
    unix_socket_directories: '',
    shared_buffers: '16MB',
    fsync: 'off',
    // Shared memory in the data folder goes with it, also when the server is killed.
    dynamic_shared_memory_type: 'mmap',
    log_statement: 'all',
    ssl: 'on',
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const started = await startProcess({ name: 'postgres', ...asUser(postgresProgram('postgres'), args), folder });
  const ask = async () => {
    if (started.ending !== undefined) throw new HopelessError(`postgres ${started.ending}:\n${started.lastWords()}`);
    await sql('SELECT 1');
    return true as const;
  };
  await until(ask, {
    deadline: 20_000,
    interval: 20,
    message: (error) => `postgres does not answer (${error}):\n${started.lastWords()}`,
  }).catch(async (error) => {
    await started.kill();
    throw error;
  });
  return started;
}

/** Starts a server with an empty cluster, ready when it resolves (under 3 s). Throws when it is not installed, and with its log when it does not answer. */
export async function startPostgres(): Promise<Postgres> {
  const scratch = createScratch('postgres');
  const [port] = (await freePorts(1)) as [number];
  const place = {
    folder: scratch.folder,
    data: join(scratch.folder, 'data'),
    port,
    authority: createAuthority(Date.now()),
  };
  const sql: Postgres['sql'] = async (text, database = 'postgres') => {
    const client = new pg.Client({ host, port, user: superuser, password: superuser, database, ssl: false });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  try {
    await initialize(place);
    const server = await start(place, sql);
    return {
      host,
      port,
      authority: place.authority.certificate,
      superuser,
      sql,
      pause: () => server.pause(),
      resume: () => server.resume(),
      lastWords: () => server.lastWords(),
      async close() {
        await server.kill();
        scratch.remove();
      },
    };
  } catch (error) {
    scratch.remove();
    throw error;
  }
}
