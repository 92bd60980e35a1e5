/** Types of `io.k8s.api.storage.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const storageTypes = `
CSIDriver object metadata/1:meta.ObjectMeta spec/2*+:CSIDriverSpec
CSIDriverSpec attachRequired/1?:b podInfoOnMount/2?:b volumeLifecycleModes/3:[s<VolumeLifecycleMode>]@
  storageCapacity/4?:b fsGroupPolicy/5?:s<FSGroupPolicy> tokenRequests/6:[TokenRequest]! requiresRepublish/7?:b
  seLinuxMount/8?:b nodeAllocatableUpdatePeriodSeconds/9?:l
CSINode object metadata/1:meta.ObjectMeta spec/2*+:CSINodeSpec
CSINodeDriver name/1*+:s nodeID/2*+:s topologyKeys/3+:[s]! allocatable/4?:VolumeNodeResources
CSINodeSpec drivers/1*+:[CSINodeDriver]~name@name
CSIStorageCapacity object metadata/1:meta.ObjectMeta nodeTopology/2?:meta.LabelSelector storageClassName/3*+:s
  capacity/4?:q maximumVolumeSize/5?:q
StorageClass object metadata/1:meta.ObjectMeta provisioner/2*+:s parameters/3:{s}
  reclaimPolicy/4?:s<core.PersistentVolumeReclaimPolicy> mountOptions/5:[s]! allowVolumeExpansion/6?:b
  volumeBindingMode/7?:s<VolumeBindingMode> allowedTopologies/8:[core.TopologySelectorTerm]!
TokenRequest audience/1*+:s expirationSeconds/2?:l
VolumeAttachment object metadata/1:meta.ObjectMeta spec/2*+:VolumeAttachmentSpec status/3:VolumeAttachmentStatus
VolumeAttachmentSource persistentVolumeName/1?:s inlineVolumeSpec/2?:core.PersistentVolumeSpec
VolumeAttachmentSpec attacher/1*+:s source/2*+:VolumeAttachmentSource nodeName/3*+:s
VolumeAttachmentStatus attached/1*+:b attachmentMetadata/2:{s} attachError/3?:VolumeError detachError/4?:VolumeError
VolumeAttributesClass object metadata/1:meta.ObjectMeta driverName/2*+:s parameters/3:{s}
VolumeBindingMode =Immediate|WaitForFirstConsumer
VolumeError time/1:t message/2:s errorCode/3?:i
VolumeNodeResources count/1?:i
`;
