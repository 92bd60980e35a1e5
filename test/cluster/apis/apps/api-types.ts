/** Types of `io.k8s.api.apps.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const appsTypes = `
ControllerRevision object metadata/1:meta.ObjectMeta data/2:any revision/3*+:l
DaemonSet object metadata/1:meta.ObjectMeta spec/2:DaemonSetSpec status/3:DaemonSetStatus
DaemonSetCondition type/1*+:s<DaemonSetConditionType> status/2*+:s<core.ConditionStatus> lastTransitionTime/3:t
  reason/4:s message/5:s
DaemonSetSpec selector/1*+?:meta.LabelSelector template/2*+:core.PodTemplateSpec
  updateStrategy/3:DaemonSetUpdateStrategy minReadySeconds/4:i revisionHistoryLimit/6?:i
DaemonSetStatus currentNumberScheduled/1*+:i numberMisscheduled/2*+:i desiredNumberScheduled/3*+:i numberReady/4*+:i
  observedGeneration/5:l updatedNumberScheduled/6:i numberAvailable/7:i numberUnavailable/8:i collisionCount/9?:i
  conditions/10:[DaemonSetCondition]~type@type
DaemonSetUpdateStrategy type/1:s<DaemonSetUpdateStrategyType> rollingUpdate/2?:RollingUpdateDaemonSet
DaemonSetUpdateStrategyType =OnDelete|RollingUpdate
Deployment object metadata/1:meta.ObjectMeta spec/2:DeploymentSpec status/3:DeploymentStatus
DeploymentCondition type/1*+:s<DeploymentConditionType> status/2*+:s<core.ConditionStatus> lastUpdateTime/6:t
  lastTransitionTime/7:t reason/4:s message/5:s
DeploymentSpec replicas/1?:i selector/2*+?:meta.LabelSelector template/3*+:core.PodTemplateSpec
  strategy/4:DeploymentStrategy^ minReadySeconds/5:i revisionHistoryLimit/6?:i paused/7:b progressDeadlineSeconds/9?:i
DeploymentStatus observedGeneration/1:l replicas/2:i updatedReplicas/3:i readyReplicas/7:i availableReplicas/4:i
  unavailableReplicas/5:i terminatingReplicas/9?:i conditions/6:[DeploymentCondition]~type@type collisionCount/8?:i
DeploymentStrategy type/1:s<DeploymentStrategyType> rollingUpdate/2?:RollingUpdateDeployment
DeploymentStrategyType =Recreate|RollingUpdate
PodManagementPolicyType =OrderedReady|Parallel
ReplicaSet object metadata/1:meta.ObjectMeta spec/2:ReplicaSetSpec status/3:ReplicaSetStatus
ReplicaSetCondition type/1*+:s<ReplicaSetConditionType> status/2*+:s<core.ConditionStatus> lastTransitionTime/3:t
  reason/4:s message/5:s
ReplicaSetSpec replicas/1?:i minReadySeconds/4:i selector/2*+?:meta.LabelSelector template/3:core.PodTemplateSpec
ReplicaSetStatus replicas/1*+:i fullyLabeledReplicas/2:i readyReplicas/4:i availableReplicas/5:i
  terminatingReplicas/7?:i observedGeneration/3:l conditions/6:[ReplicaSetCondition]~type@type
RollingUpdateDaemonSet maxUnavailable/1?:o maxSurge/2?:o
RollingUpdateDeployment maxUnavailable/1?:o maxSurge/2?:o
RollingUpdateStatefulSetStrategy partition/1?:i maxUnavailable/2?:o
StatefulSet object metadata/1:meta.ObjectMeta spec/2:StatefulSetSpec status/3:StatefulSetStatus
StatefulSetCondition type/1*+:s<StatefulSetConditionType> status/2*+:s<core.ConditionStatus> lastTransitionTime/3:t
  reason/4:s message/5:s
StatefulSetOrdinals start/1+:i
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted/1:s<PersistentVolumeClaimRetentionPolicyType>
  whenScaled/2:s<PersistentVolumeClaimRetentionPolicyType>
StatefulSetSpec replicas/1?:i selector/2*+?:meta.LabelSelector template/3*+:core.PodTemplateSpec
  volumeClaimTemplates/4:[core.PersistentVolumeClaim]! serviceName/5+:s podManagementPolicy/6:s<PodManagementPolicyType>
  updateStrategy/7:StatefulSetUpdateStrategy revisionHistoryLimit/8?:i minReadySeconds/9:i
  persistentVolumeClaimRetentionPolicy/10?:StatefulSetPersistentVolumeClaimRetentionPolicy
  ordinals/11?:StatefulSetOrdinals
StatefulSetStatus observedGeneration/1:l replicas/2*+:i readyReplicas/3:i currentReplicas/4:i updatedReplicas/5:i
  currentRevision/6:s updateRevision/7:s collisionCount/9?:i conditions/10:[StatefulSetCondition]~type@type
  availableReplicas/11+:i
StatefulSetUpdateStrategy type/1:s<StatefulSetUpdateStrategyType> rollingUpdate/2?:RollingUpdateStatefulSetStrategy
StatefulSetUpdateStrategyType =OnDelete|RollingUpdate
`;
