/** Fields whose texts have two spaces after a sentence instead of an empty line, by type; `self` is the type's own text. */
const wide = `
apiextensions.CustomResourceDefinition self
apiregistration.APIServiceSpec groupPriorityMinimum insecureSkipTLSVerify version versionPriority
authentication.SelfSubjectReview self
authorization.SelfSubjectAccessReview self
autoscaling.ContainerResourceMetricSource self
autoscaling.ContainerResourceMetricStatus self
autoscaling.HorizontalPodAutoscalerSpec minReplicas metrics
autoscaling.MetricSpec type
autoscaling.MetricStatus type
autoscaling.ResourceMetricSource self
autoscaling.ResourceMetricStatus self
batch.CronJobSpec startingDeadlineSeconds suspend
batch.JobSpec completions manualSelector
core.AzureDiskVolumeSource kind
core.ClusterTrustBundleProjection name optional signerName
core.EndpointPort name
core.Event self
core.GitRepoVolumeSource directory
core.PodSecurityContext self runAsGroup runAsNonRoot runAsUser supplementalGroups
core.PodSpec runtimeClassName
core.SecretKeySelector key
core.SecurityContext self runAsGroup runAsNonRoot runAsUser
core.ServicePort nodePort
core.ServiceSpec allocateLoadBalancerNodePorts clusterIP externalIPs externalName healthCheckNodePort
core.StorageOSPersistentVolumeSource volumeName volumeNamespace
core.StorageOSVolumeSource volumeName volumeNamespace
core.VolumeMount mountPath
discovery.Endpoint deprecatedTopology
events.Event self
flowcontrol.FlowSchemaSpec matchingPrecedence
flowcontrol.PriorityLevelConfigurationSpec type
flowcontrol.QueuingConfiguration handSize queueLengthLimit queues
flowcontrol.ResourcePolicyRule namespaces resources
meta.APIResource group singularName version
meta.ObjectMeta finalizers
meta.StatusCause message
node.RuntimeClass self handler
parameters insecureSkipTLSVerifyBackend
policy.Eviction self
rbac.ClusterRoleBinding self
rbac.PolicyRule apiGroups nonResourceURLs resourceNames
rbac.RoleBinding self
rbac.Subject self namespace
storage.StorageClass volumeBindingMode
`;

/** Reports whether two spaces in a field's comment are original; an empty `field` is the type's own text. */
export function isWide(type: string, field: string): boolean {
  const from = wide.indexOf(`\n${type} `);
  if (from === -1) return false;
  const end = wide.slice(from + 1).search(/\n\S/);
  return wide
    .slice(from + type.length + 1, from + 1 + end)
    .split(/\s+/)
    .includes(field || 'self');
}
