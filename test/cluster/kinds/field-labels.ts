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
  'batch/jobs': ['status.successful'],
  'resource.k8s.io/resourceslices': ['spec.nodeName', 'spec.driver'],
  'certificates.k8s.io/certificatesigningrequests': ['spec.signerName'],
};

/** The fields that a fieldSelector may use on a built-in resource besides name and namespace; undefined when there are no others. */
export const fieldLabelsOf = (group: string, plural: string): readonly string[] | undefined =>
  labels[`${group}/${plural}`];
