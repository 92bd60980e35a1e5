const probe = {
  httpGet: { path: '/ready', port: 8080 },
  initialDelaySeconds: 5,
  periodSeconds: 7,
  timeoutSeconds: 2,
  failureThreshold: 4,
};

/** A container with most of what people write. */
const container = {
  name: 'main',
  image: 'example.test/main:1',
  command: ['/bin/main'],
  args: ['--listen', '$(PORT)'],
  workingDir: '/work',
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  env: [
    { name: 'PORT', value: '8080' },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 'a', key: 'b', optional: true } } },
    { name: 'MODE', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
  ],
  envFrom: [{ configMapRef: { name: 'a' } }, { prefix: 'S_', secretRef: { name: 'b' } }],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } },
  volumeMounts: [
    { name: 'config', mountPath: '/config', readOnly: true },
    { name: 'cache', mountPath: '/cache' },
  ],
  livenessProbe: { tcpSocket: { port: 'http' } },
  readinessProbe: probe,
  startupProbe: { exec: { command: ['true'] } },
  lifecycle: { preStop: { exec: { command: ['sleep', '1'] } } },
  imagePullPolicy: 'IfNotPresent',
  securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};

/** The least that a pod has to say. */
export const minimalPodSpec = { containers: [{ name: 'main', image: 'example.test/main' }] };

/** A pod with most of what people write. */
export const fullPodSpec = {
  containers: [container],
  initContainers: [{ name: 'init', image: 'example.test/init@sha256:0123' }],
  volumes: [
    { name: 'config', configMap: { name: 'a', items: [{ key: 'b', path: 'c' }] } },
    { name: 'cache', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'secret', secret: { secretName: 'a', optional: true } },
    { name: 'data', persistentVolumeClaim: { claimName: 'a' } },
    { name: 'host', hostPath: { path: '/var', type: 'Directory' } },
    { name: 'all', projected: { sources: [{ configMap: { name: 'a' } }, { serviceAccountToken: { path: 'token' } }] } },
    { name: 'about', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
  ],
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
      },
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 1,
          podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { a: 'b' } } },
        },
      ],
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { a: 'b' } } },
  ],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 20,
  dnsPolicy: 'None',
  dnsConfig: { nameservers: ['1.2.3.4'], searches: ['example.test'], options: [{ name: 'ndots', value: '2' }] },
  hostAliases: [{ ip: '1.2.3.4', hostnames: ['a'] }],
  hostname: 'a',
  subdomain: 'b',
  imagePullSecrets: [{ name: 'a' }],
  serviceAccountName: 'default',
  automountServiceAccountToken: false,
  securityContext: { runAsUser: 1000, fsGroup: 2000, sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] },
  readinessGates: [{ conditionType: 'example.com/ready' }],
  enableServiceLinks: false,
};

/** A pod template whose pods are labelled `app: a`. */
export const template = (spec: object) => ({ metadata: { labels: { app: 'a' } }, spec });
