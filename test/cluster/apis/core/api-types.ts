/** Other types of the core group in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const coreTypes = `
AttachedVolume name/1*+:s<UniqueVolumeName> devicePath/2*+:s
Binding object metadata/1:meta.ObjectMeta target/2*+:ObjectReference
ClaimResourceStatus =ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizeInProgress|NodeResizeInfeasible|
  NodeResizePending
ClientIPConfig timeoutSeconds/1?:i
ComponentCondition type/1*+:s<ComponentConditionType> status/2*+:s<ConditionStatus> message/3:s error/4:s
ComponentStatus object metadata/1:meta.ObjectMeta conditions/2:[ComponentCondition]~type@type
ConfigMap object metadata/1:meta.ObjectMeta immutable/4?:b data/2:{s} binaryData/3:{y}
ConfigMapNodeConfigSource namespace/1*+:s name/2*+:s uid/3:s<types.UID> resourceVersion/4:s kubeletConfigKey/5*+:s
ContainerImage names/1+:[s]! sizeBytes/2:l
DaemonEndpoint Port/1*+:i
EndpointAddress! ip/1*+:s hostname/3:s nodeName/4?:s targetRef/2?:ObjectReference
EndpointPort! name/1:s port/2*+:i protocol/3:s<Protocol> appProtocol/4?:s
EndpointSubset addresses/1:[EndpointAddress]! notReadyAddresses/2:[EndpointAddress]! ports/3:[EndpointPort]!
Endpoints object metadata/1:meta.ObjectMeta subsets/2:[EndpointSubset]!
Event object metadata/1*+:meta.ObjectMeta involvedObject/2*+:ObjectReference reason/3:s message/4:s source/5:EventSource
  firstTimestamp/6:t lastTimestamp/7:t count/8:i type/9:s eventTime/10:u series/11?:EventSeries action/12:s
  related/13?:ObjectReference reportingComponent/14+:s reportingInstance/15+:s
EventSeries count/1:i lastObservedTime/2:u
EventSource component/1:s host/2:s
IPFamily =|IPv4|IPv6
IPFamilyPolicy =PreferDualStack|RequireDualStack|SingleStack
LimitRange object metadata/1:meta.ObjectMeta spec/2:LimitRangeSpec
LimitRangeItem type/1*+:s<LimitType> max/2:{q}<ResourceList> min/3:{q}<ResourceList> default/4:{q}<ResourceList>
  defaultRequest/5:{q}<ResourceList> maxLimitRequestRatio/6:{q}<ResourceList>
LimitRangeSpec limits/1*+:[LimitRangeItem]!
LoadBalancerIngress ip/1:s hostname/2:s ipMode/3?:s<LoadBalancerIPMode> ports/4:[PortStatus]!
LoadBalancerStatus ingress/1:[LoadBalancerIngress]!
ModifyVolumeStatus targetVolumeAttributesClassName/1:s status/2*+:s<PersistentVolumeClaimModifyVolumeStatus>
Namespace object metadata/1:meta.ObjectMeta spec/2:NamespaceSpec status/3:NamespaceStatus
NamespaceCondition type/1*+:s<NamespaceConditionType> status/2*+:s<ConditionStatus> lastTransitionTime/4:t reason/5:s
  message/6:s
NamespacePhase =Active|Terminating
NamespaceSpec finalizers/1:[s<FinalizerName>]!
NamespaceStatus phase/1:s<NamespacePhase> conditions/2:[NamespaceCondition]~type@type
Node object metadata/1:meta.ObjectMeta spec/2:NodeSpec status/3:NodeStatus
NodeAddress type/1*+:s<NodeAddressType> address/2*+:s
NodeCondition type/1*+:s<NodeConditionType> status/2*+:s<ConditionStatus> lastHeartbeatTime/3:t lastTransitionTime/4:t
  reason/5:s message/6:s
NodeConfigSource configMap/2?:ConfigMapNodeConfigSource
NodeConfigStatus assigned/1?:NodeConfigSource active/2?:NodeConfigSource lastKnownGood/3?:NodeConfigSource error/4:s
NodeDaemonEndpoints kubeletEndpoint/1:DaemonEndpoint
NodeFeatures supplementalGroupsPolicy/1?:b
NodePhase =Pending|Running|Terminated
NodeRuntimeHandler name/1+:s features/2?:NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts/1?:b userNamespaces/2?:b
NodeSpec podCIDR/1:s podCIDRs/7:[s]~@ providerID/3:s unschedulable/4:b taints/5:[Taint]!
  configSource/6?:NodeConfigSource externalID/2:s
NodeStatus capacity/1:{q}<ResourceList> allocatable/2:{q}<ResourceList> phase/3:s<NodePhase>
  conditions/4:[NodeCondition]~type@type addresses/5:[NodeAddress]~type@type daemonEndpoints/6:NodeDaemonEndpoints
  nodeInfo/7:NodeSystemInfo images/8:[ContainerImage]! volumesInUse/9:[s<UniqueVolumeName>]!
  volumesAttached/10:[AttachedVolume]! config/11?:NodeConfigStatus runtimeHandlers/12:[NodeRuntimeHandler]!
  features/13?:NodeFeatures
NodeSwapStatus capacity/1?:l
NodeSystemInfo machineID/1*+:s systemUUID/2*+:s bootID/3*+:s kernelVersion/4*+:s osImage/5*+:s
  containerRuntimeVersion/6*+:s kubeletVersion/7*+:s kubeProxyVersion/8*+:s operatingSystem/9*+:s architecture/10*+:s
  swap/11?:NodeSwapStatus
PersistentVolume object metadata/1:meta.ObjectMeta spec/2:PersistentVolumeSpec status/3:PersistentVolumeStatus
PersistentVolumeClaim object metadata/1:meta.ObjectMeta spec/2:PersistentVolumeClaimSpec
  status/3:PersistentVolumeClaimStatus
PersistentVolumeClaimCondition type/1*+:s<PersistentVolumeClaimConditionType> status/2*+:s<ConditionStatus>
  lastProbeTime/3:t lastTransitionTime/4:t reason/5:s message/6:s
PersistentVolumeClaimModifyVolumeStatus =InProgress|Infeasible|Pending
PersistentVolumeClaimPhase =Bound|Lost|Pending
PersistentVolumeClaimStatus phase/1:s<PersistentVolumeClaimPhase> accessModes/2:[s<PersistentVolumeAccessMode>]!
  capacity/3:{q}<ResourceList> conditions/4:[PersistentVolumeClaimCondition]~type@type
  allocatedResources/5:{q}<ResourceList> allocatedResourceStatuses/7:{<ResourceName>s<ClaimResourceStatus>}%
  currentVolumeAttributesClassName/8?:s modifyVolumeStatus/9?:ModifyVolumeStatus
PersistentVolumePhase =Available|Bound|Failed|Pending|Released
PersistentVolumeStatus phase/1:s<PersistentVolumePhase> message/2:s reason/3:s lastPhaseTransitionTime/4?:t
Pod object metadata/1:meta.ObjectMeta spec/2:PodSpec status/3:PodStatus
PodTemplate object metadata/1:meta.ObjectMeta template/2:PodTemplateSpec
PodTemplateSpec metadata/1:meta.ObjectMeta spec/2:PodSpec
PortStatus port/1*+:i protocol/2*+:s<Protocol> error/3?:s
ReplicationController object metadata/1:meta.ObjectMeta spec/2:ReplicationControllerSpec
  status/3:ReplicationControllerStatus
ReplicationControllerCondition type/1*+:s<ReplicationControllerConditionType> status/2*+:s<ConditionStatus>
  lastTransitionTime/3:t reason/4:s message/5:s
ReplicationControllerSpec replicas/1?:i=1 minReadySeconds/4:i= selector/2:{s}! template/3?:PodTemplateSpec
ReplicationControllerStatus replicas/1*+:i fullyLabeledReplicas/2:i readyReplicas/4:i availableReplicas/5:i
  observedGeneration/3:l conditions/6:[ReplicationControllerCondition]~type@type
ResourceQuota object metadata/1:meta.ObjectMeta spec/2:ResourceQuotaSpec status/3:ResourceQuotaStatus
ResourceQuotaScope =BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|
  VolumeAttributesClass
ResourceQuotaSpec hard/1:{q}<ResourceList> scopes/2:[s<ResourceQuotaScope>]! scopeSelector/3?:ScopeSelector
ResourceQuotaStatus hard/1:{q}<ResourceList> used/2:{q}<ResourceList>
ScopeSelector! matchExpressions/1:[ScopedResourceSelectorRequirement]!
ScopeSelectorOperator =DoesNotExist|Exists|In|NotIn
ScopedResourceSelectorRequirement scopeName/1*+:s<ResourceQuotaScope> operator/2*+:s<ScopeSelectorOperator>
  values/3:[s]!
Secret object metadata/1:meta.ObjectMeta immutable/5?:b data/2:{y} stringData/4:{s} type/3:s<SecretType>
Service object metadata/1:meta.ObjectMeta spec/2:ServiceSpec status/3:ServiceStatus
ServiceAccount object metadata/1:meta.ObjectMeta secrets/2:[ObjectReference]~name@name
  imagePullSecrets/3:[LocalObjectReference]! automountServiceAccountToken/4?:b
ServiceAffinity =ClientIP|None
ServiceExternalTrafficPolicy =Cluster|Local
ServiceInternalTrafficPolicy =Cluster|Local
ServicePort name/1:s protocol/2:s<Protocol>=TCP appProtocol/6?:s port/3*+:i targetPort/4:o nodePort/5:i
ServiceSpec ports/1:[ServicePort]~port@port,protocol selector/2:{s}! clusterIP/3:s clusterIPs/18:[s]!
  type/4:s<ServiceType> externalIPs/5:[s]! sessionAffinity/7:s<ServiceAffinity> loadBalancerIP/8:s
  loadBalancerSourceRanges/9:[s]! externalName/10:s externalTrafficPolicy/11:s<ServiceExternalTrafficPolicy>
  healthCheckNodePort/12:i publishNotReadyAddresses/13:b sessionAffinityConfig/14?:SessionAffinityConfig
  ipFamilies/19:[s<IPFamily>]! ipFamilyPolicy/17?:s<IPFamilyPolicy> allocateLoadBalancerNodePorts/20?:b
  loadBalancerClass/21?:s internalTrafficPolicy/22?:s<ServiceInternalTrafficPolicy> trafficDistribution/23?:s
ServiceStatus loadBalancer/1:LoadBalancerStatus conditions/2:[meta.Condition]~type@type
ServiceType =ClusterIP|ExternalName|LoadBalancer|NodePort
SessionAffinityConfig clientIP/1?:ClientIPConfig
Taint key/1*+:s value/2:s effect/3*+:s<TaintEffect> timeAdded/4?:t
TopologySelectorLabelRequirement key/1*+:s values/2*+:[s]!
TopologySelectorTerm! matchLabelExpressions/1:[TopologySelectorLabelRequirement]!
`;
