/** Runs a real name server for tests. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../free-ports.ts';
import { createScratch, type OwnedProcess, programPath, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';
import { type NameServerLayout, nameServerPrograms, type TsigKey } from './name-server-programs.ts';

/** Options of a name server. */
export interface NameServerOptions {
  readonly implementation: keyof typeof nameServerPrograms;
  /** The one zone that it serves and accepts updates for. @default example.test */
  readonly zone?: string;
}

/** One record, as `dig` writes it. */
export interface ZoneRecord {
  /** Name, without a final dot. */
  readonly name: string;
  /** Seconds. */
  readonly ttl: number;
  readonly type: string;
  readonly value: string;
}

/** A real name server owned by this process, on the loopback address. */
export interface NameServer {
  readonly host: string;
  /** Port of both UDP and TCP. */
  readonly port: number;
  readonly zone: string;
  /** Key that authorizes updates and transfers of the zone. */
  readonly key: TsigKey;
  /** Current answer of the server, uncached: one string per record, sorted; empty when there is no such name or type. */
  lookup(name: string, type: 'A' | 'AAAA' | 'CNAME' | 'NS' | 'TXT'): Promise<readonly string[]>;
  /** Every record of the zone. Needs `dig`. */
  transfer(): Promise<readonly ZoneRecord[]>;
  /** Stalls the server until `resume`; messages sent meanwhile are still processed afterwards. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** Sends SIGKILL; acknowledged updates persist. */
  kill(): Promise<void>;
  /** Kills it if it runs and starts it again at the same port. Ready when it resolves. */
  restart(): Promise<void>;
  /** The end of its log. */
  lastWords(): string;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Reports whether the implementation is installed on this machine. */
export const nameServerAvailable = (implementation: NameServerOptions['implementation']): boolean =>
  programPath(nameServerPrograms[implementation].command) !== undefined;

/** Starts a name server, ready when it resolves (under 1 s). Throws when it is not installed, and with the end of its log when it does not answer. */
export async function startNameServer({
  implementation,
  zone = 'example.test',
}: NameServerOptions): Promise<NameServer> {
  const program = nameServerPrograms[implementation];
  const command = programPath(program.command);
  if (command === undefined)
    throw new Error(`${program.command} is not installed: apt-get install ${program.debianPackage}`);
  const scratch = createScratch(implementation);
  const { folder } = scratch;
  const [port] = (await freePorts(1)) as [number];
  const key: TsigKey = { name: 'test-key', algorithm: 'hmac-sha256', secret: randomBytes(32).toString('base64') };
  writeFiles({ folder, port, zone, key }, program.files({ folder, port, zone, key }));

  const start = async (): Promise<OwnedProcess> => {
    for (const leftover of program.leftovers) rmSync(join(folder, leftover), { force: true });
    const started = await startProcess({ name: program.command, command, args: program.args(folder), folder });
    await answering(started, { port, zone }).catch(async (error) => {
      await started.kill();
      throw error;
    });
    return started;
  };
  let server = await start().catch((error) => {
    scratch.remove();
    throw error;
  });

  return {
    host,
    port,
    zone,
    key,
    lookup: (name, type) => lookup(resolverOf(port), name, type),
    transfer: () => transfer({ port, zone, key }),
    pause: () => server.pause(),
    resume: () => server.resume(),
    kill: () => server.kill(),
    async restart() {
      await server.kill();
      server = await start();
    },
    lastWords: () => server.lastWords(),
    async close() {
      await server.kill();
      scratch.remove();
    },
  };
}

function writeFiles({ folder }: NameServerLayout, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: 0o600 });
  }
}

function resolverOf(port: number): Resolver {
  const resolver = new Resolver({ timeout: 500, tries: 2 });
  resolver.setServers([`${host}:${port}`]);
  return resolver;
}

function answering(
  server: OwnedProcess,
  { port, zone }: { readonly port: number; readonly zone: string },
): Promise<true> {
  const ask = async () => {
    if (server.ending !== undefined) throw new HopelessError(`${server.name} ${server.ending}:\n${server.lastWords()}`);
    await resolverOf(port).resolveSoa(zone);
    return true as const;
  };
  return until(ask, {
    deadline: 20_000,
    interval: 20,
    message: (error) => `${server.name} does not answer for ${zone} (${error}):\n${server.lastWords()}`,
  });
}

/** Codes of c-ares for "no such name" and "no record of this type". */
const nothing = new Set(['ENOTFOUND', 'ENODATA']);

async function lookup(resolver: Resolver, name: string, type: string): Promise<readonly string[]> {
  try {
    const records = (await resolver.resolve(name, type)) as readonly (string | readonly string[])[];
    return records.map((record) => (typeof record === 'string' ? record : record.join(''))).sort();
  } catch (error) {
    if (nothing.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

async function transfer(layout: Omit<NameServerLayout, 'folder'>): Promise<readonly ZoneRecord[]> {
  const { port, zone, key } = layout;
  const dig = programPath('dig');
  if (dig === undefined) throw new Error('dig is not installed: apt-get install bind9-dnsutils');
  const secret = `${key.algorithm}:${key.name}:${key.secret}`;
  const args = [`@${host}`, '-p', `${port}`, '-y', secret, zone, 'AXFR', '+noall', '+answer', '+onesoa', '+time=2'];
  const { stdout } = await promisify(execFile)(dig, args, { timeout: 20_000 });
  return stdout.split('\n').flatMap((line) => {
    const found = /^(\S+)\.\s+(\d+)\s+IN\s+(\S+)\s+(.+)$/.exec(line);
    return found === null ? [] : [{ name: found[1]!, ttl: Number(found[2]), type: found[3]!, value: found[4]! }];
  });
}
