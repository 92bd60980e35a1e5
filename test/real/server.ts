import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Api, createApi } from './api.ts';
import { type BinaryName, binariesFolder, binaryPath, realServerAvailable } from './binaries.ts';
import { apiServerArguments, controllerManagerArguments, etcdArguments, type Layout } from './command-lines.ts';
import { freePorts } from './free-ports.ts';
import { createScratch, type OwnedProcess, startProcess } from './owned-process.ts';
import { HopelessError, until } from './until.ts';

/** What a test may choose about its control plane. */
export interface RealServerOptions {
  /** RBAC as a real cluster has it; `false` lets everybody do everything and is ready a little sooner. @default true */
  readonly rbac?: boolean;
  /** Namespace deletion, garbage collection, service accounts, the root CA's config maps, aggregated roles. @default true */
  readonly controllers?: boolean;
  /** More arguments of kube-apiserver, after ours. @default [] */
  readonly args?: readonly string[];
  /** Milliseconds each process may take until it is ready. @default 60_000 */
  readonly readyWithin?: number;
}

/** One of the processes of a control plane. */
export type RealProcess = Exclude<BinaryName, 'kubectl'>;

/** A real control plane of this process's own, on the loopback address: etcd, kube-apiserver and a few controllers. */
export interface RealServer {
  readonly url: string;
  /** The token of an administrator, in `system:masters`. */
  readonly token: string;
  /** The token of user `restricted`, who has no rights but those that RBAC is told to give. */
  readonly restrictedToken: string;
  /** PEM. */
  readonly ca: string;
  /** The administrator's; `kubeconfigPath` is a file with the same. */
  readonly kubeconfigYaml: string;
  readonly kubeconfigPath: string;
  /** The folder of kubectl and the other programs. */
  readonly binDir: string;
  readonly kubectl: string;
  /** Asks as the administrator, without our own client. */
  readonly api: Api;
  /** The running processes. */
  pids(): Readonly<Partial<Record<RealProcess, number>>>;
  /** CPU time of the running processes since each was started, in ms. */
  cpuMs(): Readonly<Partial<Record<RealProcess, number>>>;
  /** The end of a process's log. */
  lastWords(name: RealProcess): string;
  /** Stops kube-apiserver from answering while its connections stay open (SIGSTOP). */
  pause(): void;
  /** Ends `pause`. */
  resume(): void;
  /** Kills kube-apiserver (SIGKILL); what it stored stays. */
  kill(): Promise<void>;
  /** Kills kube-apiserver if it runs and starts it again at the same address. Ready when it resolves. */
  restart(): Promise<void>;
  /** Makes etcd forget all history up to now. The API server still knows what it has cached: `restart` to lose that, too. */
  compact(): Promise<void>;
  /** Kills all processes and deletes every file. */
  close(): Promise<void>;
}

/**
 * Starts a real control plane, ready when it resolves (about 5 s).
 * It has no scheduler and no kubelet: see `startKubelet`. Everything of it dies with the process or worker thread that started it.
 * Throws when the programs have not been built, and with the last words of the server when it does not become ready.
 */
export async function startRealServer(options: RealServerOptions = {}): Promise<RealServer> {
  if (!realServerAvailable()) {
    throw new Error(
      `no real server in ${binariesFolder()}: build it with "npx node test/real/build.ts" (6 minutes, Go >= 1.24)`,
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
  const layout: Layout = { folder, etcdPort, etcdPeerPort, apiPort, rbac, args };
  const url = `https://127.0.0.1:${apiPort}`;
  const [token, restrictedToken] = writeCredentials(folder);

  const start = async (name: RealProcess, commandLine: (layout: Layout) => readonly string[]) => {
    processes.set(name, await startProcess({ name, command: binaryPath(name), args: commandLine(layout), folder }));
  };
  const ready = (name: RealProcess, isReady: () => Promise<boolean>) =>
    untilReady(processes.get(name)!, isReady, readyWithin);
  const apiServerReady = (api: () => Api) =>
    ready('kube-apiserver', async () => (await api().ask({ path: '/readyz' })).status === 200);

  await Promise.all([start('etcd', etcdArguments), start('kube-apiserver', apiServerArguments)]);
  let api: Api | undefined;
  await apiServerReady(() => (api ??= createApi({ url, token, ca: caOf(folder) })));
  const ca = caOf(folder);
  const kubeconfigYaml = kubeconfig({ url, token, ca });
  const kubeconfigPath = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigPath, kubeconfigYaml, { mode: 0o600 });
  writeFileSync(join(folder, 'ca.crt'), ca);
  if (controllers) {
    await start('kube-controller-manager', controllerManagerArguments);
    const rootCa = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt';
    await ready('kube-controller-manager', async () => (await api!.ask({ path: rootCa })).status === 200);
  }

  const apiServer = () => processes.get('kube-apiserver')!;
  const running = <T>(of: (process: OwnedProcess) => T) =>
    Object.fromEntries([...processes].filter(([, it]) => it.ending === undefined).map(([name, it]) => [name, of(it)]));
  return {
    url,
    token,
    restrictedToken,
    ca,
    kubeconfigYaml,
    kubeconfigPath,
    binDir: binariesFolder(),
    kubectl: binaryPath('kubectl'),
    api: api!,
    pids: () => running((process) => process.pid),
    cpuMs: () => running((process) => process.cpuMs()),
    lastWords: (name) => processes.get(name)?.lastWords() ?? '',
    pause: () => apiServer().signal('SIGSTOP'),
    resume: () => apiServer().signal('SIGCONT'),
    kill: () => apiServer().kill(),
    async restart() {
      await apiServer().kill();
      await start('kube-apiserver', apiServerArguments);
      await apiServerReady(() => api!);
    },
    compact: () => compactEtcd(`http://127.0.0.1:${etcdPort}`),
    async close() {
      api!.close();
      await close();
    },
  };
}

function untilReady(process: OwnedProcess, isReady: () => Promise<boolean>, deadline: number): Promise<true> {
  const { name } = process;
  const ask = async () => {
    if (process.ending !== undefined) throw new HopelessError(`${name} ${process.ending}:\n${process.lastWords()}`);
    return (await isReady()) || undefined;
  };
  return until(ask, {
    deadline,
    message: (error) => `${name} is not ready after ${deadline} ms (${error}):\n${process.lastWords()}`,
  });
}

/** The files that kube-apiserver reads; answers the tokens of the administrator and of the restricted user. */
function writeCredentials(folder: string): readonly [string, string] {
  const tokens = [randomUUID(), randomUUID()] as const;
  const users = [`${tokens[0]},admin,admin,"system:masters"`, `${tokens[1]},restricted,restricted`];
  writeFileSync(join(folder, 'tokens.csv'), `${users.join('\n')}\n`, { mode: 0o600 });
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(join(folder, 'service-account.key'), privateKey, { mode: 0o600 });
  return tokens;
}

/** kube-apiserver writes its certificate followed by that of the authority it made up for it. */
function caOf(folder: string): string {
  const chain = readFileSync(join(folder, 'certificates', 'apiserver.crt'), 'utf8');
  return chain.slice(chain.lastIndexOf('-----BEGIN CERTIFICATE-----'));
}

function kubeconfig({ url, token, ca }: { readonly url: string; readonly token: string; readonly ca: string }): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'real',
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
    clusters: [{ name: 'real', cluster: { server: url, 'certificate-authority-data': btoa(ca) } }],
    users: [{ name: 'admin', user: { token } }],
  });
}

/** Through etcd's JSON gateway, where numbers are strings and keys base64. */
async function compactEtcd(url: string): Promise<void> {
  const call = async (path: string, body: object) => {
    const options = { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) };
    const answer = await fetch(`${url}${path}`, options);
    if (!answer.ok) throw new Error(`etcd: ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { readonly header: { readonly revision: string } };
  };
  const { header } = await call('/v3/kv/range', { key: btoa('\0') });
  await call('/v3/kv/compaction', { revision: header.revision, physical: true });
}
