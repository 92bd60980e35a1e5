import type { ResourceInfo } from '../kinds/resource-info.ts';

/** How the server looks at the metadata of a kind. */
export interface MetadataChecks {
  /** How often labels, annotations and owners are looked at in an update; finalizers twice less. */
  readonly times: number;
  /** The same in a write to `/status`. */
  readonly inStatus: number;
  /** Whether finalizers may be names without a domain. */
  readonly bareFinalizers: boolean;
}

/** Kinds that are looked at otherwise than four times, and three times in their status. */
const others: Readonly<Record<string, Partial<MetadataChecks>>> = {
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

const usual: MetadataChecks = { times: 4, inStatus: 3, bareFinalizers: false };
const custom: MetadataChecks = { times: 3, inStatus: 3, bareFinalizers: true };

/** How often the server looks at the metadata of a kind, which is how often it tells each fault. */
export const metadataChecksOf = (info: Pick<ResourceInfo, 'group' | 'plural' | 'custom'>): MetadataChecks =>
  info.custom === undefined ? { ...usual, ...others[`${info.group}/${info.plural}`] } : custom;
