/** Runs a real NATS server with JetStream for tests. */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePorts } from '../free-ports.ts';
import { createScratch, type OwnedProcess, programPath, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** User with the subjects that it may publish to, and subscribe to; none for all. */
export interface NatsUser {
  readonly user: string;
  readonly password: string;
  readonly rights?: { readonly publish: readonly string[]; readonly subscribe: readonly string[] };
}

/** A real NATS server owned by this process, on the loopback address. */
export interface NatsProcess {
  /** `host:port` */
  readonly address: string;
  /** User that may do everything. */
  readonly root: NatsUser;
  /** Stalls it until `resume`; messages sent meanwhile are still stored afterwards. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

const configOf = (port: number, folder: string, users: readonly NatsUser[]): string =>
  JSON.stringify({
    listen: `${host}:${port}`,
    jetstream: { store_dir: join(folder, 'jetstream') },
    authorization: {
      users: users.map(({ user, password, rights }) => ({ user, password, ...(rights && { permissions: rights }) })),
    },
  });

/** Resolves once the server greets. */
const greeting = (port: number): Promise<true> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, host, () => undefined);
    socket.setTimeout(1_000, () => socket.destroy(new Error('no greeting')));
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', reject);
  });

/** Starts one without streams, ready when it resolves. @throws when it is not installed, and with the end of its log when it does not answer */
export async function startNats(users: readonly NatsUser[]): Promise<NatsProcess> {
  const command = programPath('nats-server');
  if (command === undefined) throw new Error('it is not installed: apt-get install nats-server');
  const scratch = createScratch('nats');
  const { folder } = scratch;
  const [port] = (await freePorts(1)) as [number];
  const root = { user: 'root', password: randomBytes(16).toString('hex') };
  const config = join(folder, 'nats.conf');
  writeFileSync(config, configOf(port, folder, [root, ...users]), { mode: 0o600 });
  const server: OwnedProcess = await startProcess({ name: 'nats-server', command, args: ['-c', config], folder });
  const ask = () => {
    if (server.ending !== undefined) throw new HopelessError(`nats-server ${server.ending}:\n${server.lastWords()}`);
    return greeting(port);
  };
  const message = (error: unknown) => `nats-server does not answer (${error}):\n${server.lastWords()}`;
  await until(ask, { deadline: 20_000, interval: 20, message }).catch(async (error) => {
    await server.kill();
    throw error;
  });
  return {
    address: `${host}:${port}`,
    root,
    pause: () => server.pause(),
    resume: () => server.resume(),
    async close() {
      await server.kill();
      scratch.remove();
    },
  };
}
