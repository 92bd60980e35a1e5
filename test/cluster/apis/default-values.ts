import type { Fields } from '../apimachinery/object.ts';
import { kindValues } from './built-in-kinds.ts';

const webhook: Fields = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};
const container: Fields = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' };
const mode: Fields = { defaultMode: 420 };
const rbac = 'rbac.authorization.k8s.io';

/** Constant defaults of absent fields, by type; `default-rules.ts` has those that depend on other fields. */
export const defaultValues: Readonly<Record<string, Fields>> = {
  ...kindValues,
  'core.PodSpec': {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
  'core.Container': container,
  'core.EphemeralContainer': container,
  'core.Probe': { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  'core.HTTPGetAction': { path: '/', scheme: 'HTTP' },
  'core.ObjectFieldSelector': { apiVersion: 'v1' },
  'core.SecretVolumeSource': mode,
  'core.ConfigMapVolumeSource': mode,
  'core.DownwardAPIVolumeSource': mode,
  'core.ProjectedVolumeSource': mode,
  'core.ServiceAccountTokenProjection': { expirationSeconds: 3600 },
  'core.HostPathVolumeSource': { type: '' },
  'core.AzureDiskVolumeSource': { readOnly: false },
  'apiregistration.ServiceReference': { port: 443 },
  'core.PersistentVolumeStatus': { phase: 'Pending' },
  'core.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
  'core.PersistentVolumeClaimStatus': { phase: 'Pending' },
  'core.NamespaceStatus': { phase: 'Active' },
  'core.EndpointPort': { protocol: 'TCP' },
  'authentication.TokenRequestSpec': { expirationSeconds: 3600 },
  'core.Secret': { type: 'Opaque' },
  'autoscaling.HorizontalPodAutoscalerSpec': { minReplicas: 1, targetCPUUtilizationPercentage: 80 },
  'autoscaling2.HorizontalPodAutoscalerSpec': {
    minReplicas: 1,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
  },
  'networking.NetworkPolicyPort': { protocol: 'TCP' },
  'networking.IngressClassParametersReference': { scope: 'Cluster' },
  'admissionregistration.ValidatingWebhook': webhook,
  'admissionregistration.MutatingWebhook': { ...webhook, reinvocationPolicy: 'Never' },
  'admissionregistration.RuleWithOperations': { scope: '*' },
  'admissionregistration.NamedRuleWithOperations': { scope: '*' },
  'admissionregistration.ServiceReference': { port: 443 },
  'admissionregistration.ValidatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.MatchResources': { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
  'storage.StorageClass': { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  'storage.CSIDriverSpec': {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  },
  'scheduling.PriorityClass': { preemptionPolicy: 'PreemptLowerPriority' },
  'flowcontrol.FlowSchemaSpec': { matchingPrecedence: 1000 },
  'flowcontrol.LimitedPriorityLevelConfiguration': { nominalConcurrencyShares: 30, lendablePercent: 0 },
  'flowcontrol.ExemptPriorityLevelConfiguration': { nominalConcurrencyShares: 0, lendablePercent: 0 },
  'flowcontrol.QueuingConfiguration': { queues: 64, handSize: 8, queueLengthLimit: 50 },
  'rbac.RoleRef': { apiGroup: rbac },
  'discovery.EndpointPort': { name: '', protocol: 'TCP' },
};
