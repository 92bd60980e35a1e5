/** The other types of the core group in the notation of `../type-table.ts`. */
export const coreTypes = `
AttachedVolume devicePath*:s name*:s
Binding object metadata:meta.ObjectMeta target*:ObjectReference
ClientIPConfig timeoutSeconds:i
ComponentCondition error:s message:s status*:s type*:s
ComponentStatus object conditions:[ComponentCondition]~type@type metadata:meta.ObjectMeta
ConfigMap object binaryData:{y} data:{s} immutable:b metadata:meta.ObjectMeta
ConfigMapNodeConfigSource kubeletConfigKey*:s name*:s namespace*:s resourceVersion:s uid:s
ContainerImage names:[s]! sizeBytes:l
DaemonEndpoint Port*:i
EndpointAddress! hostname:s ip*:s nodeName:s targetRef:ObjectReference
EndpointPort! appProtocol:s name:s port*:i protocol:s
EndpointSubset addresses:[EndpointAddress]! notReadyAddresses:[EndpointAddress]! ports:[EndpointPort]!
Endpoints object metadata:meta.ObjectMeta subsets:[EndpointSubset]!
Event object action:s count:i eventTime:u firstTimestamp:t involvedObject*:ObjectReference lastTimestamp:t message:s
  metadata*:meta.ObjectMeta reason:s related:ObjectReference reportingComponent:s reportingInstance:s
  series:EventSeries source:EventSource type:s
EventSeries count:i lastObservedTime:u
EventSource component:s host:s
LimitRange object metadata:meta.ObjectMeta spec:LimitRangeSpec
LimitRangeItem default:{q} defaultRequest:{q} max:{q} maxLimitRequestRatio:{q} min:{q} type*:s
LimitRangeSpec limits*:[LimitRangeItem]!
LoadBalancerIngress hostname:s ip:s ipMode:s ports:[PortStatus]!
LoadBalancerStatus ingress:[LoadBalancerIngress]!
ModifyVolumeStatus status*:s targetVolumeAttributesClassName:s
Namespace object metadata:meta.ObjectMeta spec:NamespaceSpec status:NamespaceStatus
NamespaceCondition lastTransitionTime:t message:s reason:s status*:s type*:s
NamespaceSpec finalizers:[s]!
NamespaceStatus conditions:[NamespaceCondition]~type@type phase:s
Node object metadata:meta.ObjectMeta spec:NodeSpec status:NodeStatus
NodeAddress address*:s type*:s
NodeCondition lastHeartbeatTime:t lastTransitionTime:t message:s reason:s status*:s type*:s
NodeConfigSource configMap:ConfigMapNodeConfigSource
NodeConfigStatus active:NodeConfigSource assigned:NodeConfigSource error:s lastKnownGood:NodeConfigSource
NodeDaemonEndpoints kubeletEndpoint:DaemonEndpoint
NodeFeatures supplementalGroupsPolicy:b
NodeRuntimeHandler features:NodeRuntimeHandlerFeatures name:s
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:b userNamespaces:b
NodeSpec configSource:NodeConfigSource externalID:s podCIDR:s podCIDRs:[s]~@ providerID:s taints:[Taint]!
  unschedulable:b
NodeStatus addresses:[NodeAddress]~type@type allocatable:{q} capacity:{q} conditions:[NodeCondition]~type@type
  config:NodeConfigStatus daemonEndpoints:NodeDaemonEndpoints features:NodeFeatures images:[ContainerImage]!
  nodeInfo:NodeSystemInfo phase:s runtimeHandlers:[NodeRuntimeHandler]! volumesAttached:[AttachedVolume]!
  volumesInUse:[s]!
NodeSwapStatus capacity:l
NodeSystemInfo architecture*:s bootID*:s containerRuntimeVersion*:s kernelVersion*:s kubeProxyVersion*:s
  kubeletVersion*:s machineID*:s operatingSystem*:s osImage*:s swap:NodeSwapStatus systemUUID*:s
PersistentVolume object metadata:meta.ObjectMeta spec:PersistentVolumeSpec status:PersistentVolumeStatus
PersistentVolumeClaim object metadata:meta.ObjectMeta spec:PersistentVolumeClaimSpec
  status:PersistentVolumeClaimStatus
PersistentVolumeClaimCondition lastProbeTime:t lastTransitionTime:t message:s reason:s status*:s type*:s
PersistentVolumeClaimStatus accessModes:[s]! allocatedResourceStatuses:{s} allocatedResources:{q} capacity:{q}
  conditions:[PersistentVolumeClaimCondition]~type@type currentVolumeAttributesClassName:s
  modifyVolumeStatus:ModifyVolumeStatus phase:s
PersistentVolumeStatus lastPhaseTransitionTime:t message:s phase:s reason:s
Pod object metadata:meta.ObjectMeta spec:PodSpec status:PodStatus
PodTemplate object metadata:meta.ObjectMeta template:PodTemplateSpec
PodTemplateSpec metadata:meta.ObjectMeta spec:PodSpec
PortStatus error:s port*:i protocol*:s
ReplicationController object metadata:meta.ObjectMeta spec:ReplicationControllerSpec
  status:ReplicationControllerStatus
ReplicationControllerCondition lastTransitionTime:t message:s reason:s status*:s type*:s
ReplicationControllerSpec minReadySeconds:i replicas:i=1 selector:{s}! template:PodTemplateSpec
ReplicationControllerStatus availableReplicas:i conditions:[ReplicationControllerCondition]~type@type
  fullyLabeledReplicas:i observedGeneration:l readyReplicas:i replicas*:i
ResourceQuota object metadata:meta.ObjectMeta spec:ResourceQuotaSpec status:ResourceQuotaStatus
ResourceQuotaSpec hard:{q} scopeSelector:ScopeSelector scopes:[s]!
ResourceQuotaStatus hard:{q} used:{q}
ScopeSelector! matchExpressions:[ScopedResourceSelectorRequirement]!
ScopedResourceSelectorRequirement operator*:s scopeName*:s values:[s]!
Secret object data:{y} immutable:b metadata:meta.ObjectMeta stringData:{s} type:s
Service object metadata:meta.ObjectMeta spec:ServiceSpec status:ServiceStatus
ServiceAccount object automountServiceAccountToken:b imagePullSecrets:[LocalObjectReference]! metadata:meta.ObjectMeta
  secrets:[ObjectReference]~name@name
ServicePort appProtocol:s name:s nodePort:i port*:i protocol:s=TCP targetPort:o
ServiceSpec allocateLoadBalancerNodePorts:b clusterIP:s clusterIPs:[s]! externalIPs:[s]! externalName:s
  externalTrafficPolicy:s healthCheckNodePort:i internalTrafficPolicy:s ipFamilies:[s]! ipFamilyPolicy:s
  loadBalancerClass:s loadBalancerIP:s loadBalancerSourceRanges:[s]! ports:[ServicePort]~port@port,protocol
  publishNotReadyAddresses:b selector:{s}! sessionAffinity:s sessionAffinityConfig:SessionAffinityConfig
  trafficDistribution:s type:s
ServiceStatus conditions:[meta.Condition]~type@type loadBalancer:LoadBalancerStatus
SessionAffinityConfig clientIP:ClientIPConfig
Taint effect*:s key*:s timeAdded:t value:s
TopologySelectorLabelRequirement key*:s values*:[s]!
TopologySelectorTerm! matchLabelExpressions:[TopologySelectorLabelRequirement]!
`;
