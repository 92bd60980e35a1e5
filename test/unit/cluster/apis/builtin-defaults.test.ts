import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { applyBuiltinDefaults } from '../../../cluster/apis/builtin-defaults.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import { decodeAs } from '../../../cluster/resources/decode.ts';

const types = builtinTypes();
const complete = (type: string, body: Fields): Fields =>
  applyBuiltinDefaults(types, type, decodeAs(types, type, { metadata: { name: 'x', uid: 'u' }, ...body }).object);

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const container = {
  name: 'c',
  image: 'i',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'Always',
};
const podSpec = {
  containers: [container],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const filledTemplate = { metadata: { labels: { a: 'b' } }, spec: podSpec };
const selector = { matchLabels: { a: 'b' } };

const cases: readonly (readonly [type: string, body: Fields, expected: Fields])[] = [
  [
    'apps.Deployment',
    { spec: { selector, template } },
    {
      spec: {
        replicas: 1,
        selector,
        template: filledTemplate,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {},
    },
  ],
  [
    'apps.Deployment',
    { spec: { selector, template, strategy: { type: 'Recreate' } } },
    { spec: { strategy: { type: 'Recreate' } } },
  ],
  [
    'apps.StatefulSet',
    { spec: { selector, template, serviceName: 's' } },
    {
      spec: {
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      },
      status: { replicas: 0, availableReplicas: 0 },
    },
  ],
  [
    'apps.DaemonSet',
    { spec: { selector, template } },
    { metadata: { annotations: { 'deprecated.daemonset.template.generation': '1' } } },
  ],
  [
    'core.Pod',
    template,
    {
      spec: {
        ...podSpec,
        priority: 0,
        enableServiceLinks: true,
        preemptionPolicy: 'PreemptLowerPriority',
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
          { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        ],
      },
      status: { qosClass: 'BestEffort' },
    },
  ],
  [
    'core.Pod',
    { spec: { containers: [{ name: 'c', image: 'i:1', resources: { limits: { cpu: '1', memory: '1Gi' } } }] } },
    {
      spec: { containers: [{ imagePullPolicy: 'IfNotPresent', resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
      status: { qosClass: 'Guaranteed' },
    },
  ],
  [
    'core.Service',
    { spec: { ports: [{ port: 80 }] } },
    {
      spec: {
        ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'core.Service',
    { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } },
    { spec: { externalTrafficPolicy: 'Cluster', allocateLoadBalancerNodePorts: true } },
  ],
  ['core.Secret', { stringData: { a: 'b' } }, { type: 'Opaque', data: { a: 'Yg==' } }],
  [
    'batch.Job',
    { spec: { template: { spec: { containers: [], restartPolicy: 'Never' } } } },
    {
      spec: {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        manualSelector: false,
        podReplacementPolicy: 'TerminatingOrFailed',
      },
    },
  ],
  [
    'rbac.RoleBinding',
    { roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'User', name: 'u' }] },
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io' }, subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }] },
  ],
  [
    'networking.NetworkPolicy',
    { spec: { podSelector: {}, egress: [{}] } },
    { spec: { policyTypes: ['Ingress', 'Egress'] } },
  ],
];

for (const [index, [type, body, expected]] of cases.entries()) {
  test(`${type} gets the defaults of the server, once (case ${index + 1})`, (t) => {
    const filled = complete(type, body);
    t.like(filled, expected);
    t.deepEqual(applyBuiltinDefaults(types, type, filled), filled);
  });
}

test('defaults leave what they are given as it is', (t) => {
  const body = Object.freeze(decodeAs(types, 'apps.Deployment', { spec: { selector, template } }).object);
  const before = JSON.stringify(body);
  applyBuiltinDefaults(types, 'apps.Deployment', body);
  t.is(JSON.stringify(body), before);
});
