/** Types of `io.k8s.api.storage.v1` in the notation of `../type-table.ts`. */
export const storageTypes = `
CSIDriver object metadata:meta.ObjectMeta spec*:CSIDriverSpec
CSIDriverSpec attachRequired:b fsGroupPolicy:s nodeAllocatableUpdatePeriodSeconds:l podInfoOnMount:b
  requiresRepublish:b seLinuxMount:b storageCapacity:b tokenRequests:[TokenRequest]! volumeLifecycleModes:[s]@
CSINode object metadata:meta.ObjectMeta spec*:CSINodeSpec
CSINodeDriver allocatable:VolumeNodeResources name*:s nodeID*:s topologyKeys:[s]!
CSINodeSpec drivers*:[CSINodeDriver]~name@name
CSIStorageCapacity object capacity:q maximumVolumeSize:q metadata:meta.ObjectMeta nodeTopology:meta.LabelSelector
  storageClassName*:s
StorageClass object allowVolumeExpansion:b allowedTopologies:[core.TopologySelectorTerm]! metadata:meta.ObjectMeta
  mountOptions:[s]! parameters:{s} provisioner*:s reclaimPolicy:s volumeBindingMode:s
TokenRequest audience*:s expirationSeconds:l
VolumeAttachment object metadata:meta.ObjectMeta spec*:VolumeAttachmentSpec status:VolumeAttachmentStatus
VolumeAttachmentSource inlineVolumeSpec:core.PersistentVolumeSpec persistentVolumeName:s
VolumeAttachmentSpec attacher*:s nodeName*:s source*:VolumeAttachmentSource
VolumeAttachmentStatus attachError:VolumeError attached*:b attachmentMetadata:{s} detachError:VolumeError
VolumeAttributesClass object driverName*:s metadata:meta.ObjectMeta parameters:{s}
VolumeError errorCode:i message:s time:t
VolumeNodeResources count:i
`;
