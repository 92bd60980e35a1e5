/** Runs workload stories on the in-memory cluster and on a real control plane. */

import { setTimeout as sleep } from 'node:timers/promises';
import { createCluster } from '../../../cluster/index.ts';
import { type Api, createApi } from '../../real/api.ts';
import type { Pod } from '../../real/kubelet.ts';
import { startRealServer } from '../../real/server.ts';
import { until } from '../../real/until.ts';
import { addressIn } from '../servers.ts';

/** Parsed JSON object. */
export type Json = { readonly [name: string]: unknown };

/** Phase that a pod reaches once it is bound: running and ready or not, succeeded, or failed. */
export type Fate = 'ready' | 'running' | 'succeeded' | 'failed';

/** Server with the workload controllers, and test code instead of a scheduler and a kubelet. */
export interface Workshop {
  readonly name: 'in-memory' | 'kube-apiserver';
  readonly api: Api;
  /** Decides the fate of pods from now on; the first to answer wins. @default ready */
  fate: (pod: Json) => Fate;
  close(): Promise<void>;
}

const phases: Readonly<Record<Fate, string>> = {
  ready: 'Running',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

function statusOf({ spec }: Pod, fate: Fate, index: number): object {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const ready = fate === 'ready';
  const ended = { exitCode: fate === 'failed' ? 1 : 0, startedAt: now, finishedAt: now };
  const state = fate === 'succeeded' || fate === 'failed' ? { terminated: ended } : { running: { startedAt: now } };
  const podIP = `10.9.0.${index}`;
  return {
    phase: phases[fate],
    startTime: now,
    hostIP: '10.8.0.1',
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: ['Ready', 'ContainersReady'].map((type) => ({
      type,
      status: ready ? 'True' : 'False',
      lastTransitionTime: now,
    })),
    containerStatuses: spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: '',
      ready,
      started: ready,
      restartCount: 0,
      state,
    })),
  };
}

/** Binds, moves and removes pods until stopped. */
function startHands(api: Api, fateOf: (pod: Json) => Fate): () => Promise<void> {
  let stopped = false;
  let count = 0;
  const move = async (pod: Pod): Promise<void> => {
    const { namespace, name, deletionTimestamp } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    if (deletionTimestamp !== undefined) {
      await api.ask({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 } });
    } else if (!pod.spec.nodeName) {
      const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'node-1' } };
      await api.ask({ method: 'POST', path: `${path}/binding`, body });
    } else if ((pod.status?.phase ?? 'Pending') === 'Pending') {
      count += 1;
      const status = statusOf(pod, fateOf(pod as unknown as Json), count);
      await api.ask({ method: 'PATCH', path: `${path}/status`, body: { status } });
    }
  };
  const run = async (): Promise<void> => {
    while (!stopped) {
      const { items } = (await api.ask({ path: '/api/v1/pods' })).body as { items: readonly Pod[] };
      for (const pod of items) await move(pod);
      await sleep(50);
    }
  };
  const running = run();
  return () => {
    stopped = true;
    return running;
  };
}

async function workshopAt(name: Workshop['name'], api: Api, close: () => Promise<void>): Promise<Workshop> {
  const path = '/api/v1/nodes';
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' };
  await api.ask({ method: 'POST', path, body: { metadata: { name: 'node-1' }, status: { conditions: [ready] } } });
  await api.ask({ method: 'PATCH', path: `${path}/node-1`, body: { spec: { taints: null } } });
  const workshop: Workshop = {
    name,
    api,
    fate: () => 'ready',
    async close() {
      await stop();
      api.close();
      await close();
    },
  };
  const stop = startHands(api, (pod) => workshop.fate(pod));
  return workshop;
}

const hands = {
  nodeLifecycle: 'off',
  scheduler: 'off',
  kubelet: 'off',
  loadBalancer: 'off',
  volumeBinding: 'off',
} as const;

async function startInMemory(): Promise<Workshop> {
  const cluster = await createCluster({ rbac: true, controllers: { others: 'auto', ...hands } });
  const { kubeconfigYaml } = await cluster.listen();
  return workshopAt('in-memory', createApi(addressIn(kubeconfigYaml())), () => cluster.close());
}

async function startReal(): Promise<Workshop> {
  const server = await startRealServer({ controllers: 'all' });
  return workshopAt('kube-apiserver', createApi(server), () => server.close());
}

/** Starts the in-memory cluster and the real one, the latter with kube-controller-manager's own controllers. */
export const startWorkshops = (): Promise<readonly Workshop[]> => Promise.all([startInMemory(), startReal()]);

const looked = [
  '/apis/apps/v1/namespaces/NS/deployments',
  '/apis/apps/v1/namespaces/NS/replicasets',
  '/apis/apps/v1/namespaces/NS/statefulsets',
  '/apis/apps/v1/namespaces/NS/daemonsets',
  '/apis/apps/v1/namespaces/NS/controllerrevisions',
  '/apis/batch/v1/namespaces/NS/jobs',
  '/api/v1/namespaces/NS/pods',
  '/api/v1/namespaces/NS/endpoints',
  '/apis/discovery.k8s.io/v1/namespaces/NS/endpointslices',
  '/api/v1/namespaces/NS/persistentvolumeclaims',
  '/apis/policy/v1/namespaces/NS/poddisruptionbudgets',
];

/** Waits until a namespace is unchanged for a while and `isDone` holds, and returns all of its objects by plural. */
export async function settled(
  { api }: Workshop,
  namespace: string,
  isDone: (all: Readonly<Record<string, readonly Json[]>>) => boolean,
): Promise<Readonly<Record<string, readonly Json[]>>> {
  let last = '';
  let since = 0;
  const look = async () => {
    const lists = await Promise.all(
      looked.map(async (path) => {
        const { body } = await api.ask({ path: path.replace('NS', namespace) });
        return [path.split('/').at(-1)!, (body as { items: readonly Json[] }).items] as const;
      }),
    );
    const text = JSON.stringify(lists);
    if (text !== last) {
      last = text;
      since = performance.now();
    }
    const all = Object.fromEntries(lists);
    return performance.now() - since > 700 && isDone(all) ? all : undefined;
  };
  return until(look, { deadline: 30_000, message: () => `${namespace} does not settle: ${last.slice(0, 4000)}` });
}

const paths: Readonly<Record<string, string>> = {
  deployments: '/apis/apps/v1',
  statefulsets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
  jobs: '/apis/batch/v1',
  services: '/api/v1',
  poddisruptionbudgets: '/apis/policy/v1',
};

/** Creates an object. Rejects with the server's answer when it refuses. */
export const make = async (
  { api }: Workshop,
  namespace: string,
  [plural, name, spec]: readonly [string, string, object],
) => {
  const path = `${paths[plural]}/namespaces/${namespace}/${plural}`;
  const { status, body } = await api.ask({ method: 'POST', path, body: { metadata: { name }, spec } });
  if (status !== 201) throw new Error(JSON.stringify(body));
};
/** Changes an object's spec by a merge patch. Rejects with the server's answer when it refuses. */
export const change = async (
  { api }: Workshop,
  namespace: string,
  [plural, name, spec]: readonly [string, string, object],
) => {
  const path = `${paths[plural]}/namespaces/${namespace}/${plural}/${name}`;
  const { status, body } = await api.ask({ method: 'PATCH', path, body: { spec } });
  if (status !== 200) throw new Error(JSON.stringify(body));
};
