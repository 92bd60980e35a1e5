/** Servers that stories run against: the in-memory one and a real control plane. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createClient, loadConnection } from '../../../sdk/index.ts';
import { createCluster } from '../../cluster/index.ts';
import { type Api, type ApiAddress, createApi } from '../real/api.ts';
import { freePorts } from '../real/free-ports.ts';
import { startKubelet } from '../real/kubelet.ts';
import { createScratch } from '../real/owned-process.ts';
import { startRealServer } from '../real/server.ts';
import { until } from '../real/until.ts';
import { createStandstill } from './standstill.ts';

/** Kubernetes API over HTTPS that a story runs against; its pods become Ready by themselves. */
export interface StoryServer extends ApiAddress {
  /** Administrator's kubeconfig; `kubeconfigPath` is a file with the same content. */
  readonly kubeconfigYaml: string;
  readonly kubeconfigPath: string;
  /** Sends requests as that administrator, without the product's client. */
  readonly api: Api;
  /** Fault injection. */
  readonly faults: ServerFaults;
  /** Stops the server and removes all its files. */
  close(): Promise<void>;
}

/** Faults of a server while clients are connected. */
export interface ServerFaults {
  /** Cuts every connection and refuses new ones. */
  kill(): Promise<void>;
  /** Ends `kill`: same address, same stored objects. */
  restart(): Promise<void>;
  /** Cuts every connection and compacts all history up to now: clients that resume from an older version must list again. */
  forget(): Promise<void>;
  /** Stalls all connections without closing them. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
}

/** A kind of Kubernetes API server. */
export interface ServerUnderTest {
  readonly name: 'in-memory' | 'kube-apiserver';
  start(): Promise<StoryServer>;
}

const inMemory: ServerUnderTest = {
  name: 'in-memory',
  async start() {
    const cluster = await createCluster({ rbac: true });
    const standstill = createStandstill();
    cluster.intercept(standstill.interceptor);
    // A restart must find the port free: the system gives one of its own choice to others meanwhile.
    const [port] = (await freePorts(1)) as [number];
    let listening = await cluster.listen({ port });
    const kubeconfigYaml = listening.kubeconfigYaml();
    // A program that another worker starts holds a copy of the former socket between its fork and its exec.
    const restart = async () => {
      listening = await until(() => cluster.listen({ port }), {
        message: (error) => `port ${port} is taken: ${error}`,
      });
    };
    const faults: ServerFaults = {
      kill: () => listening.close(),
      restart,
      async forget() {
        await listening.close();
        cluster.compact();
        await restart();
      },
      pause: async () => standstill.pause(),
      resume: () => standstill.resume(),
    };
    const address = addressIn(kubeconfigYaml);
    const scratch = createScratch('in-memory');
    const kubeconfigPath = join(scratch.folder, 'kubeconfig');
    writeFileSync(kubeconfigPath, kubeconfigYaml, { mode: 0o600 });
    const api = createApi(address);
    const close = async () => {
      api.close();
      await cluster.close();
      scratch.remove();
    };
    return { ...address, kubeconfigYaml, kubeconfigPath, api, faults, close };
  },
};

const real: ServerUnderTest = {
  name: 'kube-apiserver',
  async start() {
    const server = await startRealServer();
    const kubelet = startKubelet(server.api);
    const close = async () => {
      await kubelet.stop();
      await server.close();
    };
    const { kill, restart, pause, resume } = server;
    const forget = async () => {
      await kill();
      await server.compact();
      await restart();
    };
    return { ...server, faults: { kill, restart, forget, pause, resume }, close };
  },
};

/**
 * Servers that every story must pass on: with `test/system/real/ava.config.mjs` all those that it names in the environment; in a plain `npm test`
 * the in-memory one alone, since the real one may not be built.
 */
export function serversUnderTest(): readonly ServerUnderTest[] {
  const names = (process.env.SERVERS_UNDER_TEST ?? inMemory.name).split(' ');
  return [inMemory, real].filter(({ name }) => names.includes(name));
}

/** Starts each of `serversUnderTest`; a test file awaits it once, before it declares its first test. */
export const startServersUnderTest = (): Promise<readonly (StoryServer & Pick<ServerUnderTest, 'name'>)[]> =>
  Promise.all(serversUnderTest().map(async ({ name, start }) => ({ name, ...(await start()) })));

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

/** Address and administrator token in a kubeconfig of a test server. */
export function addressIn(kubeconfigYaml: string): ApiAddress {
  const { clusters, users } = parse(kubeconfigYaml) as Kubeconfig;
  const { cluster } = clusters[0];
  return { url: cluster.server, ca: atob(cluster['certificate-authority-data']), token: users[0].user.token };
}

/** Starts each server with a client of the product; `close` closes both. */
export async function startClientsUnderTest() {
  const servers = await startServersUnderTest();
  return Promise.all(
    servers.map(async (server) => {
      const connection = await loadConnection({ kubeconfig: server.kubeconfigPath });
      const client = createClient({ connection });
      const close = async (): Promise<void> => {
        await client.close();
        await server.close();
      };
      return { ...server, client, close };
    }),
  );
}
