import { type Machinery, timestampOf } from '../machinery.ts';
import { deleteObject } from '../objects/delete.ts';
import { scopeOf } from '../objects/managing.ts';
import { type ApiObject, type Draft, draftOf, type Fields, isFields } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import type { Controller } from './loop.ts';

/** How the pretended kubelet behaves; all in ms by the cluster's clock, 0 is at once. */
export interface KubeletOptions {
  /** From creation until a pod is bound to a node. @default 0 */
  readonly pendingDelay?: number;
  /** From being bound until a pod runs and is ready. @default 0 */
  readonly readyDelay?: number;
  /** From deletion until a pod has stopped; never longer than its grace period. @default 0 */
  readonly stopDelay?: number;
  /** The node that pods are bound to. @default in-memory-node */
  readonly nodeName?: string;
}

const collection = '/pods';

interface Container {
  readonly name: string;
  readonly image?: string;
}

const specOf = (pod: ApiObject): Fields => (isFields(pod.spec) ? pod.spec : {});
const statusOf = (pod: ApiObject): Fields => (isFields(pod.status) ? pod.status : {});
const containersOf = (pod: ApiObject): readonly Container[] =>
  (specOf(pod).containers as Container[] | undefined) ?? [];

const condition = (type: string, now: string): Fields => ({
  type,
  status: 'True',
  lastProbeTime: null,
  lastTransitionTime: now,
});

/** Whether a pod is meant to end: made by a Job. */
const isTask = ({ metadata }: ApiObject): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller) ?? false;

function containerStatus({ name, image = '' }: Container, now: string, done: boolean): Fields {
  const state = done
    ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now } }
    : { running: { startedAt: now } };
  return {
    name,
    image,
    imageID: `in-memory://${image}`,
    containerID: `in-memory://${name}`,
    ready: !done,
    started: !done,
    restartCount: 0,
    state,
    lastState: {},
  };
}

function runningStatus(pod: ApiObject, now: string, podIP: string): Fields {
  const done = isTask(pod);
  const ready = done ? ['PodScheduled', 'Initialized'] : ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];
  return {
    ...statusOf(pod),
    phase: done ? 'Succeeded' : 'Running',
    conditions: ready.map((type) => condition(type, now)),
    hostIP: '10.0.0.1',
    hostIPs: [{ ip: '10.0.0.1' }],
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: now,
    containerStatuses: containersOf(pod).map((container) => containerStatus(container, now, done)),
  };
}

/** Binds pods, lets them run and be ready, and stops them: a scheduler and a kubelet without containers. */
export function kubeletController(machinery: Machinery, options: KubeletOptions): Controller {
  const { store, registry, clock } = machinery;
  const { pendingDelay = 0, readyDelay = 0, stopDelay = 0, nodeName = 'in-memory-node' } = options;
  const pods = registry.find('v1', 'pods')!;
  let addresses = 0;

  /** Acts on a pod after a while, if it is still the same pod. */
  const later = (
    delay: number,
    { metadata: { namespace, name, uid } }: ApiObject,
    act: (pod: ApiObject) => void,
  ): void => {
    const now = () => {
      const pod = store.get(collection, `${namespace}/${name}`);
      if (pod !== undefined && pod.metadata.uid === uid) act(pod);
    };
    if (delay <= 0) now();
    else clock.after(delay, now);
  };
  const write = (pod: ApiObject, subresource: 'status' | 'binding', change: (draft: Draft) => void): void => {
    const draft = draftOf(pod);
    change(draft);
    // A binding is written past all managers.
    const scope = { machinery, resource: pods, subresource };
    updateObject(subresource === 'binding' ? scope : scopeOf({ ...scope, manager: 'kubelet' }), pod, draft);
  };
  const bind = (pod: ApiObject): void => {
    if (specOf(pod).nodeName || pod.metadata.deletionTimestamp) return;
    const scheduled = condition('PodScheduled', timestampOf(clock.now()));
    write(pod, 'binding', (draft) => {
      draft.spec = { ...specOf(pod), nodeName };
      draft.status = { ...statusOf(pod), conditions: [scheduled] };
    });
  };
  const run = (pod: ApiObject): void => {
    if (statusOf(pod).phase !== 'Pending' || pod.metadata.deletionTimestamp) return;
    addresses += 1;
    const podIP = `10.244.${addresses >> 8}.${addresses & 255}`;
    write(pod, 'status', (draft) => {
      draft.status = runningStatus(pod, timestampOf(clock.now()), podIP);
    });
  };
  const stop = (pod: ApiObject): void => {
    deleteObject({ machinery, resource: pods }, pod, { gracePeriodSeconds: 0 });
  };

  return ({ collection: changed, type, object, previous }) => {
    if (changed !== collection || type === 'DELETED') return;
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
    if (deletionTimestamp !== undefined) {
      if (previous?.metadata.deletionTimestamp === undefined)
        later(Math.min(stopDelay, deletionGracePeriodSeconds * 1000), object, stop);
    } else if (!specOf(object).nodeName) {
      if (type === 'ADDED') later(pendingDelay, object, bind);
    } else if (type === 'ADDED' || !specOf(previous!).nodeName) later(readyDelay, object, run);
  };
}
