import { type Scenario, type Step, withChanges } from '../scenario.ts';

type Changes = Readonly<Record<string, unknown>>;

const container = { name: 'main', image: 'example.test/main' };
const labels = { app: 'it' };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [container] } };
const task = { spec: { restartPolicy: 'Never', containers: [container] } };

interface Base {
  readonly path: string;
  readonly body: object;
}

const base = (apiVersion: string, kind: string, spec: object): Base => ({
  path: `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/namespaces/{ns}/${kind.toLowerCase()}s`,
  body: { apiVersion, kind, metadata: { name: 'x' }, spec },
});

const bases = {
  Job: base('batch/v1', 'Job', { template: task }),
  'indexed Job': base('batch/v1', 'Job', {
    completionMode: 'Indexed',
    completions: 5,
    parallelism: 5,
    backoffLimitPerIndex: 1,
    template: task,
  }),
  'suspended Job': base('batch/v1', 'Job', { suspend: true, template: task }),
  'Job with policies': base('batch/v1', 'Job', {
    completionMode: 'Indexed',
    completions: 5,
    parallelism: 5,
    backoffLimitPerIndex: 1,
    podFailurePolicy: {
      rules: [
        { action: 'FailIndex', onExitCodes: { operator: 'In', values: [1, 2] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
      ],
    },
    successPolicy: { rules: [{ succeededIndexes: '0-2,4', succeededCount: 2 }] },
    template: task,
  }),
  CronJob: base('batch/v1', 'CronJob', { schedule: '* * * * *', jobTemplate: { spec: { template: task } } }),
  Deployment: base('apps/v1', 'Deployment', { selector, template }),
  ReplicaSet: base('apps/v1', 'ReplicaSet', { selector, template }),
  StatefulSet: base('apps/v1', 'StatefulSet', { serviceName: 'x', selector, template }),
  DaemonSet: base('apps/v1', 'DaemonSet', { selector, template }),
  ReplicationController: base('v1', 'ReplicationController', { selector: labels, template }),
  PodDisruptionBudget: base('policy/v1', 'PodDisruptionBudget', { minAvailable: 1, selector }),
  HorizontalPodAutoscaler: base('autoscaling/v2', 'HorizontalPodAutoscaler', {
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
  }),
} as const;

type Name = keyof typeof bases;

const policy = 'spec.podFailurePolicy.rules';
const winning = 'spec.successPolicy.rules';
const many = (count: number, one: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => one(index));
const affinity = (values: readonly string[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values }] }],
    },
  },
});

const schedules = [
  'TZ=UTC * * * * *',
  'CRON_TZ=Europe/Berlin 0 0 * * *',
  'TZ=Nowhere/Land * * * * *',
  '@daily',
  '@every 5m',
  '@every 1h30m',
  '@every 5',
  '@every x',
  '@sometimes',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 7',
  '*/0 * * * *',
  '5-1 * * * *',
  '1-2-3 * * * *',
  '1/2/3 * * * *',
  '* * * jan-mar mon',
  '* * * jan-mars mon',
  '*/15,3 ? * * *',
  '1, * * * *',
  ', * * * *',
  '-1 * * * *',
  '1- * * * *',
  'x-y * * * *',
  '*/x * * * *',
  '*-5 * * * *',
  '99999999999999999999 * * * *',
  '* * * *',
  '* * * * * *',
  ' * * * * * ',
  ' ',
  '0 0 31 2 *',
  '@Daily',
  '@yearly ',
];

const zones = [
  'Europe/Berlin',
  'europe/berlin',
  'UTC',
  'Etc/UTC',
  'Local',
  'local',
  'Nowhere/Land',
  '',
  '/',
  '..',
  'Europe//Berlin',
  'Europe/Berlin/',
  '-Europe',
  'Etc/GMT+5',
  'EST5EDT',
  'America/Argentina/ComodRivadavia',
  'a b',
  'CET',
  'GMT+5',
  'US/Pacific',
  'America/Averylongname12',
];

/** What is wrong, or nearly so, on create; by the object and the changes to it. */
const creates: readonly (readonly [Name, string, Changes])[] = [
  ['Job', 'name that is no label', { 'metadata.name': 'a.b' }],
  ['Job', 'selector without manualSelector', { 'spec.selector': selector }],
  [
    'Job',
    'own selector',
    { 'spec.selector': selector, 'spec.manualSelector': true, 'spec.template.metadata': { labels } },
  ],
  ['Job', 'own selector that matches nothing', { 'spec.selector': selector, 'spec.manualSelector': true }],
  ['Job', 'manualSelector alone', { 'spec.manualSelector': true }],
  ['Job', 'bad own selector', { 'spec.manualSelector': true, 'spec.selector': { matchLabels: { 'a b': 'c' } } }],
  ['Job', 'generated label taken', { 'spec.template.metadata': { labels: { 'job-name': 'other' } } }],
  [
    'Job',
    'generated labels taken',
    { 'spec.template.metadata': { labels: { 'controller-uid': 'u', 'batch.kubernetes.io/controller-uid': 'v' } } },
  ],
  ['Job', 'other uid selected', { 'spec.selector': { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } } }],
  [
    'Job',
    'negative amounts',
    {
      'spec.parallelism': -1,
      'spec.completions': -1,
      'spec.backoffLimit': -1,
      'spec.activeDeadlineSeconds': -1,
      'spec.ttlSecondsAfterFinished': -1,
      'spec.backoffLimitPerIndex': -1,
      'spec.maxFailedIndexes': -1,
    },
  ],
  ['Job', 'per index without indexes', { 'spec.backoffLimitPerIndex': 1, 'spec.maxFailedIndexes': 2 }],
  [
    'Job',
    'maxFailedIndexes alone',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 5, 'spec.maxFailedIndexes': 2 },
  ],
  ['Job', 'other completionMode', { 'spec.completionMode': 'Other' }],
  ['Job', 'indexed without completions', { 'spec.completionMode': 'Indexed', 'spec.parallelism': 2 }],
  ['Job', 'indexed without anything', { 'spec.completionMode': 'Indexed' }],
  ['Job', 'successPolicy without indexes', { 'spec.successPolicy': { rules: [{ succeededCount: 1 }] } }],
  ['Job', 'managedBy of ours', { 'spec.managedBy': 'kubernetes.io/job-controller' }],
  ['Job', 'managedBy of others', { 'spec.managedBy': 'example.com/other' }],
  ['Job', 'managedBy without prefix', { 'spec.managedBy': 'other' }],
  ['Job', 'managedBy that is empty', { 'spec.managedBy': '' }],
  ['Job', 'managedBy that is odd', { 'spec.managedBy': 'Ex_ample.com/a b' }],
  ['Job', 'managedBy that is long', { 'spec.managedBy': `example.com/${'x'.repeat(60)}` }],
  ['Job', 'managedBy without a path', { 'spec.managedBy': 'example.com/' }],
  ['Job', 'replacement of terminating ones', { 'spec.podReplacementPolicy': 'TerminatingOrFailed' }],
  ['Job', 'replacement of failed ones', { 'spec.podReplacementPolicy': 'Failed' }],
  ['Job', 'other replacement', { 'spec.podReplacementPolicy': 'Other' }],
  ['Job', 'restartPolicy Always', { 'spec.template.spec.restartPolicy': 'Always' }],
  ['Job', 'restartPolicy other', { 'spec.template.spec.restartPolicy': 'Other' }],
  ['Job', 'restartPolicy OnFailure', { 'spec.template.spec.restartPolicy': 'OnFailure' }],
  ['Job', 'long name', { 'metadata.name': 'x'.repeat(64) }],
  ['Job', 'name of 63', { 'metadata.name': 'x'.repeat(63) }],
  ['indexed Job', 'long name', { 'metadata.name': 'x'.repeat(62) }],
  ['indexed Job', 'name that leaves room', { 'metadata.name': 'x'.repeat(61) }],
  ['indexed Job', 'dotted name', { 'metadata.name': 'a.b' }],
  ['indexed Job', 'more failures than completions', { 'spec.maxFailedIndexes': 6 }],
  ['indexed Job', 'too much parallelism', { 'spec.parallelism': 100_001 }],
  ['indexed Job', 'too many completions', { 'spec.completions': 100_001 }],
  [
    'indexed Job',
    'too many of everything',
    { 'spec.completions': 200_000, 'spec.parallelism': 20_000, 'spec.maxFailedIndexes': 150_000 },
  ],
  [
    'indexed Job',
    'many completions',
    { 'spec.completions': 200_000, 'spec.parallelism': 20_000, 'spec.backoffLimitPerIndex': undefined },
  ],
  ['Job with policies', 'no rules', { [policy]: [], [winning]: [] }],
  ['Job with policies', 'empty policies', { 'spec.podFailurePolicy': {}, 'spec.successPolicy': {} }],
  ['Job with policies', 'empty rules', { [policy]: [{}], [winning]: [{}] }],
  [
    'Job with policies',
    'too many rules',
    {
      [policy]: many(21, () => ({ action: 'Count', onExitCodes: { operator: 'In', values: [1] } })),
      [winning]: many(21, () => ({ succeededCount: 1 })),
    },
  ],
  ['Job with policies', 'other replacement', { 'spec.podReplacementPolicy': 'TerminatingOrFailed' }],
  ['Job with policies', 'restartPolicy OnFailure', { 'spec.template.spec.restartPolicy': 'OnFailure' }],
  ['Job with policies', 'without backoffLimitPerIndex', { 'spec.backoffLimitPerIndex': undefined }],
  ['Job with policies', 'both conditions', { [`${policy}[0].onPodConditions`]: [{ type: 'Ready' }] }],
  ['Job with policies', 'other action', { [`${policy}[0].action`]: 'Other' }],
  ['Job with policies', 'other operator', { [`${policy}[0].onExitCodes.operator`]: 'Other' }],
  ['Job with policies', 'no operator', { [`${policy}[0].onExitCodes.operator`]: undefined }],
  ['Job with policies', 'other container', { [`${policy}[0].onExitCodes.containerName`]: 'other' }],
  ['Job with policies', 'no values', { [`${policy}[0].onExitCodes.values`]: [] }],
  ['Job with policies', 'too many values', { [`${policy}[0].onExitCodes.values`]: many(256, (index) => index + 1) }],
  ['Job with policies', 'values out of order', { [`${policy}[0].onExitCodes.values`]: [3, 1, 3, 0] }],
  ['Job with policies', 'zero among others', { [`${policy}[0].onExitCodes`]: { operator: 'NotIn', values: [0] } }],
  ['Job with policies', 'other status', { [`${policy}[1].onPodConditions[0].status`]: 'Maybe' }],
  ['Job with policies', 'empty status', { [`${policy}[1].onPodConditions[0].status`]: '' }],
  ['Job with policies', 'odd type', { [`${policy}[1].onPodConditions[0].type`]: 'a b/c' }],
  [
    'Job with policies',
    'too many conditions',
    { [`${policy}[1].onPodConditions`]: many(21, (index) => ({ type: `T${index}` })) },
  ],
  ['Job with policies', 'count beyond completions', { [`${winning}[0]`]: { succeededCount: 6 } }],
  ['Job with policies', 'negative count', { [`${winning}[0]`]: { succeededCount: -1 } }],
  ['Job with policies', 'count beyond indexes', { [`${winning}[0]`]: { succeededCount: 3, succeededIndexes: '1,2' } }],
  ...['', '5', '0-5', '1-1', '3-1', '1-2-3', 'a', '1-b', '1,', '2,1', '0-2,2', '-1', '1 ', '1--2', '+1'].map(
    (text): readonly [Name, string, Changes] => [
      'Job with policies',
      `indexes "${text}"`,
      { [`${winning}[0]`]: { succeededIndexes: text } },
    ],
  ),
  ...schedules.map((text): readonly [Name, string, Changes] => [
    'CronJob',
    `schedule "${text}"`,
    { 'spec.schedule': text },
  ]),
  ...zones.map((text): readonly [Name, string, Changes] => ['CronJob', `zone "${text}"`, { 'spec.timeZone': text }]),
  ['CronJob', 'zone twice', { 'spec.timeZone': 'UTC', 'spec.schedule': 'TZ=UTC * * * * *' }],
  ['CronJob', 'long name', { 'metadata.name': 'x'.repeat(53) }],
  ['CronJob', 'name of 52', { 'metadata.name': 'x'.repeat(52) }],
  ['CronJob', 'dotted name', { 'metadata.name': 'a.b' }],
  [
    'CronJob',
    'negative amounts',
    { 'spec.startingDeadlineSeconds': -1, 'spec.successfulJobsHistoryLimit': -1, 'spec.failedJobsHistoryLimit': -1 },
  ],
  ['CronJob', 'selector', { 'spec.jobTemplate.spec.selector': selector }],
  ['CronJob', 'manualSelector', { 'spec.jobTemplate.spec.manualSelector': true }],
  ['CronJob', 'no policy', { 'spec.concurrencyPolicy': '' }],
  [
    'CronJob',
    'bad job',
    { 'spec.jobTemplate.spec.backoffLimit': -1, 'spec.jobTemplate.spec.template.spec.restartPolicy': 'Always' },
  ],
  [
    'CronJob',
    'many completions',
    {
      'spec.jobTemplate.spec.completionMode': 'Indexed',
      'spec.jobTemplate.spec.completions': 200_000,
      'spec.jobTemplate.spec.parallelism': 20_000,
    },
  ],
  ...(
    [
      'Deployment',
      'ReplicaSet',
      'StatefulSet',
      'DaemonSet',
      'ReplicationController',
      'PodDisruptionBudget',
      'HorizontalPodAutoscaler',
    ] as const
  ).flatMap((name): (readonly [Name, string, Changes])[] => [
    [name, 'dotted name', { 'metadata.name': 'a.b' }],
    [name, 'long name', { 'metadata.name': 'x'.repeat(64) }],
    [name, 'odd name', { 'metadata.name': 'A_b' }],
    [name, 'empty spec', { spec: {} }],
    [name, 'no spec', { spec: undefined }],
  ]),
  ...(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'] as const).flatMap(
    (name): (readonly [Name, string, Changes])[] => [
      [name, 'empty selector', { 'spec.selector': {} }],
      [name, 'selector of others', { 'spec.selector': { matchLabels: { app: 'other' } } }],
      [
        name,
        'selector by expressions',
        { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'In', values: ['it'] }] } },
      ],
      [name, 'bad selector', { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'Other' }] } }],
      [name, 'bad value selected', { 'spec.selector': { matchLabels: { app: 'a b' } } }],
      [name, 'template without labels', { 'spec.template.metadata': undefined }],
      [name, 'template with bad labels', { 'spec.template.metadata.labels': { app: 'it', 'a b': 'c d' } }],
      [name, 'template with bad annotations', { 'spec.template.metadata.annotations': { 'a b': 'c d' } }],
      [name, 'restartPolicy Never', { 'spec.template.spec.restartPolicy': 'Never' }],
      [name, 'activeDeadlineSeconds', { 'spec.template.spec.activeDeadlineSeconds': 5 }],
      [name, 'negative amounts', { 'spec.replicas': -1, 'spec.minReadySeconds': -1, 'spec.revisionHistoryLimit': -1 }],
      [name, 'ephemeral containers', { 'spec.template.spec.ephemeralContainers': [{ name: 'debug', image: 'x' }] }],
      [
        name,
        'disk for several',
        { 'spec.replicas': 2, 'spec.template.spec.volumes': [{ name: 'd', gcePersistentDisk: { pdName: 'd' } }] },
      ],
    ],
  ),
  [
    'ReplicationController',
    'disk for several',
    { 'spec.replicas': 2, 'spec.template.spec.volumes': [{ name: 'd', gcePersistentDisk: { pdName: 'd' } }] },
  ],
  [
    'ReplicationController',
    'disk for several to read',
    {
      'spec.replicas': 2,
      'spec.template.spec.volumes': [{ name: 'd', gcePersistentDisk: { pdName: 'd', readOnly: true } }],
    },
  ],
  ['ReplicationController', 'selector of others', { 'spec.selector': { app: 'other' } }],
  ['ReplicationController', 'empty selector', { 'spec.selector': {} }],
  ['ReplicationController', 'bad selector', { 'spec.selector': { 'a b': 'c d' } }],
  ['ReplicationController', 'no template', { 'spec.template': undefined }],
  ['ReplicationController', 'negative amounts', { 'spec.replicas': -1, 'spec.minReadySeconds': -1 }],
  ['ReplicationController', 'restartPolicy Never', { 'spec.template.spec.restartPolicy': 'Never' }],
  ['ReplicationController', 'activeDeadlineSeconds', { 'spec.template.spec.activeDeadlineSeconds': 5 }],
  ['Deployment', 'Recreate', { 'spec.strategy': { type: 'Recreate' } }],
  ['Deployment', 'Recreate by steps', { 'spec.strategy': { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }],
  ['Deployment', 'other strategy', { 'spec.strategy': { type: 'Other' } }],
  ['Deployment', 'no steps', { 'spec.strategy': { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }],
  [
    'Deployment',
    'no steps by percent',
    { 'spec.strategy': { rollingUpdate: { maxSurge: '0%', maxUnavailable: '0%' } } },
  ],
  [
    'Deployment',
    'too large steps',
    { 'spec.strategy': { rollingUpdate: { maxSurge: '500%', maxUnavailable: '101%' } } },
  ],
  ['Deployment', 'bad steps', { 'spec.strategy': { rollingUpdate: { maxSurge: 'x', maxUnavailable: -1 } } }],
  [
    'Deployment',
    'bad steps by percent',
    { 'spec.strategy': { rollingUpdate: { maxSurge: '-1%', maxUnavailable: '5' } } },
  ],
  ['Deployment', 'deadline below readiness', { 'spec.progressDeadlineSeconds': 5, 'spec.minReadySeconds': 5 }],
  ['Deployment', 'no deadline', { 'spec.progressDeadlineSeconds': 0 }],
  ['DaemonSet', 'surge', { 'spec.updateStrategy': { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }],
  [
    'DaemonSet',
    'surge and unavailable',
    { 'spec.updateStrategy': { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } },
  ],
  [
    'DaemonSet',
    'surge by percent',
    { 'spec.updateStrategy': { rollingUpdate: { maxSurge: '10%', maxUnavailable: '0%' } } },
  ],
  [
    'DaemonSet',
    'too large surge',
    { 'spec.updateStrategy': { rollingUpdate: { maxSurge: '110%', maxUnavailable: 0 } } },
  ],
  ['DaemonSet', 'no steps', { 'spec.updateStrategy': { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }],
  ['DaemonSet', 'other strategy', { 'spec.updateStrategy': { type: 'Other' } }],
  [
    'DaemonSet',
    'OnDelete with steps',
    { 'spec.updateStrategy': { type: 'OnDelete', rollingUpdate: { maxUnavailable: 1 } } },
  ],
  ['StatefulSet', 'other strategy', { 'spec.updateStrategy': { type: 'Other' } }],
  [
    'StatefulSet',
    'OnDelete with partition',
    { 'spec.updateStrategy': { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
  ],
  ['StatefulSet', 'negative partition', { 'spec.updateStrategy': { rollingUpdate: { partition: -1 } } }],
  ['StatefulSet', 'other management', { 'spec.podManagementPolicy': 'Other' }],
  [
    'StatefulSet',
    'other retention',
    { 'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Other', whenScaled: 'Delete' } },
  ],
  ['StatefulSet', 'negative start', { 'spec.ordinals': { start: -1 } }],
  ['StatefulSet', 'odd service', { 'spec.serviceName': 'A_b' }],
  ['StatefulSet', 'no service', { 'spec.serviceName': undefined }],
  [
    'StatefulSet',
    'bad claims',
    {
      'spec.volumeClaimTemplates': [
        { metadata: { name: 'd' }, spec: {} },
        { metadata: { name: 'E_' }, spec: { accessModes: ['Other'], resources: { requests: { storage: '-1' } } } },
      ],
    },
  ],
  [
    'StatefulSet',
    'claims with fractions',
    {
      'spec.volumeClaimTemplates': [
        {
          metadata: { name: 'd' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '500m' } } },
        },
      ],
    },
  ],
  ['PodDisruptionBudget', 'both', { 'spec.maxUnavailable': 1 }],
  ['PodDisruptionBudget', 'negative', { 'spec.minAvailable': -1 }],
  ['PodDisruptionBudget', 'by percent', { 'spec.minAvailable': '50%' }],
  ['PodDisruptionBudget', 'too much', { 'spec.minAvailable': '101%' }],
  ['PodDisruptionBudget', 'odd', { 'spec.minAvailable': 'x' }],
  ['PodDisruptionBudget', 'neither', { 'spec.minAvailable': undefined }],
  ['PodDisruptionBudget', 'odd maximum', { 'spec.minAvailable': undefined, 'spec.maxUnavailable': '200%' }],
  ['PodDisruptionBudget', 'other eviction', { 'spec.unhealthyPodEvictionPolicy': 'Other' }],
  ['PodDisruptionBudget', 'eviction', { 'spec.unhealthyPodEvictionPolicy': 'AlwaysAllow' }],
  ['PodDisruptionBudget', 'bad selector', { 'spec.selector': { matchExpressions: [{ key: 'a b', operator: 'In' }] } }],
  ['PodDisruptionBudget', 'everything', { 'spec.selector': {} }],
  ['PodDisruptionBudget', 'nothing', { 'spec.selector': undefined }],
  ['HorizontalPodAutoscaler', 'no metrics', { 'spec.metrics': [] }],
  ['HorizontalPodAutoscaler', 'zero', { 'spec.minReplicas': 0 }],
  ['HorizontalPodAutoscaler', 'less than least', { 'spec.minReplicas': 5 }],
  [
    'HorizontalPodAutoscaler',
    'odd target',
    { 'spec.scaleTargetRef': { apiVersion: 'a/b/c', kind: 'A/b', name: 'x/y' } },
  ],
  ['HorizontalPodAutoscaler', 'no group', { 'spec.scaleTargetRef': { apiVersion: 'v1', kind: 'Pod', name: 'x' } }],
  [
    'HorizontalPodAutoscaler',
    'all sources in one',
    {
      'spec.metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } },
          pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '1' } },
        },
      ],
    },
  ],
  [
    'HorizontalPodAutoscaler',
    'two values',
    {
      'spec.metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5, averageValue: '1' } },
        },
      ],
    },
  ],
  [
    'HorizontalPodAutoscaler',
    'value of a resource',
    { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Value', value: '1' } } }] },
  ],
  [
    'HorizontalPodAutoscaler',
    'two values of an object',
    {
      'spec.metrics': [
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'A', name: 'b' },
            metric: { name: 'x/y' },
            target: { type: 'Value', value: '1', averageValue: '2' },
          },
        },
      ],
    },
  ],
  [
    'HorizontalPodAutoscaler',
    'two external values',
    {
      'spec.metrics': [
        {
          type: 'External',
          external: {
            metric: { name: 'x', selector: { matchLabels: { 'a b': 'c' } } },
            target: { type: 'Value', value: '1', averageValue: '2' },
          },
        },
      ],
    },
  ],
  [
    'HorizontalPodAutoscaler',
    'odd container',
    {
      'spec.metrics': [
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container: '', target: { type: 'Utilization', averageUtilization: 0 } },
        },
      ],
    },
  ],
  [
    'HorizontalPodAutoscaler',
    'odd behaviour',
    {
      'spec.behavior': {
        scaleUp: { stabilizationWindowSeconds: 4000, selectPolicy: 'Other', policies: [] },
        scaleDown: { stabilizationWindowSeconds: -1, policies: [{ type: 'Other', value: 0, periodSeconds: 2000 }] },
      },
    },
  ],
  ['HorizontalPodAutoscaler', 'tolerance', { 'spec.behavior': { scaleUp: { tolerance: '0.1' } } }],
];

/** Changes of an object that is there. */
const updates: readonly (readonly [Name, string, Changes])[] = [
  ['Job', 'completions', { 'spec.completions': 3 }],
  ['Job', 'parallelism', { 'spec.parallelism': 3 }],
  [
    'Job',
    'backoffLimit and deadlines',
    { 'spec.backoffLimit': 3, 'spec.activeDeadlineSeconds': 5, 'spec.ttlSecondsAfterFinished': 7 },
  ],
  ['Job', 'suspend', { 'spec.suspend': true }],
  ['Job', 'completionMode', { 'spec.completionMode': 'Indexed' }],
  ['Job', 'backoffLimitPerIndex', { 'spec.backoffLimitPerIndex': 1 }],
  ['Job', 'managedBy', { 'spec.managedBy': 'example.com/other' }],
  ['Job', 'podReplacementPolicy', { 'spec.podReplacementPolicy': 'Failed' }],
  ['Job', 'manualSelector', { 'spec.manualSelector': true }],
  ['Job', 'negative amounts', { 'spec.parallelism': -1, 'spec.backoffLimit': -1 }],
  ['indexed Job', 'completions', { 'spec.completions': 3 }],
  ['indexed Job', 'completions with parallelism', { 'spec.completions': 3, 'spec.parallelism': 3 }],
  ['indexed Job', 'maxFailedIndexes', { 'spec.maxFailedIndexes': 2 }],
  ['indexed Job', 'backoffLimitPerIndex', { 'spec.backoffLimitPerIndex': 2 }],
  ['Job with policies', 'backoffLimitPerIndex gone', { 'spec.backoffLimitPerIndex': undefined }],
  [
    'suspended Job',
    'scheduling',
    {
      'spec.template.spec.nodeSelector': { a: 'b' },
      'spec.template.spec.tolerations': [{ operator: 'Exists' }],
      'spec.template.spec.affinity': affinity(['a']),
      'spec.template.spec.schedulingGates': [{ name: 'a' }],
    },
  ],
  [
    'suspended Job',
    'labels and annotations',
    { 'spec.template.metadata.labels.x': 'y', 'spec.template.metadata.annotations': { a: 'b' } },
  ],
  [
    'suspended Job',
    'resumed with scheduling',
    { 'spec.suspend': false, 'spec.template.spec.nodeSelector': { a: 'b' } },
  ],
  ['CronJob', 'zone in the schedule', { 'spec.schedule': 'TZ=UTC * * * * *' }],
  ['CronJob', 'bad zone', { 'spec.timeZone': 'Nowhere/Land' }],
  [
    'CronJob',
    'all else',
    {
      'spec.schedule': '@daily',
      'spec.concurrencyPolicy': 'Forbid',
      'spec.suspend': true,
      'spec.jobTemplate.spec.completions': 5,
    },
  ],
  ...(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'] as const).flatMap(
    (name): (readonly [Name, string, Changes])[] => [
      [
        name,
        'selector',
        { 'spec.selector': { matchLabels: { app: 'other' } }, 'spec.template.metadata.labels': { app: 'other' } },
      ],
      [name, 'image', { 'spec.template.spec.containers[0].image': 'other' }],
      [name, 'minReadySeconds', { 'spec.minReadySeconds': 5 }],
      [name, 'negative amounts', { 'spec.replicas': -1, 'spec.minReadySeconds': -1, 'spec.revisionHistoryLimit': -1 }],
    ],
  ),
  ['StatefulSet', 'service', { 'spec.serviceName': 'other' }],
  ['StatefulSet', 'management', { 'spec.podManagementPolicy': 'Parallel' }],
  [
    'StatefulSet',
    'claims',
    {
      'spec.volumeClaimTemplates': [
        {
          metadata: { name: 'd' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  ],
  [
    'StatefulSet',
    'retention',
    { 'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Delete', whenScaled: 'Delete' } },
  ],
  [
    'DaemonSet',
    'surge',
    { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  ],
  ['PodDisruptionBudget', 'selector', { 'spec.selector': { matchLabels: { app: 'other' } } }],
  ['PodDisruptionBudget', 'other amount', { 'spec.minAvailable': undefined, 'spec.maxUnavailable': 1 }],
];

const time = '2026-01-02T03:04:05Z';
const later = '2026-01-02T03:05:05Z';
const condition = (type: string, status = 'True') => ({ type, status, lastProbeTime: time, lastTransitionTime: time });
const completed = {
  startTime: time,
  completionTime: later,
  succeeded: 1,
  conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
};
const failed = { startTime: time, failed: 1, conditions: [condition('FailureTarget'), condition('Failed')] };

/** Statuses that are written one after the other. */
const statuses: readonly (readonly [Name, string, ...object[]])[] = [
  ['Job', 'complete', completed, { ...completed, conditions: [] }],
  ['Job', 'complete, then another time', completed, { ...completed, completionTime: '2026-01-02T03:06:05Z' }],
  ['Job', 'complete, then none of it', completed, {}],
  ['Job', 'failed', failed, { ...failed, failed: 0 }],
  ['Job', 'failed, then complete', failed, completed],
  ['Job', 'failed, then none of it', failed, {}],
  ['Job', 'complete without criteria', { ...completed, conditions: [condition('Complete')] }],
  ['Job', 'complete without times', { conditions: [condition('SuccessCriteriaMet'), condition('Complete')] }],
  ['Job', 'complete before it began', { ...completed, startTime: later, completionTime: time }],
  [
    'Job',
    'complete and at work',
    { ...completed, active: 1, ready: 2, terminating: 1, uncountedTerminatedPods: { succeeded: ['a'] } },
  ],
  ['Job', 'complete and failed', { ...completed, conditions: [...completed.conditions, ...failed.conditions] }],
  ['Job', 'failed without a target', { ...failed, conditions: [condition('Failed')] }],
  ['Job', 'completionTime alone', { completionTime: time }],
  ['Job', 'negative amounts', { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 }],
  ['Job', 'uncounted twice', { uncountedTerminatedPods: { succeeded: ['a', 'a', ''], failed: ['a', 'b', ''] } }],
  ['Job', 'indexes', { completedIndexes: '1', failedIndexes: '2' }],
  ['Job', 'counters that fall', { succeeded: 2, failed: 2, startTime: time }, { succeeded: 1, failed: 1 }],
  ['Job', 'ready ones', { active: 1, ready: 2 }],
  ['Job', 'other condition', { conditions: [condition('Other', 'Maybe')] }],
  ['Job', 'condition without a status', { conditions: [{ type: 'Complete' }] }],
  ['Job', 'started anew', { startTime: time }, { startTime: later }],
  ['suspended Job', 'started anew', { startTime: time }, { startTime: later }, {}],
  [
    'indexed Job',
    'indexes',
    { completedIndexes: '0-2', failedIndexes: '3' },
    { completedIndexes: '1', failedIndexes: '' },
  ],
  ['indexed Job', 'odd indexes', { completedIndexes: '5-7', failedIndexes: 'a' }],
  ['indexed Job', 'overlapping indexes', { completedIndexes: '0-2', failedIndexes: '2-3' }],
  ['indexed Job', 'fewer successes', { succeeded: 3 }, { succeeded: 2 }],
  ['Job with policies', 'complete without criteria', { ...completed, conditions: [condition('Complete')] }],
  ['Job with policies', 'criteria that vanish', { conditions: [condition('SuccessCriteriaMet')] }, { conditions: [] }],
  ['CronJob', 'anything', { active: [{ name: 'x' }, {}], lastScheduleTime: time, lastSuccessfulTime: later }],
  [
    'Deployment',
    'negative amounts',
    {
      observedGeneration: -1,
      replicas: -1,
      updatedReplicas: -1,
      readyReplicas: -1,
      availableReplicas: -1,
      unavailableReplicas: -1,
      collisionCount: -1,
      terminatingReplicas: -1,
    },
  ],
  ['Deployment', 'more than there are', { replicas: 1, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 3 }],
  ['Deployment', 'fewer collisions', { collisionCount: 3 }, { collisionCount: 2 }, {}],
  ['Deployment', 'conditions', { conditions: [{ type: 'A' }, { type: 'A', status: 'True' }] }],
  [
    'ReplicaSet',
    'negative amounts',
    {
      observedGeneration: -1,
      replicas: -1,
      fullyLabeledReplicas: -1,
      readyReplicas: -1,
      availableReplicas: -1,
      terminatingReplicas: -1,
    },
  ],
  [
    'ReplicaSet',
    'more than there are',
    { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 },
  ],
  [
    'StatefulSet',
    'negative amounts',
    {
      observedGeneration: -1,
      replicas: -1,
      readyReplicas: -1,
      currentReplicas: -1,
      updatedReplicas: -1,
      availableReplicas: -1,
      collisionCount: -1,
    },
  ],
  [
    'StatefulSet',
    'more than there are',
    { replicas: 1, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2, availableReplicas: 3 },
  ],
  [
    'StatefulSet',
    'fewer collisions',
    { replicas: 1, availableReplicas: 0, collisionCount: 3 },
    { replicas: 1, availableReplicas: 0, collisionCount: 2 },
  ],
  [
    'DaemonSet',
    'negative amounts',
    {
      currentNumberScheduled: -1,
      numberMisscheduled: -1,
      desiredNumberScheduled: -1,
      numberReady: -1,
      observedGeneration: -1,
      updatedNumberScheduled: -1,
      numberAvailable: -1,
      numberUnavailable: -1,
      collisionCount: -1,
    },
  ],
  [
    'DaemonSet',
    'fewer collisions',
    { currentNumberScheduled: 1, numberMisscheduled: 1, desiredNumberScheduled: 1, numberReady: 1, collisionCount: 3 },
    { currentNumberScheduled: 1, numberMisscheduled: 1, desiredNumberScheduled: 1, numberReady: 1, collisionCount: 2 },
  ],
  [
    'ReplicationController',
    'negative amounts',
    { observedGeneration: -1, replicas: -1, fullyLabeledReplicas: -1, readyReplicas: -1, availableReplicas: -1 },
  ],
  [
    'ReplicationController',
    'more than there are',
    { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 },
  ],
  [
    'PodDisruptionBudget',
    'negative amounts',
    { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: -1, expectedPods: -1, observedGeneration: -1 },
  ],
  [
    'PodDisruptionBudget',
    'conditions',
    {
      disruptionsAllowed: 1,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
      conditions: [{ type: 'a b', status: 'Maybe', reason: '', message: 'x', lastTransitionTime: null }],
    },
  ],
  ['HorizontalPodAutoscaler', 'negative amounts', { currentReplicas: -1, desiredReplicas: -1 }],
  [
    'HorizontalPodAutoscaler',
    'conditions',
    { desiredReplicas: 1, currentMetrics: null, conditions: [{ type: 'Other', status: 'Maybe' }] },
  ],
];

const createdOf = ([name, title, set]: (typeof creates)[number]): Scenario => ({
  name: `workloads: ${name} with ${title}`,
  steps: [{ path: bases[name].path, body: withChanges(bases[name].body, set) }],
});

const updatedOf = ([name, title, set]: (typeof updates)[number]): Scenario => {
  const { path, body } = bases[name];
  return {
    name: `workloads: ${name} updated: ${title}`,
    steps: [
      { path, body },
      { method: 'PUT', path: `${path}/x`, from: 0, set: { ...set, 'metadata.resourceVersion': undefined } },
    ],
  };
};

const toldOf = ([name, title, ...all]: (typeof statuses)[number]): Scenario => {
  const { path, body } = bases[name];
  const writes = all.map(
    (status): Step => ({
      method: 'PUT',
      path: `${path}/x/status`,
      from: 0,
      set: { status, 'metadata.resourceVersion': undefined },
    }),
  );
  return { name: `workloads: ${name}, status: ${title}`, steps: [{ path, body }, ...writes] };
};

/** The template of a Job that waits, in every way that it may change, before and after it has begun. */
function* suspended(): Generator<Scenario> {
  const { path, body } = bases['suspended Job'];
  const started = {
    method: 'PUT',
    path: `${path}/x/status`,
    from: 0,
    set: { status: { startTime: time }, 'metadata.resourceVersion': undefined },
  } as const;
  const change = {
    method: 'PUT',
    path: `${path}/x`,
    from: 0,
    set: { 'spec.template.spec.nodeSelector': { a: 'b' }, 'metadata.resourceVersion': undefined },
  } as const;
  yield { name: 'workloads: suspended Job that had begun', steps: [{ path, body }, started, change] };
  const placed = withChanges(body, { 'spec.template.spec.affinity': affinity(['a']) });
  const moved = {
    ...change,
    set: { 'spec.template.spec.affinity': affinity(['b']), 'metadata.resourceVersion': undefined },
  };
  const freed = { ...change, set: { 'spec.template.spec.affinity': undefined, 'metadata.resourceVersion': undefined } };
  yield { name: 'workloads: suspended Job that is placed anew', steps: [{ path, body: placed }, moved, freed] };
}

/** What workloads say of their own rules: those that few people run into as well. */
export function* workloads(): Generator<Scenario> {
  for (const one of creates) yield createdOf(one);
  for (const one of updates) yield updatedOf(one);
  for (const one of statuses) yield toldOf(one);
  yield* suspended();
}
