/** Runs a real Caddy server with its admin API for tests. */

import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePorts } from '../free-ports.ts';
import { createScratch, programPath, startProcess } from '../owned-process.ts';
import { HopelessError, until } from '../until.ts';

/** Response of a server. */
export interface CaddyResponse {
  readonly status: number;
  readonly body: string;
}

/** A real Caddy server owned by this process, on the loopback address. Its configuration is lost when it ends. */
export interface CaddyProcess {
  /** Address of its admin API. */
  readonly url: string;
  /** Name of its HTTP server, which has no routes at first. */
  readonly server: string;
  /** Port of that server. */
  readonly port: number;
  /** Sends a request to its admin API, such as `GET /config/`. */
  admin(method: string, path: string, body?: unknown): Promise<CaddyResponse>;
  /** Sends a request through it, to a host. */
  get(host: string, path: string): Promise<CaddyResponse>;
  /** Stalls the server until `resume`; requests sent meanwhile are still processed afterwards. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** Kills it if it runs and starts it again at the same ports, without routes. Ready when its admin API answers. */
  restart(): Promise<void>;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

const address = '127.0.0.1';
const server = 'edge';

/** Options of the server. */
export interface CaddyOptions {
  /** Its HTTP server speaks TLS, with the certificates in `apps.tls.certificates.load_pem`: none at first. @default false */
  readonly tls?: boolean;
}

const configOf = ([admin, http]: readonly number[], { tls = false }: CaddyOptions): object => ({
  admin: { listen: `${address}:${admin}`, config: { persist: false } },
  apps: {
    http: {
      servers: {
        [server]: {
          listen: [`${address}:${http}`],
          automatic_https: { disable: true },
          ...(tls && { tls_connection_policies: [{}] }),
        },
      },
    },
    ...(tls && { tls: { certificates: { load_pem: [] } } }),
  },
});

/** Sends a request on a connection of its own: the server closes others whenever its configuration changes. */
function send(
  port: number | undefined,
  { method, path, host, body }: Readonly<Record<'method' | 'path' | 'host', string>> & { readonly body?: unknown },
): Promise<CaddyResponse> {
  return new Promise((resolve, reject) => {
    const headers = { host, connection: 'close', ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = request({ host: address, port, method, path, headers, agent: false, timeout: 5000 }, (response) => {
      text(response).then((all) => resolve({ status: response.statusCode ?? 0, body: all }), reject);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Starts a server without routes, ready when its admin API answers. @throws when it is not installed, and with the end of its log when it does not answer */
export async function startCaddy(options: CaddyOptions = {}): Promise<CaddyProcess> {
  const command = programPath('caddy');
  if (command === undefined) throw new Error('caddy is not installed: apt-get install caddy');
  const scratch = createScratch('caddy');
  const { folder } = scratch;
  const ports = await freePorts(2);
  const config = join(folder, 'caddy.json');
  writeFileSync(config, JSON.stringify(configOf(ports, options)));
  const own = `${address}:${ports[0]}`;
  const admin = (method: string, path: string, body?: unknown) => send(ports[0], { method, path, host: own, body });
  const start = async () => {
    const settings = [`HOME=${folder}`, `XDG_DATA_HOME=${folder}/data`, `XDG_CONFIG_HOME=${folder}/config`];
    const args = [...settings, command, 'run', '--config', config];
    const started = await startProcess({ name: 'caddy', command: '/usr/bin/env', args, folder });
    const ask = async () => {
      if (started.ending !== undefined) throw new HopelessError(`caddy ${started.ending}:\n${started.lastWords()}`);
      return (await admin('GET', '/config/')).status === 200 || undefined;
    };
    const message = (error: unknown) => `caddy does not answer (${error}):\n${started.lastWords()}`;
    await until(ask, { deadline: 20_000, interval: 20, message }).catch(async (error) => {
      await started.kill();
      throw error;
    });
    return started;
  };
  let running = await start();
  return {
    url: `http://${own}`,
    server,
    port: ports[1] ?? 0,
    admin,
    get: (host, path) => send(ports[1], { method: 'GET', path, host }),
    pause: () => running.pause(),
    resume: () => running.resume(),
    async restart() {
      await running.kill();
      running = await start();
    },
    async close() {
      await running.kill();
      scratch.remove();
    },
  };
}
