/** Runs a real control plane for tests. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, type ApiAddress, createApi } from './api.ts';
import { type BinaryName, binariesFolder, binaryPath, realServerAvailable } from './binaries.ts';
import { apiServerArguments, controllerManagerArguments, etcdArguments, type Layout } from './command-lines.ts';
import { compactEtcd } from './compaction.ts';
import { caOf, kubeconfigOf, signerOf, writeCredentials } from './credentials.ts';
import { freePorts } from './free-ports.ts';
import { createScratch, type OwnedProcess, startProcess } from './owned-process.ts';
import { HopelessError, until } from './until.ts';

/** Options of a real control plane. */
export interface RealServerOptions {
  /** RBAC as in a real cluster; `false` allows every request and is ready a little sooner. @default true */
  readonly rbac?: boolean;
  /**
   * Namespace deletion, garbage collection, service accounts, the root CA's config maps, aggregated roles; with `more` also quotas and
   * certificates, with `all` instead those of Deployments, Jobs, Endpoints and the like. @default true
   */
  readonly controllers?: boolean | 'more' | 'all';
  /** Further arguments of kube-apiserver, after the default ones. @default [] */
  readonly args?: readonly string[];
  /** Milliseconds each process may take until it is ready. @default 60_000 */
  readonly readyWithin?: number;
}

/** A process of a control plane. */
export type RealProcess = Exclude<BinaryName, 'kubectl' | 'upstream'>;

/** A real control plane owned by this process, on the loopback address: etcd, kube-apiserver and a few controllers. */
export interface RealServer extends ApiAddress {
  /** `token` is an administrator's, in `system:masters`; this is the token of user `restricted`, with no rights but those that RBAC grants. */
  readonly restrictedToken: string;
  /** The administrator's; `kubeconfigPath` is a file with the same content. */
  readonly kubeconfigYaml: string;
  readonly kubeconfigPath: string;
  /** Folder of kubectl and the other programs. */
  readonly binDir: string;
  readonly kubectl: string;
  /** Sends requests as the administrator, without the product's client. */
  readonly api: Api;
  /** The running processes. */
  pids(): Readonly<Partial<Record<RealProcess, number>>>;
  /** CPU time of the running processes since each was started, in ms. */
  cpuMs(): Readonly<Partial<Record<RealProcess, number>>>;
  /** The end of a process's log. */
  lastWords(name: RealProcess): string;
  /** Stops kube-apiserver while its connections stay open (SIGSTOP); no answer comes once this has resolved. */
  pause(): Promise<void>;
  /** Ends `pause`. */
  resume(): void;
  /** Kills kube-apiserver (SIGKILL); stored objects persist. */
  kill(): Promise<void>;
  /** Kills kube-apiserver if it runs and starts it again at the same address. Ready when it resolves. */
  restart(): Promise<void>;
  /** Compacts etcd's whole history. The API server still has its watch cache: `restart` to lose that, too. */
  compact(): Promise<void>;
  /** Kills all processes and deletes every file. */
  close(): Promise<void>;
}

/**
 * Starts a real control plane, ready when it resolves (about 5 s).
 * It has no scheduler and no kubelet: see `startKubelet`. All its processes end with the process or worker thread that started it.
 * Throws when the programs have not been built, and with the end of the server's log when it does not become ready.
 */
export async function startRealServer(options: RealServerOptions = {}): Promise<RealServer> {
  if (!realServerAvailable()) {
    throw new Error(
      `no real server in ${binariesFolder()}: build it with "npx node test/system/real/build.ts" (6 minutes, Go >= 1.24)`,
    );
  }
  const scratch = createScratch('real-server');
  const processes = new Map<RealProcess, OwnedProcess>();
  const close = async () => {
    await Promise.all([...processes.values()].map((process) => process.kill()));
    scratch.remove();
  };
  try {
    return await controlPlane({ options, folder: scratch.folder, processes, close });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  readonly options: RealServerOptions;
  readonly folder: string;
  readonly processes: Map<RealProcess, OwnedProcess>;
  readonly close: () => Promise<void>;
}

async function controlPlane({ options, folder, processes, close }: Parts): Promise<RealServer> {
  const { rbac = true, controllers = true, args = [], readyWithin = 60_000 } = options;
  const [etcdPort, etcdPeerPort, apiPort] = (await freePorts(3)) as [number, number, number];
  const layout: Layout = { folder, etcdPort, etcdPeerPort, apiPort, rbac, controllers, args };
  const [token, restrictedToken] = writeCredentials(folder);
  const start = async (name: RealProcess) => {
    const commandLine = { name, command: binaryPath(name), args: argumentsOf[name](layout), folder };
    processes.set(name, await startProcess(commandLine));
  };
  const apiServer = () => processes.get('kube-apiserver')!;

  await Promise.all([start('etcd'), start('kube-apiserver')]);
  const url = `https://127.0.0.1:${apiPort}`;
  const ca = await untilReady(apiServer(), readyWithin, async () => caOf(folder));
  const address: ApiAddress = { url, token, ca };
  const api = createApi(address);
  await untilReady(apiServer(), readyWithin, () => isReady(api));
  const files = writeAccess(folder, address);
  if (controllers !== false) {
    await start('kube-controller-manager');
    await untilReady(processes.get('kube-controller-manager')!, readyWithin, () => controllersRun(api));
  }
  return {
    ...address,
    ...files,
    restrictedToken,
    binDir: binariesFolder(),
    kubectl: binaryPath('kubectl'),
    api,
    ...vitalSigns(processes),
    pause: () => apiServer().pause(),
    resume: () => apiServer().resume(),
    kill: () => apiServer().kill(),
    async restart() {
      await apiServer().kill();
      await start('kube-apiserver');
      await untilReady(apiServer(), readyWithin, () => isReady(api));
    },
    compact: () => compactEtcd(`http://127.0.0.1:${etcdPort}`),
    async close() {
      api.close();
      await close();
    },
  };
}

const argumentsOf: Readonly<Record<RealProcess, (layout: Layout) => readonly string[]>> = {
  etcd: etcdArguments,
  'kube-apiserver': apiServerArguments,
  'kube-controller-manager': controllerManagerArguments,
};

const isReady = async (api: Api): Promise<true | undefined> =>
  (await api.ask({ path: '/readyz' })).status === 200 || undefined;

/** Reports that the controllers run once the first of their objects exists. */
async function controllersRun(api: Api): Promise<true | undefined> {
  const { status } = await api.ask({ path: '/api/v1/namespaces/default/configmaps/kube-root-ca.crt' });
  return status === 200 || undefined;
}

function writeAccess(folder: string, address: ApiAddress): Pick<RealServer, 'kubeconfigYaml' | 'kubeconfigPath'> {
  const kubeconfigYaml = kubeconfigOf(address);
  const kubeconfigPath = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigPath, kubeconfigYaml, { mode: 0o600 });
  writeFileSync(join(folder, 'ca.crt'), address.ca);
  writeFileSync(join(folder, 'signer.crt'), signerOf(folder));
  return { kubeconfigYaml, kubeconfigPath };
}

function vitalSigns(
  processes: ReadonlyMap<RealProcess, OwnedProcess>,
): Pick<RealServer, 'pids' | 'cpuMs' | 'lastWords'> {
  const running = (of: (process: OwnedProcess) => number) =>
    Object.fromEntries([...processes].filter(([, it]) => it.ending === undefined).map(([name, it]) => [name, of(it)]));
  return {
    pids: () => running((process) => process.pid),
    cpuMs: () => running((process) => process.cpuMs()),
    lastWords: (name) => processes.get(name)?.lastWords() ?? '',
  };
}

function untilReady<T>(process: OwnedProcess, deadline: number, ready: () => Promise<T | undefined>): Promise<T> {
  const { name } = process;
  const ask = async () => {
    if (process.ending !== undefined) throw new HopelessError(`${name} ${process.ending}:\n${process.lastWords()}`);
    return ready();
  };
  return until(ask, {
    deadline,
    message: (error) => `${name} is not ready after ${deadline} ms (${error}):\n${process.lastWords()}`,
  });
}
