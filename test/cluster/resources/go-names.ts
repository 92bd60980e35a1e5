/** Fields by their named Go type, which decoding errors show. */
const goNames = `
types.UID authentication.BoundObjectReference.uid batch.UncountedTerminatedPods.failed resource.ResourceClaimConsumerReference.uid resource.DeviceRequestAllocationResult.shareID
  batch.UncountedTerminatedPods.succeeded core.ConfigMapNodeConfigSource.uid core.ObjectReference.uid
  meta.ObjectMeta.uid meta.OwnerReference.uid meta.Preconditions.uid meta.StatusDetails.uid
v1.AddressType discovery.EndpointSlice.addressType
v1.AllocationConfigSource resource.DeviceAllocationConfiguration.source
v1.AppArmorProfileType core.AppArmorProfile.type
v1.AzureDataDiskCachingMode core.AzureDiskVolumeSource.cachingMode
v1.AzureDataDiskKind core.AzureDiskVolumeSource.kind
v1.Capability core.Capabilities.add core.Capabilities.drop
v1.CauseType meta.StatusCause.reason
v1.CompletionMode batch.JobSpec.completionMode
v1.ComponentConditionType core.ComponentCondition.type
v1.ConcurrencyPolicy batch.CronJobSpec.concurrencyPolicy
v1.ConditionStatus apps.DaemonSetCondition.status apps.DeploymentCondition.status apps.ReplicaSetCondition.status
  apps.StatefulSetCondition.status autoscaling2.HorizontalPodAutoscalerCondition.status
  certificates.CertificateSigningRequestCondition.status core.ComponentCondition.status core.NamespaceCondition.status
  core.NodeCondition.status core.PersistentVolumeClaimCondition.status core.PodCondition.status
  core.ReplicationControllerCondition.status meta.Condition.status
v1.ContainerRestartPolicy core.Container.restartPolicy
v1.ContainerRestartRuleAction core.ContainerRestartRule.action
v1.ContainerRestartRuleOnExitCodesOperator core.ContainerRestartRuleOnExitCodes.operator
v1.CoordinatedLeaseStrategy coordination.LeaseSpec.strategy
v1.DNSPolicy core.PodSpec.dnsPolicy
v1.DaemonSetConditionType apps.DaemonSetCondition.type
v1.DaemonSetUpdateStrategyType apps.DaemonSetUpdateStrategy.type
v1.DeletionPropagation meta.DeleteOptions.propagationPolicy
v1.DeploymentConditionType apps.DeploymentCondition.type
v1.DeploymentStrategyType apps.DeploymentStrategy.type
v1.DeviceAllocationMode resource.ExactDeviceRequest.allocationMode resource.DeviceSubRequest.allocationMode
v1.DeviceTaintEffect resource.DeviceTaint.effect resource.DeviceToleration.effect
v1.DeviceTolerationOperator resource.DeviceToleration.operator
v1.FSGroupPolicy storage.CSIDriverSpec.fsGroupPolicy
v1.FailurePolicyType admissionregistration.MutatingWebhook.failurePolicy
  admissionregistration.ValidatingAdmissionPolicySpec.failurePolicy
  admissionregistration.ValidatingWebhook.failurePolicy
v1.FieldSelectorOperator meta.FieldSelectorRequirement.operator
v1.FinalizerName core.NamespaceSpec.finalizers
v1.FullyQualifiedName resource.DeviceConstraint.matchAttribute resource.DeviceConstraint.distinctAttribute
v1.HostPathType core.HostPathVolumeSource.type
v1.IPFamily core.ServiceSpec.ipFamilies
v1.IPFamilyPolicy core.ServiceSpec.ipFamilyPolicy
v1.JobConditionType batch.JobCondition.type
v1.KeyUsage certificates.CertificateSigningRequestSpec.usages
v1.LabelSelectorOperator meta.LabelSelectorRequirement.operator
v1.LimitType core.LimitRangeItem.type
v1.LoadBalancerIPMode core.LoadBalancerIngress.ipMode
v1.ManagedFieldsOperationType meta.ManagedFieldsEntry.operation
v1.MatchPolicyType admissionregistration.MatchResources.matchPolicy admissionregistration.MutatingWebhook.matchPolicy
  admissionregistration.ValidatingWebhook.matchPolicy
v1.MountPropagationMode core.VolumeMount.mountPropagation
v1.NamespaceConditionType core.NamespaceCondition.type
v1.NamespacePhase core.NamespaceStatus.phase
v1.NodeAddressType core.NodeAddress.type
v1.NodeConditionType core.NodeCondition.type
v1.NodeInclusionPolicy core.TopologySpreadConstraint.nodeAffinityPolicy core.TopologySpreadConstraint.nodeTaintsPolicy
v1.NodePhase core.NodeStatus.phase
v1.NodeSelectorOperator core.NodeSelectorRequirement.operator
v1.OSName core.PodOS.name
v1.OperationType admissionregistration.NamedRuleWithOperations.operations
  admissionregistration.RuleWithOperations.operations
v1.ParameterNotFoundActionType admissionregistration.ParamRef.parameterNotFoundAction
v1.PathType networking.HTTPIngressPath.pathType
v1.PersistentVolumeAccessMode core.PersistentVolumeClaimSpec.accessModes core.PersistentVolumeClaimStatus.accessModes
  core.PersistentVolumeSpec.accessModes
v1.PersistentVolumeClaimConditionType core.PersistentVolumeClaimCondition.type
v1.PersistentVolumeClaimModifyVolumeStatus core.ModifyVolumeStatus.status
v1.PersistentVolumeClaimPhase core.PersistentVolumeClaimStatus.phase
v1.PersistentVolumeClaimRetentionPolicyType apps.StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted
  apps.StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled
v1.PersistentVolumeMode core.PersistentVolumeClaimSpec.volumeMode core.PersistentVolumeSpec.volumeMode
v1.PersistentVolumePhase core.PersistentVolumeStatus.phase
v1.PersistentVolumeReclaimPolicy core.PersistentVolumeSpec.persistentVolumeReclaimPolicy
  storage.StorageClass.reclaimPolicy
v1.PodConditionType core.PodCondition.type core.PodReadinessGate.conditionType
  batch.PodFailurePolicyOnPodConditionsPattern.type
v1.PodFSGroupChangePolicy core.PodSecurityContext.fsGroupChangePolicy
v1.PodFailurePolicyAction batch.PodFailurePolicyRule.action
v1.PodFailurePolicyOnExitCodesOperator batch.PodFailurePolicyOnExitCodesRequirement.operator
v1.PodManagementPolicyType apps.StatefulSetSpec.podManagementPolicy
v1.PodPhase core.PodStatus.phase
v1.PodQOSClass core.PodStatus.qosClass
v1.PodReplacementPolicy batch.JobSpec.podReplacementPolicy
v1.PodResizeStatus core.PodStatus.resize
v1.PodSELinuxChangePolicy core.PodSecurityContext.seLinuxChangePolicy
v1.PolicyType networking.NetworkPolicySpec.policyTypes
v1.PreemptionPolicy core.PodSpec.preemptionPolicy scheduling.PriorityClass.preemptionPolicy
v1.ProcMountType core.SecurityContext.procMount
v1.Protocol core.ContainerPort.protocol core.EndpointPort.protocol core.PortStatus.protocol core.ServicePort.protocol
  discovery.EndpointPort.protocol networking.IngressPortStatus.protocol networking.NetworkPolicyPort.protocol
v1.PullPolicy core.Container.imagePullPolicy core.ImageVolumeSource.pullPolicy
v1.RecursiveReadOnlyMode core.VolumeMount.recursiveReadOnly core.VolumeMountStatus.recursiveReadOnly
v1.ReinvocationPolicyType admissionregistration.MutatingWebhook.reinvocationPolicy
v1.ReplicaSetConditionType apps.ReplicaSetCondition.type
v1.ReplicationControllerConditionType core.ReplicationControllerCondition.type
v1.RequestConditionType certificates.CertificateSigningRequestCondition.type
v1.ResourceHealthStatus core.ResourceHealth.health
v1.ResourceID core.ResourceHealth.resourceID
v1.ResourceList core.ContainerStatus.allocatedResources core.LimitRangeItem.default core.LimitRangeItem.defaultRequest
  core.LimitRangeItem.max core.LimitRangeItem.maxLimitRequestRatio core.LimitRangeItem.min core.NodeStatus.allocatable
  core.NodeStatus.capacity core.PersistentVolumeClaimStatus.allocatedResources
  core.PersistentVolumeClaimStatus.capacity core.PersistentVolumeSpec.capacity node.Overhead.podFixed core.PodSpec.overhead
  core.ResourceQuotaSpec.hard core.ResourceQuotaStatus.hard core.ResourceQuotaStatus.used
  core.ResourceRequirements.limits core.ResourceRequirements.requests core.VolumeResourceRequirements.limits
  core.VolumeResourceRequirements.requests
v1.ResourceName autoscaling2.ContainerResourceMetricSource.name autoscaling2.ContainerResourceMetricStatus.name
  autoscaling2.ResourceMetricSource.name autoscaling2.ResourceMetricStatus.name
  core.ContainerResizePolicy.resourceName core.ResourceStatus.name
v1.ResourceQuotaScope core.ResourceQuotaSpec.scopes core.ScopedResourceSelectorRequirement.scopeName
v1.ResourceResizeRestartPolicy core.ContainerResizePolicy.restartPolicy
v1.RestartPolicy core.PodSpec.restartPolicy
v1.ScopeSelectorOperator core.ScopedResourceSelectorRequirement.operator
v1.SeccompProfileType core.SeccompProfile.type
v1.SecretType core.Secret.type
v1.ServiceAffinity core.ServiceSpec.sessionAffinity
v1.ServiceExternalTrafficPolicy core.ServiceSpec.externalTrafficPolicy
v1.ServiceInternalTrafficPolicy core.ServiceSpec.internalTrafficPolicy
v1.ServiceType core.ServiceSpec.type
v1.SideEffectClass admissionregistration.MutatingWebhook.sideEffects
  admissionregistration.ValidatingWebhook.sideEffects
v1.Signal core.ContainerStatus.stopSignal core.Lifecycle.stopSignal
v1.StatefulSetConditionType apps.StatefulSetCondition.type
v1.StatefulSetUpdateStrategyType apps.StatefulSetUpdateStrategy.type
v1.StatusReason admissionregistration.Validation.reason meta.Status.reason
v1.StorageMedium core.EmptyDirVolumeSource.medium
v1.SupplementalGroupsPolicy core.PodSecurityContext.supplementalGroupsPolicy
v1.TaintEffect core.Taint.effect core.Toleration.effect
v1.TerminationMessagePolicy core.Container.terminationMessagePolicy
v1.TolerationOperator core.Toleration.operator
v1.URIScheme core.HTTPGetAction.scheme
v1.UnhealthyPodEvictionPolicyType policy.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy
v1.UniqueVolumeName core.AttachedVolume.name core.NodeStatus.volumesInUse
v1.UnsatisfiableConstraintAction core.TopologySpreadConstraint.whenUnsatisfiable
v1.ValidationAction admissionregistration.ValidatingAdmissionPolicyBindingSpec.validationActions
v1.VolumeBindingMode storage.StorageClass.volumeBindingMode
v1.VolumeLifecycleMode storage.CSIDriverSpec.volumeLifecycleModes
v2.HPAScalingPolicyType autoscaling2.HPAScalingPolicy.type
v2.HorizontalPodAutoscalerConditionType autoscaling2.HorizontalPodAutoscalerCondition.type
v2.MetricSourceType autoscaling2.MetricSpec.type autoscaling2.MetricStatus.type
v2.MetricTargetType autoscaling2.MetricTarget.type
v2.ScalingPolicySelect autoscaling2.HPAScalingRules.selectPolicy
`;

/** Returns the index of a whole word in the table; -1 when it is not there. */
function indexOfWord(word: string): number {
  for (let at = goNames.indexOf(` ${word}`); at !== -1; at = goNames.indexOf(` ${word}`, at + 1)) {
    const next = goNames[at + 1 + word.length];
    if (next === ' ' || next === '\n') return at;
  }
  return -1;
}

/** Returns the named Go type of a field such as `core.ContainerPort.protocol` or of its items; undefined without one. */
export function goNameOfField(field: string): string | undefined {
  const at = indexOfWord(field);
  if (at === -1) return undefined;
  let start = goNames.lastIndexOf('\n', at);
  while (goNames[start + 1] === ' ') start = goNames.lastIndexOf('\n', start - 1);
  return goNames.slice(start + 1, goNames.indexOf(' ', start + 1));
}
