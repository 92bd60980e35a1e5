/** Nodes: types, taints by condition, and the emulated ones. */

import { type ApiObject, type Fields, ownMember } from '../../apimachinery/object.ts';
import type { Change } from '../../storage/store.ts';
import type { View } from '../engine/reconciler.ts';
import type { Condition } from '../pods/pod.ts';

/** Taint of a node. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** Node object. */
export interface Node extends ApiObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly [field: string]: unknown;
  };
}

/** Collection of nodes. */
export const nodes = '/nodes';

const defaultHost = '10.0.0.1';

/** Returns the InternalIP of a node, or a default. */
export function hostOf(nodeName: string | undefined, view: View): string {
  const node = view.get<Node>(nodes, nodeName ?? '');
  return node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? defaultHost;
}

const taintKey = (name: string): string => `node.kubernetes.io/${name}`;
const notReady = taintKey('not-ready');
const unreachable = taintKey('unreachable');
const cordoned = taintKey('unschedulable');

/** Taints of nodes by the condition that causes them. */
const pressures: Readonly<Record<string, string>> = {
  MemoryPressure: taintKey('memory-pressure'),
  DiskPressure: taintKey('disk-pressure'),
  PIDPressure: taintKey('pid-pressure'),
  NetworkUnavailable: taintKey('network-unavailable'),
};

const managedKeys: ReadonlySet<string> = new Set([notReady, unreachable, cordoned, ...Object.values(pressures)]);

/** Returns the status of a node's Ready condition: True, False or Unknown; undefined without one. */
export const readinessOf = ({ status }: Node): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Returns the taints that a node should have: its own, and those for its conditions and for being cordoned. */
export function taintsOf(node: Node): readonly Taint[] {
  const own = (node.spec?.taints ?? []).filter(({ key }) => !managedKeys.has(key));
  const readiness = readinessOf(node);
  const pressed = (node.status?.conditions ?? [])
    .filter(({ type, status }) => status === 'True' && ownMember(pressures, type) !== undefined)
    .map(({ type }) => ({ key: pressures[type]!, effect: 'NoSchedule' }));
  const cordon = node.spec?.unschedulable ? [{ key: cordoned, effect: 'NoSchedule' }] : [];
  if (readiness === 'True') return [...own, ...pressed, ...cordon];
  const key = readiness === 'Unknown' ? unreachable : notReady;
  return [...own, { key, effect: 'NoSchedule' }, { key, effect: 'NoExecute' }, ...pressed, ...cordon];
}

const names = (taints: readonly Taint[]): string =>
  taints
    .map(({ key, effect }) => `${key}:${effect}`)
    .sort()
    .join();

/** Reports whether a node's taints match its conditions. */
export const hasRightTaints = (node: Node): boolean => names(node.spec?.taints ?? []) === names(taintsOf(node));

/** Reports whether a change is of a node without a Ready condition, or with taints that do not match its conditions. */
export const isUnsettledNode = ({ collection, object, type }: Change): boolean =>
  collection === nodes && type !== 'DELETED' && (readinessOf(object) === undefined || !hasRightTaints(object));

/** Returns the NoExecute taints of a node. */
export const noExecute = ({ spec }: Node): readonly Taint[] =>
  (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** Reports whether a change is of a node with NoExecute taints, or a deletion of a node. */
export const evictsPods = ({ collection, object, type }: Change): boolean =>
  collection === nodes && (type === 'DELETED' || noExecute(object).length > 0);

/** Reports whether a node's readiness is Unknown: its pods keep their status and cannot be stopped. */
export const isLost = (nodeName: string | undefined, view: View): boolean => {
  const node = view.get<Node>(nodes, nodeName ?? '');
  return node !== undefined && readinessOf(node) === 'Unknown';
};

const health: readonly (readonly [type: string, status: string, reason: string, message: string])[] = [
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/** Returns the conditions of a healthy node. */
export const healthyConditions = (now: string): readonly Condition[] =>
  health.map(([type, status, reason, message]) => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  }));

/** Capacity of an emulated node, enough for any usual request. */
export const defaultCapacity: Fields = { cpu: '1k', memory: '4Ti', 'ephemeral-storage': '16Ti', pods: '10k' };

/** Returns a ready Node with {@link defaultCapacity} of capacity. */
export function nodeNamed(name: string, index: number, { version, now }: { version: string; now: string }): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
      },
    },
    spec: { podCIDR: `10.244.${index}.0/24`, podCIDRs: [`10.244.${index}.0/24`] },
    status: {
      addresses: [
        { type: 'InternalIP', address: `10.0.0.${index + 1}` },
        { type: 'Hostname', address: name },
      ],
      capacity: defaultCapacity,
      allocatable: defaultCapacity,
      conditions: healthyConditions(now),
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: '',
        kernelVersion: '6.0.0',
        osImage: 'in memory',
        containerRuntimeVersion: 'in-memory://1.0.0',
        kubeletVersion: version,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  };
}
