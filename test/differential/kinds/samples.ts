import { fullPodSpec, minimalPodSpec, template } from './pod-samples.ts';

/** A good object of a kind without its metadata; `full` has most of what people write, where it is more. */
export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly minimal: object;
  readonly full?: object;
}

const selector = { matchLabels: { app: 'a' } };
const rbac = 'rbac.authorization.k8s.io';
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://localhost:1/' },
  rules: [{ apiGroups: ['nothing.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const fullWebhook = {
  ...webhook,
  clientConfig: { service: { namespace: 'a', name: 'b', path: '/c' } },
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
  objectSelector: selector,
  timeoutSeconds: 5,
  matchConditions: [{ name: 'a', expression: 'true' }],
};
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const fullRules = [...rules, { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: ['*'] }];
const backend = { service: { name: 'a', port: { number: 80 } } };
const endpoint = {
  addresses: ['10.1.2.3'],
  conditions: { ready: true },
  nodeName: 'a',
  zone: 'z',
  targetRef: { kind: 'Pod', name: 'a', namespace: '{ns}' },
};
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIa01JR0xBZ0VBTUNreERUQUxCZ05WQkFNTUJHcGhibVV4R0RBV0JnTlZCQW9NRDNONWMzUmxiVHB0WVhOMApaWEp6TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

/** Good objects of the built-in kinds. */
export const samples: readonly Sample[] = [
  { apiVersion: 'v1', kind: 'Pod', minimal: { spec: minimalPodSpec }, full: { spec: fullPodSpec } },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    minimal: {},
    full: { data: { a: '1', 'b.txt': '2' }, binaryData: { c: 'AQI=' }, immutable: false },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    minimal: {},
    full: { type: 'Opaque', data: { a: 'AQI=' }, stringData: { b: 'x' }, immutable: false },
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    minimal: {},
    full: { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }], automountServiceAccountToken: false },
  },
  { apiVersion: 'v1', kind: 'Namespace', minimal: {}, full: { spec: { finalizers: ['kubernetes', 'example.com/a'] } } },
  {
    apiVersion: 'v1',
    kind: 'Node',
    minimal: {},
    full: {
      spec: {
        podCIDR: '10.2.0.0/24',
        podCIDRs: ['10.2.0.0/24'],
        providerID: 'a://b',
        taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
        unschedulable: true,
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    minimal: { spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } },
    full: {
      spec: {
        type: 'LoadBalancer',
        selector: { app: 'a' },
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
        externalTrafficPolicy: 'Local',
        internalTrafficPolicy: 'Local',
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        loadBalancerClass: 'example.com/a',
        externalIPs: ['1.2.3.4'],
        publishNotReadyAddresses: true,
        ipFamilyPolicy: 'SingleStack',
        ipFamilies: ['IPv4'],
        trafficDistribution: 'PreferClose',
        ports: [
          { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' },
          { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP' },
        ],
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    minimal: {},
    full: {
      subsets: [
        {
          addresses: [{ ip: '10.1.2.3', hostname: 'a', nodeName: 'b', targetRef: { kind: 'Pod', name: 'c' } }],
          notReadyAddresses: [{ ip: '10.1.2.4' }],
          ports: [
            { name: 'a', port: 80, protocol: 'TCP' },
            { name: 'b', port: 81 },
          ],
        },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    minimal: { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } } },
    full: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'a',
        volumeMode: 'Block',
        mountOptions: ['hard'],
        csi: { driver: 'a.example.com', volumeHandle: 'b', fsType: 'ext4', volumeAttributes: { c: 'd' } },
        claimRef: { kind: 'PersistentVolumeClaim', namespace: '{ns}', name: 'a' },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
        },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    minimal: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    full: {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
        storageClassName: 'a',
        volumeMode: 'Filesystem',
        volumeName: 'b',
        selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
        dataSource: { kind: 'PersistentVolumeClaim', name: 'c' },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    minimal: { spec: { selector: { app: 'a' }, template: template(minimalPodSpec) } },
    full: { spec: { replicas: 2, minReadySeconds: 1, selector: { app: 'a' }, template: template(minimalPodSpec) } },
  },
  { apiVersion: 'v1', kind: 'PodTemplate', minimal: { template: template(minimalPodSpec) } },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    minimal: { spec: { hard: { pods: '10' } } },
    full: {
      spec: {
        hard: { pods: '10', 'requests.cpu': '1', 'count/deployments.apps': '3' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }] },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    minimal: { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } },
    full: {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { cpu: '100m' },
            default: { cpu: '1' },
            defaultRequest: { cpu: '500m' },
            maxLimitRequestRatio: { cpu: '4' },
          },
          { type: 'Pod', max: { memory: '1Gi' } },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
        ],
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    minimal: { involvedObject: { namespace: '{ns}' } },
    full: {
      involvedObject: { kind: 'Pod', namespace: '{ns}', name: 'a', uid: 'u', apiVersion: 'v1' },
      reason: 'Started',
      message: 'm',
      type: 'Normal',
      count: 1,
      firstTimestamp: '2025-01-01T00:00:00Z',
      lastTimestamp: '2025-01-01T00:00:00Z',
      source: { component: 'c', host: 'h' },
    },
  },
  {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    minimal: {
      eventTime: '2025-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'Do',
      reason: 'R',
      type: 'Normal',
      regarding: { namespace: '{ns}' },
    },
    full: {
      eventTime: '2025-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'Do',
      reason: 'R',
      type: 'Warning',
      note: 'n',
      regarding: { kind: 'Pod', namespace: '{ns}', name: 'a' },
      related: { kind: 'Node', name: 'b' },
      series: { count: 2, lastObservedTime: '2025-01-01T00:00:00.000000Z' },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    minimal: { spec: { selector, template: template(minimalPodSpec) } },
    full: {
      spec: {
        replicas: 2,
        selector: { ...selector, matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] },
        template: template(minimalPodSpec),
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '50%' } },
        minReadySeconds: 1,
        revisionHistoryLimit: 2,
        progressDeadlineSeconds: 60,
        paused: true,
      },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    minimal: { spec: { selector, template: template(minimalPodSpec) } },
    full: { spec: { replicas: 2, minReadySeconds: 1, selector, template: template(minimalPodSpec) } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    minimal: { spec: { selector, template: template(minimalPodSpec) } },
    full: {
      spec: {
        replicas: 2,
        serviceName: 's',
        selector,
        template: template(minimalPodSpec),
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        revisionHistoryLimit: 2,
        minReadySeconds: 1,
        ordinals: { start: 1 },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    minimal: { spec: { selector, template: template(minimalPodSpec) } },
    full: {
      spec: {
        selector,
        template: template(minimalPodSpec),
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
        minReadySeconds: 1,
        revisionHistoryLimit: 2,
      },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    minimal: { revision: 1 },
    full: { revision: 1, data: { a: { b: 1 } } },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    minimal: { spec: { template: { spec: { ...minimalPodSpec, restartPolicy: 'Never' } } } },
    full: {
      spec: {
        parallelism: 2,
        completions: 2,
        completionMode: 'Indexed',
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 1,
        activeDeadlineSeconds: 10,
        ttlSecondsAfterFinished: 5,
        suspend: true,
        podReplacementPolicy: 'Failed',
        podFailurePolicy: {
          rules: [
            { action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'In', values: [1, 2] } },
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          ],
        },
        successPolicy: { rules: [{ succeededIndexes: '0', succeededCount: 1 }] },
        template: { metadata: { labels: { a: 'b' } }, spec: { ...minimalPodSpec, restartPolicy: 'Never' } },
      },
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    minimal: {
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { ...minimalPodSpec, restartPolicy: 'OnFailure' } } } },
      },
    },
    full: {
      spec: {
        schedule: '*/5 1-3 * JAN,FEB MON',
        timeZone: 'Europe/Berlin',
        startingDeadlineSeconds: 10,
        concurrencyPolicy: 'Forbid',
        suspend: true,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 0,
        jobTemplate: {
          metadata: { labels: { a: 'b' } },
          spec: { backoffLimit: 2, template: { spec: { ...minimalPodSpec, restartPolicy: 'OnFailure' } } },
        },
      },
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    minimal: { spec: { defaultBackend: backend } },
    full: {
      spec: {
        ingressClassName: 'a',
        defaultBackend: { resource: { apiGroup: 'a.b', kind: 'C', name: 'd' } },
        tls: [{ hosts: ['a.example.com'], secretName: 's' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                { path: '/a', pathType: 'Prefix', backend },
                { path: '/b', pathType: 'Exact', backend: { service: { name: 'a', port: { name: 'http' } } } },
              ],
            },
          },
          { host: '*.example.com' },
        ],
      },
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    minimal: { spec: { controller: 'example.com/a' } },
    full: {
      spec: {
        controller: 'example.com/a',
        parameters: { apiGroup: 'a.b', kind: 'C', name: 'd', scope: 'Namespace', namespace: 'e' },
      },
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    minimal: { spec: { podSelector: {} } },
    full: {
      spec: {
        podSelector: selector,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
              { podSelector: selector, namespaceSelector: {} },
            ],
            ports: [{ port: 80, endPort: 90, protocol: 'TCP' }, { port: 'http' }],
          },
        ],
        egress: [{ to: [{ namespaceSelector: selector }] }],
      },
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    minimal: { spec: { selector } },
    full: { spec: { selector, minAvailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
  },
  { apiVersion: `${rbac}/v1`, kind: 'Role', minimal: { rules: null }, full: { rules: fullRules } },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    minimal: { rules },
    full: {
      rules: [...fullRules, { nonResourceURLs: ['/healthz'], verbs: ['get'] }],
      aggregationRule: { clusterRoleSelectors: [selector] },
    },
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    minimal: { roleRef: { apiGroup: rbac, kind: 'Role', name: 'a' } },
    full: {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'a' },
      subjects: [
        { kind: 'User', name: 'a', apiGroup: rbac },
        { kind: 'ServiceAccount', name: 'b', namespace: 'c' },
        { kind: 'Group', name: 'd' },
      ],
    },
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    minimal: { roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'a' } },
    full: {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'a' },
      subjects: [
        { kind: 'User', name: 'a' },
        { kind: 'ServiceAccount', name: 'b', namespace: 'c' },
      ],
    },
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    minimal: { value: 10 },
    full: { value: 10, globalDefault: false, description: 'd', preemptionPolicy: 'Never' },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    minimal: { provisioner: 'example.com/a' },
    full: {
      provisioner: 'example.com/a',
      parameters: { a: 'b' },
      reclaimPolicy: 'Retain',
      mountOptions: ['hard'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }],
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    minimal: { spec: {} },
    full: {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        fsGroupPolicy: 'File',
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        tokenRequests: [{ audience: 'a', expirationSeconds: 600 }],
        requiresRepublish: true,
      },
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    minimal: { spec: { drivers: [] } },
    full: {
      spec: { drivers: [{ name: 'a.example.com', nodeID: 'b', topologyKeys: ['c'], allocatable: { count: 3 } }] },
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    minimal: { storageClassName: 'a' },
    full: { storageClassName: 'a', nodeTopology: selector, capacity: '1Gi', maximumVolumeSize: '500Mi' },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    minimal: { spec: { attacher: 'a.example.com', nodeName: 'b', source: { persistentVolumeName: 'c' } } },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    minimal: { driverName: 'a.example.com', parameters: { a: 'b' } },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    minimal: { webhooks: [webhook] },
    full: { webhooks: [fullWebhook] },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    minimal: { webhooks: [webhook] },
    full: { webhooks: [{ ...fullWebhook, reinvocationPolicy: 'IfNeeded' }] },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    minimal: { spec: { matchConstraints: { resourceRules: webhook.rules }, validations: [{ expression: 'true' }] } },
    full: {
      spec: {
        failurePolicy: 'Ignore',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { resourceRules: webhook.rules, namespaceSelector: selector, matchPolicy: 'Exact' },
        matchConditions: [{ name: 'a', expression: 'true' }],
        variables: [{ name: 'v', expression: '1' }],
        validations: [{ expression: 'variables.v > 0', message: 'm', reason: 'Forbidden' }],
        auditAnnotations: [{ key: 'a', valueExpression: '"b"' }],
      },
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    minimal: { spec: { policyName: 'a', validationActions: ['Deny'] } },
    full: {
      spec: {
        policyName: 'a',
        paramRef: { name: 'b', namespace: 'c', parameterNotFoundAction: 'Deny' },
        matchResources: { namespaceSelector: selector },
        validationActions: ['Warn', 'Audit'],
      },
    },
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    minimal: {},
    full: {
      spec: {
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        acquireTime: '2025-01-01T00:00:00.000000Z',
        renewTime: '2025-01-01T00:00:00.000000Z',
        leaseTransitions: 1,
      },
    },
  },
  {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    minimal: { handler: 'a' },
    full: {
      handler: 'a',
      overhead: { podFixed: { cpu: '1' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
    },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    minimal: { addressType: 'IPv4', endpoints: [] },
    full: {
      addressType: 'IPv4',
      endpoints: [endpoint, { addresses: ['10.1.2.4'], hostname: 'h', hints: { forZones: [{ name: 'z' }] } }],
      ports: [
        { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' },
        { name: 'b', port: 81 },
      ],
    },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    minimal: { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } } },
    full: {
      spec: {
        minReplicas: 2,
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
          { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '10' } } },
          { type: 'External', external: { metric: { name: 'e', selector }, target: { type: 'Value', value: '5' } } },
        ],
        behavior: {
          scaleDown: {
            stabilizationWindowSeconds: 10,
            selectPolicy: 'Min',
            policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }],
          },
        },
      },
    },
  },
  {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    minimal: { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'a' } } },
    full: {
      spec: {
        minReplicas: 2,
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      },
    },
  },
  {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    minimal: { spec: { request, signerName: 'example.com/a', usages: ['client auth'] } },
  },
];
