/** Node lifecycle controller, with the status that a kubelet reports. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import type { ApiObject } from '../../apimachinery/object.ts';
import { type Decision, type Reconciler, rest, type View } from '../engine/reconciler.ts';
import { statusWrites } from '../engine/status-write.ts';
import {
  defaultCapacity,
  hasRightTaints,
  healthyConditions,
  type Node,
  nodes,
  readinessOf,
  taintsOf,
} from './nodes.ts';

function heartbeatStatus(node: Node, now: number): Record<string, unknown> {
  const others = node.status?.conditions ?? [];
  const { capacity = defaultCapacity, allocatable = capacity } = (node.status ?? {}) as {
    capacity?: object;
    allocatable?: object;
  };
  const fresh = healthyConditions(timestampOf(now)).filter(({ type }) => !others.some((other) => other.type === type));
  return { ...node.status, capacity, allocatable, conditions: [...others, ...fresh] };
}

function decide(node: Node, { now }: View): Decision {
  if (readinessOf(node) === undefined) return { writes: statusWrites(node, heartbeatStatus(node, now)) };
  if (hasRightTaints(node)) return rest;
  const { taints: _taints, ...spec } = node.spec ?? {};
  const taints = taintsOf(node);
  const object: ApiObject = { ...node, spec: taints.length > 0 ? { ...spec, taints } : spec };
  return { writes: [{ do: 'update', object }] };
}

/** Marks nodes without a Ready condition as ready, and taints nodes by their conditions. */
export const nodeLifecycleReconciler: Reconciler = {
  collection: nodes,
  component: 'node-controller',
  decide: (object, view) => decide(object as Node, view),
};
