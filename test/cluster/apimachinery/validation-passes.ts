/** Number of times that the server validates the metadata of a kind. */

import type { ResourceInfo } from './resource-info.ts';

/** Validation of a kind's metadata. */
export interface ValidationPasses {
  /** Number of times that an update validates labels, annotations and owners; finalizers two times fewer. */
  readonly times: number;
  /** Number of times in a write to `/status`. */
  readonly inStatus: number;
  /** True when finalizers may be names without a domain. */
  readonly bareFinalizers: boolean;
}

/** Kinds that are not validated four times, or three times in a write to `/status`. */
const others: Readonly<Record<string, Partial<ValidationPasses>>> = {
  '/services': { times: 3 },
  '/podtemplates': { times: 3 },
  '/resourcequotas': { times: 3 },
  '/limitranges': { times: 3 },
  '/events': { times: 2 },
  '/persistentvolumeclaims': { times: 5 },
  'events.k8s.io/events': { times: 3 },
  'apps/deployments': { times: 3 },
  'apps/replicasets': { times: 3 },
  'apps/statefulsets': { times: 3 },
  'apps/daemonsets': { times: 3 },
  'batch/cronjobs': { times: 3, inStatus: 2 },
  'policy/poddisruptionbudgets': { times: 2, inStatus: 2 },
  'rbac.authorization.k8s.io/roles': { times: 5 },
  'rbac.authorization.k8s.io/clusterroles': { times: 5 },
  'rbac.authorization.k8s.io/rolebindings': { times: 5 },
  'rbac.authorization.k8s.io/clusterrolebindings': { times: 5 },
  'scheduling.k8s.io/priorityclasses': { times: 3 },
  'storage.k8s.io/csidrivers': { times: 3 },
  'storage.k8s.io/volumeattributesclasses': { times: 5 },
  'admissionregistration.k8s.io/validatingwebhookconfigurations': { times: 3, bareFinalizers: true },
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': { times: 3, bareFinalizers: true },
  'admissionregistration.k8s.io/validatingadmissionpolicies': { times: 3, bareFinalizers: true },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': { times: 3, bareFinalizers: true },
  'apiextensions.k8s.io/customresourcedefinitions': { bareFinalizers: true },
  'coordination.k8s.io/leases': { times: 3, bareFinalizers: true },
  'node.k8s.io/runtimeclasses': { bareFinalizers: true },
  'discovery.k8s.io/endpointslices': { times: 3 },
  'autoscaling/horizontalpodautoscalers': { times: 3 },
  'certificates.k8s.io/certificatesigningrequests': { inStatus: 4 },
};

const usual: ValidationPasses = { times: 4, inStatus: 3, bareFinalizers: false };
const custom: ValidationPasses = { times: 3, inStatus: 3, bareFinalizers: true };

/** Returns the metadata checks of a kind; the server reports each error as often as it validates. */
export const validationPassesOf = (info: Pick<ResourceInfo, 'group' | 'plural' | 'custom'>): ValidationPasses =>
  info.custom === undefined ? { ...usual, ...others[`${info.group}/${info.plural}`] } : custom;
