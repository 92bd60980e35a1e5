/** Runs commands of the sequencer as processes. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createClient, ensureCrds, Workspace } from '../../../../sdk/index.ts';
import { type Cluster, type ClusterOptions, createCluster } from '../../../cluster/index.ts';

const root = join(import.meta.dirname, '../../../..');

/** Output and exit code of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command. */
export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with its match as soon as the standard output matches the pattern; rejects when the command ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Environment of a command. */
export interface Surroundings {
  /** Standard input; `open`: empty and not closed. @default '' */
  readonly input?: string | { readonly open: true };
  /** @default the checkout */
  readonly cwd?: string;
  /** Variables besides those of this process. @default none */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `sequencer` with arguments, as a shell does; killed after a minute. */
export function start(args: readonly string[], { input = '', cwd = root, env = {} }: Surroundings = {}): Running {
  const main = join(root, 'sequencer/cli/main.ts');
  const child = spawn(process.execPath, ['--conditions=source', main, ...args], {
    cwd,
    timeout: 60_000,
    env: { ...process.env, HOME: '/nonexistent', KUBECONFIG: '', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  if (typeof input === 'string') child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return {
    process: child,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', look);
        look();
        void ended.then(() => reject(new Error(`ended without ${pattern}:\n${stdout}\n${stderr}`)));
      }),
  };
}

/** Runs `sequencer` with arguments to its end. */
export const runToEnd = (args: readonly string[], options: Surroundings = {}): Promise<Ended> =>
  start(args, options).ended;

/** A cluster in this process with the Workspace kind, and a client of it. */
export async function aCluster(
  options: ClusterOptions = {},
): Promise<{ readonly cluster: Cluster; readonly client: ReturnType<typeof createClient> }> {
  const cluster = await createCluster(options);
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace]);
  return { cluster, client };
}
