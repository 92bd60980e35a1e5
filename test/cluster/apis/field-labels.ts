import { batchFieldLabels } from './batch/batch-resources.ts';

const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const labels: Record<string, readonly string[]> = {
  '/pods': [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
    'spec.host',
  ],
  '/nodes': ['spec.unschedulable'],
  '/namespaces': ['status.phase'],
  '/secrets': ['type'],
  '/services': ['spec.clusterIP', 'spec.type'],
  '/replicationcontrollers': ['status.replicas'],
  '/events': [...involved.map((field) => `involvedObject.${field}`), 'reason', 'reportingComponent', 'source', 'type'],
  'events.k8s.io/events': [...involved.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type'],
  ...batchFieldLabels,
  'resource.k8s.io/resourceslices': ['spec.nodeName', 'spec.driver'],
  'certificates.k8s.io/certificatesigningrequests': ['spec.signerName'],
};

/** Returns the field labels that field selectors of a built-in resource support besides name and namespace; undefined without others. */
export const fieldLabelsOf = (group: string, plural: string): readonly string[] | undefined =>
  labels[`${group}/${plural}`];
