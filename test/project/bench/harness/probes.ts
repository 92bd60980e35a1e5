/** Measures scripts in fresh processes. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Code } from './code.ts';

const root = join(import.meta.dirname, '../../../..');

/** A short script that a fresh process runs; `lap(name)` records the resources used since the previous lap. */
export interface Probe {
  readonly script: string;
  readonly nodeArguments?: readonly string[];
  readonly argument?: string;
}

/** Cost of one lap. */
export interface Lap {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Cost of a probe. */
export interface Reading {
  readonly laps: Readonly<Record<string, Lap>>;
  /** ms from the start of the process to the end of the script. */
  readonly sinceExec: number;
  readonly rssMb: number;
}

/** Frames a script so that nothing of the project is loaded before it runs: neither its modules nor the type stripping. */
const framed = (script: string): string => `
  const laps = {};
  let cpu = process.cpuUsage();
  let last = performance.now();
  const lap = (name) => {
    const { user, system } = process.cpuUsage(cpu);
    laps[name] = { ms: performance.now() - last, cpuMs: (user + system) / 1000 };
    cpu = process.cpuUsage();
    last = performance.now();
  };
  ${script}
  const sinceExec = performance.now();
  const rssMb = process.memoryUsage.rss() / 1e6;
  process.stdout.write(JSON.stringify({ laps, sinceExec, rssMb }));
  process.exit();
`;

/** Runs a probe in a process of its own. */
export async function read(
  { script, nodeArguments = [], argument = '' }: Probe,
  signal: AbortSignal,
): Promise<Reading> {
  const flags = [...nodeArguments, '--input-type=module', '--eval', framed(script), '--', argument];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: root, signal, timeout: 30_000 });
  return JSON.parse(stdout) as Reading;
}

/** Wall time in ms of a command as a whole. */
export async function wallOf(args: readonly string[], signal: AbortSignal): Promise<number> {
  const started = performance.now();
  await promisify(execFile)(process.execPath, [...args], { cwd: root, signal, timeout: 30_000 });
  return performance.now() - started;
}

const text = JSON.stringify;

/** Imports these modules only. */
export const importing = (modules: readonly string[], code?: Code): Probe => ({
  script: `${modules.map((name) => `await import(${text(name)});`).join(' ')} lap('import');`,
  nodeArguments: code?.nodeArguments ?? [],
});

/** Imports the entry points that an operator uses. */
export const doorsOf = (code: Code): Probe =>
  importing(
    ['sdk/index.ts', 'sequencer/index.ts'].map((door) => code.url(door)),
    code,
  );

/** The in-memory cluster: loaded, created and listed, created and listed again, listening. */
export const clusterOf = (code: Code): Probe => ({
  nodeArguments: code.nodeArguments,
  script: `
    const { createCluster } = await import(${text(code.url('test/cluster/index.ts'))});
    const listed = ({ dispatcher }) =>
      new Promise((onResponseEnd, reject) =>
        dispatcher.dispatch(
          { method: 'GET', path: '/api/v1/namespaces', headers: {} },
          { onRequestStart() {}, onResponseStart() {}, onResponseData() {}, onResponseEnd, onResponseError: (_, error) => reject(error) },
        ),
      );
    lap('import');
    const cluster = await createCluster();
    await listed(cluster);
    lap('first');
    await listed(await createCluster());
    lap('second');
    await cluster.listen();
    lap('listen');`,
});

/** First answer of a server with this SDK, from process start. */
export const firstAnswer = (code: Code, kubeconfigYaml: string): Probe => ({
  nodeArguments: code.nodeArguments,
  argument: kubeconfigYaml,
  script: `
    const { createClient, loadConnection } = await import(${text(code.url('sdk/index.ts'))});
    const client = createClient({ connection: await loadConnection({ kubeconfig: { yaml: process.argv.at(-1) } }) });
    await client.raw('GET', '/version');
    lap('answer');`,
});

/** The same with undici alone and all parameters given. */
export const firstUndiciAnswer = (access: object): Probe => ({
  argument: text(access),
  script: `
    const { server, authorization, ca } = JSON.parse(process.argv.at(-1));
    const { Pool } = await import('undici');
    const pool = new Pool(server, { connect: { ca } });
    const { body } = await pool.request({ method: 'GET', path: '/version', headers: { authorization } });
    await body.json();
    lap('answer');`,
});

/** The same with the official Kubernetes client. */
export const firstClientNodeAnswer = (kubeconfigYaml: string): Probe => ({
  argument: kubeconfigYaml,
  script: `
    const { KubeConfig, VersionApi } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    config.loadFromString(process.argv.at(-1));
    await config.makeApiClient(VersionApi).getCode();
    lap('answer');`,
});
