/** Names of the controllers, and the modes that options give them. */

import { suggestName } from '../../../../sdk/suggest.ts';
import type { ControllerMode } from './switchable-controller.ts';

/** Controllers with a mode, in the order in which they receive a change. */
export const controllerNames = [
  'namespace',
  'serviceAccount',
  'rootCa',
  'roleAggregation',
  'garbageCollector',
  'resourceQuota',
  'nodeLifecycle',
  'scheduler',
  'kubelet',
  'volumeProtection',
  'deployment',
  'replicaSet',
  'replicationController',
  'statefulSet',
  'daemonSet',
  'job',
  'ttlAfterFinished',
  'cronJob',
  'endpoints',
  'endpointSlice',
  'loadBalancer',
  'volumeBinding',
  'disruption',
  'policyTypes',
  'signingRequestApproval',
  'signing',
  'signingRequestCleaner',
] as const;

/** Name of a controller. */
export type ControllerName = (typeof controllerNames)[number];

/** Modes by name; `others` applies to controllers that are not named. */
export type ControllerModes = Readonly<Partial<Record<ControllerName | 'others', ControllerMode>>>;

/** Mode of each controller. */
export type Modes = Readonly<Record<ControllerName, ControllerMode>>;

/** Options that decide modes. */
export interface ModeOptions {
  readonly controllers?: 'all' | ControllerModes | undefined;
  readonly rbac?: boolean | undefined;
  readonly kubelet?: unknown;
  readonly garbageCollector?: boolean | undefined;
  readonly namespaceController?: unknown;
}

const nodes: readonly ControllerName[] = ['nodeLifecycle', 'scheduler', 'kubelet', 'volumeProtection'];
const namespaces: readonly ControllerName[] = ['namespace', 'serviceAccount', 'rootCa'];
const always: readonly ControllerName[] = [
  ...namespaces,
  'roleAggregation',
  'garbageCollector',
  'resourceQuota',
  'policyTypes',
  'signingRequestApproval',
  'signing',
  'signingRequestCleaner',
  ...nodes,
];

/** Throws a TypeError for an unknown controller or mode. */
export function checkModes(controllers: 'all' | ControllerModes): void {
  if (controllers === 'all') return;
  if (typeof controllers !== 'object' || controllers === null) {
    throw new TypeError(`controllers must be "all" or say "auto", "step" or "off" by name, not ${String(controllers)}`);
  }
  for (const [name, mode] of Object.entries(controllers)) {
    checkName(name, ['others', ...controllerNames]);
    checkMode(`controllers.${name}`, mode);
  }
}

/** Throws a TypeError for an unknown mode; `what` names the option. */
export function checkMode(what: string, mode: string): asserts mode is ControllerMode {
  if (!['auto', 'step', 'off'].includes(mode))
    throw new TypeError(`${what} is "${mode}"; it must be auto, step or off`);
}

/** Throws a TypeError for an unknown controller. */
export function checkName(name: string, known: readonly string[] = controllerNames): asserts name is ControllerName {
  if (known.includes(name)) return;
  const meant = suggestName(name, known);
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new TypeError(`there is no controller "${name}"; there are ${known.join(', ')}${advice}`);
}

/** Builds a record with one value per controller. */
export const perController = <V>(of: (name: ControllerName) => V): Readonly<Record<ControllerName, V>> =>
  Object.fromEntries(controllerNames.map((name) => [name, of(name)])) as Record<ControllerName, V>;

/** Returns the initial modes. Without `controllers`, those that every cluster needs run, and pods run; workloads are off. */
export function modesOf(options: ModeOptions): Modes {
  const { controllers = {}, kubelet, garbageCollector, namespaceController, rbac = false } = options;
  checkModes(controllers);
  const given: ControllerModes = controllers === 'all' ? { others: 'auto' } : controllers;
  const isSwitchedOff = (name: ControllerName): boolean =>
    (kubelet === false && nodes.includes(name)) ||
    (garbageCollector === false && name === 'garbageCollector') ||
    (namespaceController === false && namespaces.includes(name)) ||
    (!rbac && name === 'roleAggregation');
  return perController((name) => {
    if (given[name] !== undefined) return given[name];
    if (isSwitchedOff(name)) return 'off';
    return given.others ?? (always.includes(name) ? 'auto' : 'off');
  });
}
