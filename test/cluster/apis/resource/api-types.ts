/** Types of `io.k8s.api.resource.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const resourceTypes = `
AllocatedDeviceStatus driver/1*+:s pool/2*+:s device/3*+:s shareID/7?:s conditions/4+:[meta.Condition]@type data/5?:any
  networkData/6?:NetworkDeviceData
AllocationResult devices/1:DeviceAllocationResult nodeSelector/3?:core.NodeSelector allocationTimestamp/5?:t
CELDeviceSelector expression/1*+:s
CapacityRequestPolicy default/1+?:q validValues/3:[q]! validRange/4?:CapacityRequestPolicyRange
CapacityRequestPolicyRange min/1*?:q max/2?:q step/3?:q
CapacityRequirements requests/1:{<QualifiedName>q}
Counter value/1*+:q
CounterSet name/1*+:s counters/2*:{Counter}
Device name/1*+:s attributes/2:{<QualifiedName>DeviceAttribute} capacity/3:{<QualifiedName>DeviceCapacity}
  consumesCounters/4:[DeviceCounterConsumption]! nodeName/5?:s nodeSelector/6?:core.NodeSelector allNodes/7?:b
  taints/8:[DeviceTaint]! bindsToNode/9?:b bindingConditions/10:[s]! bindingFailureConditions/11:[s]!
  allowMultipleAllocations/12?:b
DeviceAllocationConfiguration source/1*+:s<AllocationConfigSource> requests/2:[s]! opaque/3.1?:OpaqueDeviceConfiguration
DeviceAllocationResult results/1:[DeviceRequestAllocationResult]! config/2:[DeviceAllocationConfiguration]!
DeviceAttribute int/2?:l bool/3?:b string/4?:s version/5?:s
DeviceCapacity value/1*+:q requestPolicy/2?:CapacityRequestPolicy
DeviceClaim requests/1+:[DeviceRequest]! constraints/2:[DeviceConstraint]! config/3:[DeviceClaimConfiguration]!
DeviceClaimConfiguration requests/1:[s]! opaque/2.1?:OpaqueDeviceConfiguration
DeviceClass object metadata/1:meta.ObjectMeta spec/2*+:DeviceClassSpec
DeviceClassConfiguration opaque/1.1?:OpaqueDeviceConfiguration
DeviceClassSpec selectors/1:[DeviceSelector]! config/2:[DeviceClassConfiguration]! extendedResourceName/4?:s
DeviceConstraint requests/1:[s]! matchAttribute/2?:s<FullyQualifiedName> distinctAttribute/3?:s<FullyQualifiedName>
DeviceCounterConsumption counterSet/1*+:s counters/2*:{Counter}
DeviceRequest name/1*+:s exactly/2?:ExactDeviceRequest firstAvailable/3:[DeviceSubRequest]!
DeviceRequestAllocationResult request/1*+:s driver/2*+:s pool/3*+:s device/4*+:s adminAccess/5?:b
  tolerations/6:[DeviceToleration]! bindingConditions/7:[s]! bindingFailureConditions/8:[s]! shareID/9?:s<types.UID>
  consumedCapacity/10:{<QualifiedName>q}
DeviceSelector cel/1?:CELDeviceSelector
DeviceSubRequest name/1*+:s deviceClassName/2*+:s selectors/3:[DeviceSelector]! allocationMode/4:s<DeviceAllocationMode>
  count/5:l tolerations/6:[DeviceToleration]! capacity/7?:CapacityRequirements
DeviceTaint key/1*+:s value/2:s effect/3*+:s<DeviceTaintEffect> timeAdded/4?:t
DeviceTaintEffect =NoExecute|NoSchedule
DeviceToleration key/1:s operator/2:s<DeviceTolerationOperator>=Equal value/3:s effect/4:s<DeviceTaintEffect>
  tolerationSeconds/5?:l
DeviceTolerationOperator =Equal|Exists
ExactDeviceRequest deviceClassName/1*+:s selectors/2:[DeviceSelector]! allocationMode/3:s<DeviceAllocationMode>
  count/4:l adminAccess/5?:b tolerations/6:[DeviceToleration]! capacity/7?:CapacityRequirements
NetworkDeviceData interfaceName/1:s ips/2:[s]! hardwareAddress/3:s
OpaqueDeviceConfiguration driver/1*+:s parameters/2*+:any
ResourceClaim object metadata/1:meta.ObjectMeta spec/2*+:ResourceClaimSpec status/3:ResourceClaimStatus
ResourceClaimConsumerReference apiGroup/1:s resource/3*+:s name/4*+:s uid/5*+:s<types.UID>
ResourceClaimSpec devices/1+:DeviceClaim
ResourceClaimStatus allocation/1?:AllocationResult reservedFor/2:[ResourceClaimConsumerReference]~uid@uid
  devices/4:[AllocatedDeviceStatus]@driver,device,pool,shareID
ResourceClaimTemplate object metadata/1:meta.ObjectMeta spec/2*+:ResourceClaimTemplateSpec
ResourceClaimTemplateSpec metadata/1:meta.ObjectMeta spec/2*+:ResourceClaimSpec
ResourcePool name/1*+:s generation/2*+:l resourceSliceCount/3*+:l
ResourceSlice object metadata/1:meta.ObjectMeta spec/2*+:ResourceSliceSpec
ResourceSliceSpec driver/1*+:s pool/2*+:ResourcePool nodeName/3?:s nodeSelector/4?:core.NodeSelector allNodes/5?:b
  devices/6+:[Device]! perDeviceNodeSelection/7?:b sharedCounters/8:[CounterSet]!
`;
