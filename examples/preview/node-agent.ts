/** Node agent that runs a process on this machine for each pod: in place of a container runtime, which the example does without. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  type Client,
  type ConfiguredRunnable,
  createInformerController,
  type ObjectKey,
  Pod,
  type Runnable,
  Secret,
  type Workspace,
} from 'workspace-sequencer/sdk';

/** Options of {@link createNodeAgent}. */
export interface NodeAgentOptions {
  /** Program of every pod; it prints its port. */
  readonly program: string;
  readonly namespace: string;
  /** No kubelet is beside it, as on a bare kube-apiserver: it reports all of a pod's status. @default false */
  readonly isKubelet?: boolean;
}

/** Processes of pods. */
export interface NodeAgent {
  readonly runnable: ConfiguredRunnable;
  /** Returns the address of a workspace's pod. */
  addressOf(workspace: Workspace): string;
  /** Number of processes that run. */
  running(): number;
}

/** Readiness gate that pods have to name, so that they are ready when their process is. */
export const gate = 'example.com/process-answers';

interface Running {
  readonly uid: string | undefined;
  readonly child: ChildProcess;
  readonly port: string;
  readonly workspace: string;
}

/** Returns the environment of a pod's first container; values of Secrets are read from the cluster. */
async function environmentOf({ spec }: Pod, namespace: string, client: Client): Promise<Record<string, string>> {
  const pairs = (spec?.containers[0]?.env ?? []).map(async ({ name, value = '', valueFrom }) => {
    const { name: secret, key } = valueFrom?.secretKeyRef ?? {};
    if (secret === undefined || key === undefined) return [name, value];
    const { data = {} } = await client.get(Secret, { namespace, name: secret });
    return [name, Buffer.from(data[key] ?? '', 'base64').toString()];
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** Starts the process of a pod; resolves when it responds. @throws Error when it ends before */
async function started(pod: Pod, { program, namespace }: NodeAgentOptions, client: Client): Promise<Running> {
  const env = { ...process.env, ...(await environmentOf(pod, namespace, client)) };
  const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const early = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}`);
  });
  const [port] = await Promise.race([once(child.stdout, 'data'), early]);
  early.catch(() => undefined);
  const workspace = pod.metadata.labels?.['components.sequencer.io/instance'] ?? '';
  return { uid: pod.metadata.uid, child, port: String(port).trim(), workspace };
}

/** Conditions of a pod that a kubelet reports. */
const kubeletConditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];

/** Reports to the cluster that a pod's process is ready. */
async function report(client: Client, key: ObjectKey, isKubelet: boolean): Promise<void> {
  const types = [gate, ...(isKubelet ? kubeletConditions : [])];
  const conditions = types.map((type) => ({ type, status: 'True' }));
  const status = { conditions, ...(isKubelet && { phase: 'Running', podIP: '127.0.0.1' }) };
  const value = { apiVersion: 'v1', kind: 'Pod', metadata: key, status };
  const options = { subresource: 'status', fieldManager: 'node-agent' } as const;
  await client.patch(Pod, key, { type: 'apply', value }, options);
}

/** Creates an agent without processes. */
export function createNodeAgent(options: NodeAgentOptions): NodeAgent {
  const processes = new Map<string, Running>();

  const stop = async (name: string): Promise<void> => {
    const running = processes.get(name);
    if (running === undefined) return;
    const { child } = running;
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await ended;
    processes.delete(name);
  };

  const runnable: ConfiguredRunnable = {
    name: 'node-agent',
    permissions: [
      { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
      { apiGroups: [''], resources: ['pods/status'], verbs: ['patch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
    ],
    create: ({ client, clock, logger }): Runnable => ({
      name: 'node-agent',
      async run(signal) {
        const controller = createInformerController<Pod>({
          ...{ client, clock, kind: Pod, selection: { namespace: options.namespace } },
          ...(logger && { logger }),
          async reconciler({ key, object: pod }) {
            const isWanted = pod !== undefined && pod.metadata.deletionTimestamp === undefined;
            if (!isWanted || processes.get(key.name)?.uid !== pod.metadata.uid) await stop(key.name);
            if (!isWanted || processes.has(key.name)) return {};
            processes.set(key.name, await started(pod, options, client));
            await report(client, key, options.isKubelet ?? false);
            return {};
          },
        });
        await controller.run(signal);
        await Promise.all([...processes.keys()].map(stop));
      },
    }),
  };
  return {
    runnable,
    running: () => processes.size,
    addressOf({ metadata: { name } }) {
      const running = [...processes.values()].find(({ workspace }) => workspace === name);
      return `127.0.0.1:${running?.port ?? 0}`;
    },
  };
}
