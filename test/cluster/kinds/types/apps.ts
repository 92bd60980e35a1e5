/** Types of `io.k8s.api.apps.v1` in the notation of `../type-table.ts`. */
export const appsTypes = `
ControllerRevision object data:any metadata:meta.ObjectMeta revision*:l
DaemonSet object metadata:meta.ObjectMeta spec:DaemonSetSpec status:DaemonSetStatus
DaemonSetCondition lastTransitionTime:t message:s reason:s status*:s type*:s
DaemonSetSpec minReadySeconds:i revisionHistoryLimit:i selector*:meta.LabelSelector template*:core.PodTemplateSpec
  updateStrategy:DaemonSetUpdateStrategy
DaemonSetStatus collisionCount:i conditions:[DaemonSetCondition]~type@type currentNumberScheduled*:i
  desiredNumberScheduled*:i numberAvailable:i numberMisscheduled*:i numberReady*:i numberUnavailable:i
  observedGeneration:l updatedNumberScheduled:i
DaemonSetUpdateStrategy rollingUpdate:RollingUpdateDaemonSet type:s
Deployment object metadata:meta.ObjectMeta spec:DeploymentSpec status:DeploymentStatus
DeploymentCondition lastTransitionTime:t lastUpdateTime:t message:s reason:s status*:s type*:s
DeploymentSpec minReadySeconds:i paused:b progressDeadlineSeconds:i replicas:i revisionHistoryLimit:i
  selector*:meta.LabelSelector strategy:DeploymentStrategy^ template*:core.PodTemplateSpec
DeploymentStatus availableReplicas:i collisionCount:i conditions:[DeploymentCondition]~type@type observedGeneration:l
  readyReplicas:i replicas:i terminatingReplicas:i unavailableReplicas:i updatedReplicas:i
DeploymentStrategy rollingUpdate:RollingUpdateDeployment type:s
ReplicaSet object metadata:meta.ObjectMeta spec:ReplicaSetSpec status:ReplicaSetStatus
ReplicaSetCondition lastTransitionTime:t message:s reason:s status*:s type*:s
ReplicaSetSpec minReadySeconds:i replicas:i selector*:meta.LabelSelector template:core.PodTemplateSpec
ReplicaSetStatus availableReplicas:i conditions:[ReplicaSetCondition]~type@type fullyLabeledReplicas:i
  observedGeneration:l readyReplicas:i replicas*:i terminatingReplicas:i
RollingUpdateDaemonSet maxSurge:o maxUnavailable:o
RollingUpdateDeployment maxSurge:o maxUnavailable:o
RollingUpdateStatefulSetStrategy maxUnavailable:o partition:i
StatefulSet object metadata:meta.ObjectMeta spec:StatefulSetSpec status:StatefulSetStatus
StatefulSetCondition lastTransitionTime:t message:s reason:s status*:s type*:s
StatefulSetOrdinals start:i
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:s whenScaled:s
StatefulSetSpec minReadySeconds:i ordinals:StatefulSetOrdinals
  persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy podManagementPolicy:s
  replicas:i revisionHistoryLimit:i selector*:meta.LabelSelector serviceName:s template*:core.PodTemplateSpec
  updateStrategy:StatefulSetUpdateStrategy volumeClaimTemplates:[core.PersistentVolumeClaim]!
StatefulSetStatus availableReplicas:i collisionCount:i conditions:[StatefulSetCondition]~type@type currentReplicas:i
  currentRevision:s observedGeneration:l readyReplicas:i replicas*:i updateRevision:s updatedReplicas:i
StatefulSetUpdateStrategy rollingUpdate:RollingUpdateStatefulSetStrategy type:s
`;
