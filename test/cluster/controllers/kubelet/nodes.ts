import type { ApiObject, Fields } from '../../objects/object.ts';
import type { Change } from '../../store.ts';
import type { Condition } from '../pods/pod.ts';
import type { View } from '../reconciler.ts';

/** A taint of a node. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** A Node. */
export interface Node extends ApiObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly [field: string]: unknown;
  };
}

/** The collection of nodes. */
export const nodes = '/nodes';

const defaultHost = '10.0.0.1';

/** The address of a node; one of its own where the node has none. */
export function hostOf(nodeName: string | undefined, view: View): string {
  const node = view.get<Node>(nodes, nodeName ?? '');
  return node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? defaultHost;
}

const taintKey = (name: string): string => `node.kubernetes.io/${name}`;
const notReady = taintKey('not-ready');
const unreachable = taintKey('unreachable');
const cordoned = taintKey('unschedulable');

/** The taints of nodes that lack something, by the condition that says so. */
const pressures: Readonly<Record<string, string>> = {
  MemoryPressure: taintKey('memory-pressure'),
  DiskPressure: taintKey('disk-pressure'),
  PIDPressure: taintKey('pid-pressure'),
  NetworkUnavailable: taintKey('network-unavailable'),
};

const managedKeys: ReadonlySet<string> = new Set([notReady, unreachable, cordoned, ...Object.values(pressures)]);

/** The Ready condition of a node: True, False, Unknown; undefined while it has none. */
export const readinessOf = ({ status }: Node): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** The taints that a node should have by its conditions and as it is cordoned, besides its own. */
export function taintsOf(node: Node): readonly Taint[] {
  const own = (node.spec?.taints ?? []).filter(({ key }) => !managedKeys.has(key));
  const readiness = readinessOf(node);
  const pressed = (node.status?.conditions ?? [])
    .filter(({ type, status }) => status === 'True' && pressures[type] !== undefined)
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

/** Whether a node's taints say what its conditions say. */
export const isTaintedRight = (node: Node): boolean => names(node.spec?.taints ?? []) === names(taintsOf(node));

/** Whether a change is of a node that has not told how it is, or has not been tainted for it. */
export const isUnsettledNode = ({ collection, object, type }: Change): boolean =>
  collection === nodes && type !== 'DELETED' && (readinessOf(object) === undefined || !isTaintedRight(object));

/** The taints of a node that evict pods. */
export const noExecute = ({ spec }: Node): readonly Taint[] =>
  (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** Whether a change is of a node that may evict pods, or that has gone. */
export const throwsOut = ({ collection, object, type }: Change): boolean =>
  collection === nodes && (type === 'DELETED' || noExecute(object).length > 0);

/** Whether nobody knows how a node is: what is on it goes on as it was, and cannot be stopped. */
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

/** The conditions of a node that is well. */
export const healthyConditions = (now: string): readonly Condition[] =>
  health.map(([type, status, reason, message]) => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  }));

/** What a pretended node has room for: enough that nobody is turned away who does not ask for a limit. */
export const plenty: Fields = { cpu: '1k', memory: '4Ti', 'ephemeral-storage': '16Ti', pods: '10k' };

/** A node that is ready, with plenty of room. */
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
      capacity: plenty,
      allocatable: plenty,
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
