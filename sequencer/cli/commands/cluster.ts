/** `sequencer cluster`: runs the in-memory Kubernetes API. */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterrupt, defined } from '../../../sdk/host/index.ts';
import { aborted, messageOf, UserError } from '../../../sdk/index.ts';
import type { Cluster, ClusterOptions, KubeletOptions } from '../../../test/cluster/index.ts';
import { clusterFor, clusterOptions, reproducibleFrom, reproducibleOptions } from '../args/cluster-options.ts';
import { type Command, commonOptions, type Invocation, portOf } from '../args/command.ts';
import { type ControllerChoice, controllersFrom } from '../args/controllers.ts';
import { makePrivate, writePrivate } from '../output/private-file.ts';
import { runProgram } from '../process/run-program.ts';

/** Running in-memory cluster with its kubeconfig file. */
export interface EmbeddedCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly url: string;
  readonly kubeconfig: string;
  /** Seed of its uids, generated names and addresses. */
  readonly seed: string | number;
}

/** Options of {@link startCluster}. */
export interface StartOptions extends Pick<ClusterOptions, 'seed' | 'adminToken'> {
  /** @default a free port */
  readonly port?: number;
  /** File of its kubeconfig, readable by the owner only. @default a temporary file, removed with the cluster */
  readonly kubeconfig?: string;
  /** Delays of its pods; `false`: pods stay Pending. @default no delay */
  readonly kubelet?: false | KubeletOptions;
  /** Enables `sequencer control`. @default false */
  readonly control?: boolean;
  /** Enables RBAC, and delays of pods and deleted namespaces, as on a real server. @default false */
  readonly real?: boolean;
  /** Controllers to run: see {@link controllersFrom}. @default the minimal set */
  readonly controllers?: string;
  /** Kubernetes version, such as 1.29. @default the newest known */
  readonly version?: string;
  /** File to which requests and responses are recorded, without secrets. */
  readonly record?: string;
}

/** Creates a file that only its owner may read. A later failed write, such as to a full disk, ends the recording with a note on stderr. */
async function openRecording(
  file: string,
  refuse: (what: string, error: unknown) => Promise<never>,
): Promise<WriteStream> {
  const stream = createWriteStream(file, { mode: 0o600 });
  const opened = once(stream, 'open').then(() => makePrivate(file));
  await opened.catch((error) => refuse(`cannot write ${file}`, error));
  stream.on('error', (error) => {
    process.stderr.write(`note: cannot write ${file}: ${messageOf(error)}; the recording is incomplete\n`);
  });
  return stream;
}

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use: choose another --port, or none for a free one',
  ENOENT: 'its folder does not exist: create it first',
};

const hintsFor = (code = '') => (Object.hasOwn(hints, code) ? { hint: hints[code]! } : {});

/** Delay in ms of pods and namespace deletion, for programs that rely on the delays of a real server. */
const realisticDelay = 50;

/** Returns the delays of pods. */
const withDelays = (kubelet: StartOptions['kubelet'], real: boolean): StartOptions['kubelet'] =>
  real && kubelet ? { readyDelay: realisticDelay, stopDelay: realisticDelay, ...kubelet } : kubelet;

/**
 * Starts the in-memory cluster on the loopback interface and writes its kubeconfig. @throws UserError E#2030 if the port is taken or the file cannot
 * be written
 */
export async function startCluster(options: StartOptions = {}): Promise<EmbeddedCluster> {
  const { port = 0, kubeconfig, kubelet = {}, control = false, real = false, version, record } = options;
  const { seed, adminToken } = options;
  const choice: Partial<ControllerChoice> =
    options.controllers === undefined ? {} : controllersFrom(options.controllers);
  const clock = control ? { clock: (await import('../../../test/cluster/index.ts')).createAdjustableClock() } : {};
  const cluster = await clusterFor('cluster', {
    ...choice,
    kubelet: withDelays(choice.kubelet ?? kubelet, real),
    ...clock,
    ...defined({ version, seed, adminToken }),
    ...(real && { rbac: true, namespaceController: { delay: realisticDelay } }),
  });
  const refuse = async (what: string, error: unknown): Promise<never> => {
    await cluster.close();
    const { code } = error as { readonly code?: string };
    throw new UserError('E#2030', `${what}: ${messageOf(error)}`, { ...hintsFor(code), cause: error });
  };
  const server = await cluster
    .listen({ port, host: '127.0.0.1', control })
    .catch((error) => refuse(`cannot listen on 127.0.0.1:${port}`, error));
  const recording = record === undefined ? undefined : await openRecording(record, refuse);
  if (recording !== undefined) cluster.record((line) => recording.write(`${line}\n`));
  const folder = kubeconfig === undefined ? await mkdtemp(join(tmpdir(), 'sequencer-')) : undefined;
  const file = kubeconfig ?? join(folder ?? '', 'kubeconfig');
  await writePrivate(file, server.kubeconfigYaml()).catch((error) => refuse(`cannot write ${file}`, error));
  return {
    cluster,
    url: server.url,
    kubeconfig: file,
    seed: cluster.seed,
    async [Symbol.asyncDispose]() {
      await server.close();
      await cluster.close();
      if (recording !== undefined) await new Promise<void>((resolve) => recording.end(resolve));
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Converts the command line into options of the cluster. */
const optionsFrom = ({ values, flags }: Invocation): StartOptions => {
  const { port, kubeconfig, version, record, controllers } = values;
  return {
    real: true,
    kubelet: flags.has('kubelet') && {},
    control: flags.has('control'),
    ...reproducibleFrom(values),
    ...(controllers !== undefined && { controllers }),
    ...(version !== undefined && { version }),
    ...(record !== undefined && { record }),
    ...(port !== undefined && { port: portOf('cluster', 'port', port) }),
    ...(kubeconfig !== undefined && { kubeconfig }),
  };
};

/** Serves while a program runs, with the cluster's address in its environment; resolves with the program's exit code. */
async function serveProgram(options: StartOptions, [command = '', ...args]: readonly string[]): Promise<number> {
  await using embedded = await startCluster(options);
  // USE_EXISTING_CLUSTER makes Go's envtest use the kubeconfig's cluster instead of one of its own.
  const env = { USE_EXISTING_CLUSTER: 'true', ...process.env, KUBECONFIG: resolve(embedded.kubeconfig) };
  return await runProgram({ command, args, env, hasTerminal: process.stdin.isTTY });
}

/**
 * Aborts when standard input ends: closed by the program at its other end, or lost with it. Disposal releases the input, so that the process can
 * exit.
 */
function endOfInput(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const end = (): void => controller.abort(new DOMException('standard input has ended', 'AbortError'));
  process.stdin.once('close', end).once('end', end).once('error', end).resume();
  return { signal: controller.signal, [Symbol.dispose]: () => process.stdin.pause() };
}

/** Serves until a signal or, if requested, the end of standard input, and prints the address. */
async function serve(options: StartOptions, untilEof: boolean): Promise<number> {
  using interrupt = createInterrupt();
  using input = untilEof ? endOfInput() : undefined;
  await using embedded = await startCluster(options);
  process.stdout.write(
    `cluster     ${embedded.url}\nkubeconfig  ${embedded.kubeconfig}\nseed        ${embedded.seed}\ntry         kubectl --kubeconfig ${embedded.kubeconfig} get namespaces\nCtrl-C stops the cluster and discards its objects.\n`,
  );
  await aborted(input === undefined ? interrupt.signal : AbortSignal.any([interrupt.signal, input.signal]));
  return 0;
}

/** `sequencer cluster`. */
export const cluster: Command = {
  name: 'cluster',
  summary: 'run the in-memory Kubernetes API alone, until a signal, or as long as a program runs',
  operands: '[-- PROGRAM [ARGUMENT]...]',
  options: {
    port: { type: 'string', value: 'N', description: 'port on the loopback interface (default: a free one)' },
    kubeconfig: { type: 'string', value: 'FILE', description: 'write the kubeconfig here (default: a temporary file)' },
    kubelet: { type: 'boolean', description: 'run pods: they become Ready, and stop (default: they stay Pending)' },
    ...clusterOptions,
    ...reproducibleOptions,
    record: {
      type: 'string',
      value: 'FILE',
      description: 'record requests and responses, without secrets, for sequencer replay',
    },
    control: {
      type: 'boolean',
      description: 'let administrators inject faults, take snapshots and set the clock: see sequencer control',
    },
    'until-eof': {
      type: 'boolean',
      description: 'stop at the end of standard input, too: with the program that started it',
    },
    ...commonOptions,
  },
  examples: [
    ['sequencer cluster', 'on a free port'],
    ['sequencer cluster --port 6443 --kubeconfig dev.kubeconfig', 'on a port, with a kubeconfig file of your choice'],
    ['sequencer cluster --controllers all', 'with workloads that run'],
    ['sequencer cluster -- pytest -q', 'for a program that reads $KUBECONFIG; exits as it does'],
  ],
  async run(invocation) {
    const { flags, operands } = invocation;
    const untilEof = flags.has('until-eof');
    if (operands.length === 0) return serve(optionsFrom(invocation), untilEof);
    if (!untilEof) return serveProgram(optionsFrom(invocation), operands);
    throw new UserError('E#2001', `sequencer cluster: --until-eof has no meaning with a program`, {
      hint: 'leave it out: the cluster stops with the program, which reads the standard input',
    });
  },
};
