/** Imitates kubelets for a real control plane. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';

/** Delays of the kubelet. */
export interface KubeletOptions {
  /** Milliseconds from observing a pod to reporting that it runs and is ready. @default 0 */
  readonly readyDelay?: number;
}

/** Fields of a pod that a kubelet reads. */
export interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
  readonly status?: { readonly phase?: string };
}

const watchPath = '/api/v1/pods?watch=true&allowWatchBookmarks=true';
const pause = 200;

/**
 * Does for all pods of a real control plane what its missing kubelets would: they run and are ready, and are removed once deleted.
 * The API server itself removes a pod without a node, that is an unscheduled one, at once.
 * Lost watches are opened again until `stop`; pods that the API server refuses to change (deleted meanwhile) are left alone.
 */
export function startKubelet(api: Api, { readyDelay = 0 }: KubeletOptions = {}): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;

  const move = async (pod: Pod): Promise<void> => {
    const { namespace, name, deletionTimestamp } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    if (deletionTimestamp !== undefined) {
      await api.ask({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 }, signal });
    } else if ((pod.status?.phase ?? 'Pending') === 'Pending') {
      await sleep(readyDelay, undefined, { signal });
      await api.ask({ method: 'PATCH', path: `${path}/status`, body: { status: runningStatus(pod) }, signal });
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        for await (const { type, object } of api.watch(watchPath, signal)) {
          if (type === 'ADDED' || type === 'MODIFIED') void move(object as unknown as Pod).catch(() => {});
        }
      } catch {
        await sleep(pause, undefined, { signal }).catch(() => {});
      }
    }
  };

  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/** Status of a pod with all containers running. */
function runningStatus(pod: Pod): object {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  return {
    phase: 'Running',
    startTime: now,
    hostIP: '127.0.0.1',
    podIP: '127.0.0.1',
    podIPs: [{ ip: '127.0.0.1' }],
    conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime: now })),
    containerStatuses: pod.spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: image,
      containerID: `fake://${pod.metadata.namespace}/${pod.metadata.name}/${name}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    })),
  };
}
