/** Starts the servers under measurement. */

import { type Client, ensureCrds, Workspace } from '../../../../sdk/index.ts';
import { realServerAvailable } from '../../../system/real/binaries.ts';
import { startRealServer } from '../../../system/real/server.ts';
import type { Lab } from '../benchmark.ts';
import { startChild } from './child.ts';
import { clientOf } from './connect.ts';
import { type Usage, usageOf } from './usage.ts';

/** Servers that can be measured. */
export const serverNames = ['in-memory', 'kube-apiserver'] as const;

type ServerLab = Pick<Lab, 'code' | 'signal'>;

/** One of {@link serverNames}. */
export type ServerName = (typeof serverNames)[number];

/** A Kubernetes API over HTTPS in processes of its own, with the Workspace kind and the namespaces of the workload. */
export interface BenchServer extends AsyncDisposable {
  readonly name: ServerName;
  readonly kubeconfigYaml: string;
  /** ms from exec until it was ready. */
  readonly startedMs: number;
  /** The driver's client, which creates the load and verifies the result. */
  readonly client: Client;
  /** CPU time of all its processes so far, in ms; `undefined` if unknown. */
  cpuMs(): number | undefined;
  /** Resident memory of all its processes in MB, after a garbage collection where possible. */
  rssMb(): Promise<number | undefined>;
}

interface Started extends AsyncDisposable {
  readonly kubeconfigYaml: string;
  pids(): readonly number[];
  settle(): Promise<unknown>;
}

const starters: Readonly<Record<ServerName, (lab: ServerLab) => Promise<Started>>> = {
  async 'in-memory'(lab) {
    const child = startChild('in-memory-server', {}, { lab, nodeArguments: ['--expose-gc'] });
    const { kubeconfigYaml } = await child.said<{ readonly kubeconfigYaml: string }>();
    return {
      kubeconfigYaml,
      pids: () => [child.pid],
      settle: () => child.ask<Usage>('usage'),
      [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
    };
  },
  async 'kube-apiserver'() {
    const server = await startRealServer({ controllers: false, rbac: false });
    return {
      kubeconfigYaml: server.kubeconfigYaml,
      pids: () => Object.values(server.pids()),
      settle: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => server.close(),
    };
  },
};

/** Servers that can run on this machine. */
export const availableServers = (): readonly ServerName[] =>
  serverNames.filter((name) => name === 'in-memory' || realServerAvailable());

function sum(pids: readonly number[], of: (usage: Usage) => number): number | undefined {
  const usages = pids.map(usageOf);
  return usages.includes(undefined) ? undefined : usages.reduce((total, usage) => total + of(usage!), 0);
}

/** Starts a fresh server, ready for workspaces. */
export async function startServer(name: ServerName, lab: ServerLab): Promise<BenchServer> {
  const before = performance.now();
  const started = await starters[name](lab);
  const startedMs = performance.now() - before;
  const client = await clientOf(started.kubeconfigYaml);
  const close = async () => {
    await client.close();
    await started[Symbol.asyncDispose]();
  };
  try {
    await ensureCrds(client, [Workspace], { signal: lab.signal });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    name,
    kubeconfigYaml: started.kubeconfigYaml,
    startedMs,
    client,
    cpuMs: () => sum(started.pids(), ({ cpuMs }) => cpuMs),
    async rssMb() {
      await started.settle();
      return sum(started.pids(), ({ rssMb }) => rssMb);
    },
    [Symbol.asyncDispose]: close,
  };
}
