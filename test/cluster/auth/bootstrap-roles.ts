import type { PolicyRule } from '../machinery.ts';
import type { Draft, Fields } from '../objects/object.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const roleGroup = 'rbac.authorization.k8s.io';
const read = 'get list watch';
const write = 'create delete deletecollection patch update';

/** A rule for resources of one group (`core` is the one without a name), written as words. */
const rule = (group: string, resources: string, verbs: string): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: [group === 'core' ? '' : group],
  resources: resources.split(' '),
});

const paths = (urls: string): PolicyRule => ({ verbs: ['get'], nonResourceURLs: urls.split(' ') });

const workloads =
  'daemonsets deployments deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale';
const pods = 'pods pods/attach pods/exec pods/portforward pods/proxy';
const plain =
  'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale serviceaccounts services';

const viewRules: readonly PolicyRule[] = [
  rule('core', `${plain} endpoints persistentvolumeclaims/status pods services/status`, read),
  rule(
    'core',
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
    read,
  ),
  rule('core', 'namespaces', read),
  rule('discovery.k8s.io', 'endpointslices', read),
  rule(
    'apps',
    `controllerrevisions ${workloads} daemonsets/status deployments/status replicasets/status statefulsets/status`,
    read,
  ),
  rule('autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status', read),
  rule('batch', 'cronjobs cronjobs/status jobs jobs/status', read),
  rule('policy', 'poddisruptionbudgets poddisruptionbudgets/status', read),
  rule('networking.k8s.io', 'ingresses ingresses/status networkpolicies', read),
];

const editRules: readonly PolicyRule[] = [
  rule('core', `${pods.replace('pods ', '')} secrets services/proxy`, read),
  rule('core', 'serviceaccounts', 'impersonate'),
  rule('core', pods, write),
  rule('core', 'pods/eviction', 'create'),
  rule('core', `${plain} events secrets services/proxy`, write),
  rule('core', 'serviceaccounts/token', 'create'),
  rule('apps', `${workloads} deployments/rollback`, write),
  rule('autoscaling', 'horizontalpodautoscalers', write),
  rule('batch', 'cronjobs jobs', write),
  rule('policy', 'poddisruptionbudgets', write),
  rule('networking.k8s.io', 'ingresses networkpolicies', write),
  rule('coordination.k8s.io', 'leases', `${write} ${read}`),
];

const adminRules: readonly PolicyRule[] = [
  rule('authorization.k8s.io', 'localsubjectaccessreviews', 'create'),
  rule(roleGroup, 'rolebindings roles', `${write} ${read}`),
];

const rules: Readonly<Record<string, readonly PolicyRule[]>> = {
  'cluster-admin': [rule('*', '*', '*'), { verbs: ['*'], nonResourceURLs: ['*'] }],
  'system:discovery': [
    paths('/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'),
  ],
  'system:public-info-viewer': [paths('/healthz /livez /readyz /version /version/')],
  'system:basic-user': [
    rule('authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews', 'create'),
    rule('authentication.k8s.io', 'selfsubjectreviews', 'create'),
  ],
  'system:auth-delegator': [
    rule('authentication.k8s.io', 'tokenreviews', 'create'),
    rule('authorization.k8s.io', 'subjectaccessreviews', 'create'),
  ],
  'system:aggregate-to-admin': adminRules,
  'system:aggregate-to-edit': editRules,
  'system:aggregate-to-view': viewRules,
};

const aggregateTo = (role: string): string => `${roleGroup}/aggregate-to-${role}`;

/** Roles that are made of others, and of which others are made. */
const aggregates: Readonly<Record<string, string | undefined>> = { admin: undefined, edit: 'admin', view: 'edit' };

const groupsOf: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['system:masters'],
  'system:basic-user': ['system:authenticated'],
  'system:discovery': ['system:authenticated'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
};

const objectOf = (kind: string, name: string, labels: Fields): Draft => ({
  apiVersion,
  kind,
  metadata: {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels } as Record<string, string>,
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  },
});

/** The ClusterRoles that a server with RBAC has from the start and that users rely on. */
export const bootstrapRoles = (): Draft[] => [
  ...Object.entries(rules).map(([name, list]) => {
    const [, target] = /^system:aggregate-to-(.+)$/.exec(name) ?? [];
    return {
      ...objectOf('ClusterRole', name, target === undefined ? {} : { [aggregateTo(target)]: 'true' }),
      rules: list,
    };
  }),
  ...Object.entries(aggregates).map(([name, target]) => ({
    ...objectOf('ClusterRole', name, target === undefined ? {} : { [aggregateTo(target)]: 'true' }),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(name)]: 'true' } }] },
    rules: [],
  })),
];

/** The bindings of those roles. */
export const bootstrapBindings = (): Draft[] =>
  Object.entries(groupsOf).map(([name, groups]) => ({
    ...objectOf('ClusterRoleBinding', name, {}),
    roleRef: { apiGroup: roleGroup, kind: 'ClusterRole', name },
    subjects: groups.map((group) => ({ apiGroup: roleGroup, kind: 'Group', name: group })),
  }));
