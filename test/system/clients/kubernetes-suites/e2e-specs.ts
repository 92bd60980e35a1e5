/** Selection of Kubernetes' end-to-end tests. */

/** Kubernetes' tests that are not run here, and the reason. */
export interface LeftOut {
  /** A regular expression of Ginkgo. */
  readonly specs: string;
  readonly why: string;
}

/** Kubernetes' tests to run: all of its API machinery, and those of the others that need an API server and simulated pods only. */
export const wanted: readonly string[] = [
  '\\[sig-api-machinery\\]',
  '\\[sig-apps\\] (ControllerRevision|CronJob should support CronJob API|DisruptionController should (create|observe|update)|Deployment should (run the lifecycle|validate Deployment Status|have a working scale)|Job should (apply changes|delete a job|manage the lifecycle|terminate job execution)|ReplicaSet should (list|Replace|adopt|validate)|ReplicationController should (adopt|release|surface|test the lifecycle|get and update))',
  '\\[sig-auth\\] (Certificates API .* API operations|SelfSubjectReview|SubjectReview|ServiceAccounts should (guarantee|run through|update a))',
  '\\[sig-instrumentation\\] Events',
  '\\[sig-network\\] (EndpointSlice should (create and delete|support creating)|Ingress API|IngressClass|Netpol API|ServiceCIDR and IPAddress API should support IPAddress|Services should (complete|delete a collection|find a service|test the lifecycle))',
  '\\[sig-node\\] (ConfigMap should (fail|run)|Lease|PodTemplates|Pods Extended Pods Set QOS|Pods should (delete a collection|run through the lifecycle)|RuntimeClass +should support RuntimeClasses API|Secrets should (fail|patch))',
  '\\[sig-scheduling\\] LimitRange',
  '\\[sig-storage\\] (CSINodes|CSIInlineVolumes should|PersistentVolumes .*lifecycle of|StorageClasses|VolumeAttachment)',
];

/** Tests of {@link wanted} that are left out. */
export const leftOut: readonly LeftOut[] = [
  {
    specs: 'AdmissionWebhook|CustomResourceConversionWebhook|CustomResourceFieldSelectors',
    why: 'their webhooks run in pods',
  },
  { specs: 'Aggregator|Aggregated APIServer|sample-apiserver', why: 'the other API server runs in a pod' },
  { specs: 'Disruptive', why: 'they log in to the control plane and restart it' },
  { specs: 'OffByDefault|Feature:StorageVersionAPI', why: 'a server as it comes does not have the feature, either' },
  { specs: 'deletionTimestamp and deletionGracePeriodSeconds of the pod', why: 'needs a node that takes its time' },
  { specs: 'kubectl explain works for CR with the same', why: 'upstream calls it flaky' },
  {
    specs: 'apply changes to a resourcequota status|original version has been compacted away',
    why: 'they wait five minutes and more for what happens every five minutes',
  },
  {
    specs: 'orphan deletion of custom resources|orphan pods created by rc|status is not updated for unmanaged pods',
    why: 'they wait up to a minute and a half to see nothing happen',
  },
  { specs: 'requests can be classified|drowned out', why: 'requests are not queued by priority and fairness' },
  { specs: '100 namespaces', why: 'two minutes of load' },
];
