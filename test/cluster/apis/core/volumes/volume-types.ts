/** Types of volumes in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const coreVolumeTypes = `
AWSElasticBlockStoreVolumeSource volumeID/1*+:s fsType/2:s partition/3:i readOnly/4:b
AzureDataDiskCachingMode =None|ReadOnly|ReadWrite
AzureDataDiskKind =Dedicated|Managed|Shared
AzureDiskVolumeSource diskName/1*+:s diskURI/2*+:s cachingMode/3?:s<AzureDataDiskCachingMode>=ReadWrite fsType/4?:s=ext4
  readOnly/5?:b= kind/6?:s<AzureDataDiskKind>=Shared
AzureFilePersistentVolumeSource secretName/1*+:s shareName/2*+:s readOnly/3:b secretNamespace/4+?:s
AzureFileVolumeSource secretName/1*+:s shareName/2*+:s readOnly/3:b
CSIPersistentVolumeSource driver/1*+:s volumeHandle/2*+:s readOnly/3:b fsType/4:s volumeAttributes/5:{s}
  controllerPublishSecretRef/6?:SecretReference nodeStageSecretRef/7?:SecretReference
  nodePublishSecretRef/8?:SecretReference controllerExpandSecretRef/9?:SecretReference
  nodeExpandSecretRef/10?:SecretReference
CSIVolumeSource driver/1*+:s readOnly/2?:b fsType/3?:s volumeAttributes/4:{s}
  nodePublishSecretRef/5?:LocalObjectReference
CephFSPersistentVolumeSource monitors/1*+:[s]! path/2:s user/3:s secretFile/4:s secretRef/5?:SecretReference
  readOnly/6:b
CephFSVolumeSource monitors/1*+:[s]! path/2:s user/3:s secretFile/4:s secretRef/5?:LocalObjectReference readOnly/6:b
CinderPersistentVolumeSource volumeID/1*+:s fsType/2:s readOnly/3:b secretRef/4?:SecretReference
CinderVolumeSource volumeID/1*+:s fsType/2:s readOnly/3:b secretRef/4?:LocalObjectReference
ClusterTrustBundleProjection name/1?:s signerName/2?:s labelSelector/3?:meta.LabelSelector optional/5?:b path/4*+:s
ConfigMapProjection name/1.1:s= items/2:[KeyToPath]! optional/4?:b
ConfigMapVolumeSource name/1.1:s= items/2:[KeyToPath]! defaultMode/3?:i optional/4?:b
DownwardAPIProjection items/1:[DownwardAPIVolumeFile]!
DownwardAPIVolumeFile path/1*+:s fieldRef/2?:ObjectFieldSelector resourceFieldRef/3?:ResourceFieldSelector mode/4?:i
DownwardAPIVolumeSource items/1:[DownwardAPIVolumeFile]! defaultMode/2?:i
EmptyDirVolumeSource medium/1:s<StorageMedium> sizeLimit/2?:q
EphemeralVolumeSource volumeClaimTemplate/1?:PersistentVolumeClaimTemplate
FCVolumeSource targetWWNs/1:[s]! lun/2?:i fsType/3:s readOnly/4:b wwids/5:[s]!
FlexPersistentVolumeSource driver/1*+:s fsType/2:s secretRef/3?:SecretReference readOnly/4:b options/5:{s}
FlexVolumeSource driver/1*+:s fsType/2:s secretRef/3?:LocalObjectReference readOnly/4:b options/5:{s}
FlockerVolumeSource datasetName/1:s datasetUUID/2:s
GCEPersistentDiskVolumeSource pdName/1*+:s fsType/2:s partition/3:i readOnly/4:b
GitRepoVolumeSource repository/1*+:s revision/2:s directory/3:s
GlusterfsPersistentVolumeSource endpoints/1*+:s path/2*+:s readOnly/3:b endpointsNamespace/4?:s
GlusterfsVolumeSource endpoints/1*+:s path/2*+:s readOnly/3:b
HostPathType =|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket
HostPathVolumeSource path/1*+:s type/2?:s<HostPathType>
ISCSIPersistentVolumeSource targetPortal/1*+:s iqn/2*+:s lun/3*+:i iscsiInterface/4:s=default fsType/5:s readOnly/6:b
  portals/7:[s]! chapAuthDiscovery/8:b chapAuthSession/11:b secretRef/10?:SecretReference initiatorName/12?:s
ISCSIVolumeSource targetPortal/1*+:s iqn/2*+:s lun/3*+:i iscsiInterface/4:s=default fsType/5:s readOnly/6:b
  portals/7:[s]! chapAuthDiscovery/8:b chapAuthSession/11:b secretRef/10?:LocalObjectReference initiatorName/12?:s
ImageVolumeSource reference/1:s pullPolicy/2:s<PullPolicy>
KeyToPath key/1*+:s path/2*+:s mode/3?:i
LocalObjectReference! name/1:s=
LocalVolumeSource path/1*+:s fsType/2?:s
NFSVolumeSource server/1*+:s path/2*+:s readOnly/3:b
NodeSelector! nodeSelectorTerms/1*+:[NodeSelectorTerm]!
NodeSelectorOperator =DoesNotExist|Exists|Gt|In|Lt|NotIn
NodeSelectorRequirement key/1*+:s operator/2*+:s<NodeSelectorOperator> values/3:[s]!
NodeSelectorTerm! matchExpressions/1:[NodeSelectorRequirement]! matchFields/2:[NodeSelectorRequirement]!
ObjectFieldSelector! apiVersion/1:s fieldPath/2*+:s
ObjectReference! kind/1:s namespace/2:s name/3:s uid/4:s<types.UID> apiVersion/5:s resourceVersion/6:s fieldPath/7:s
PersistentVolumeAccessMode =ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod
PersistentVolumeClaimSpec accessModes/1:[s<PersistentVolumeAccessMode>]! selector/4?:meta.LabelSelector
  resources/2:VolumeResourceRequirements volumeName/3:s storageClassName/5?:s volumeMode/6?:s<PersistentVolumeMode>
  dataSource/7?:TypedLocalObjectReference dataSourceRef/8?:TypedObjectReference volumeAttributesClassName/9?:s
PersistentVolumeClaimTemplate metadata/1:meta.ObjectMeta spec/2*+:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName/1*+:s readOnly/2:b
PersistentVolumeMode =Block|Filesystem
PersistentVolumeReclaimPolicy =Delete|Recycle|Retain
PersistentVolumeSpec capacity/1:{q}<ResourceList> gcePersistentDisk/2.1?:GCEPersistentDiskVolumeSource
  awsElasticBlockStore/2.2?:AWSElasticBlockStoreVolumeSource hostPath/2.3?:HostPathVolumeSource
  glusterfs/2.4?:GlusterfsPersistentVolumeSource nfs/2.5?:NFSVolumeSource rbd/2.6?:RBDPersistentVolumeSource
  iscsi/2.7?:ISCSIPersistentVolumeSource cinder/2.8?:CinderPersistentVolumeSource
  cephfs/2.9?:CephFSPersistentVolumeSource fc/2.10?:FCVolumeSource flocker/2.11?:FlockerVolumeSource
  flexVolume/2.12?:FlexPersistentVolumeSource azureFile/2.13?:AzureFilePersistentVolumeSource
  vsphereVolume/2.14?:VsphereVirtualDiskVolumeSource quobyte/2.15?:QuobyteVolumeSource
  azureDisk/2.16?:AzureDiskVolumeSource photonPersistentDisk/2.17?:PhotonPersistentDiskVolumeSource
  portworxVolume/2.18?:PortworxVolumeSource scaleIO/2.19?:ScaleIOPersistentVolumeSource local/2.20?:LocalVolumeSource
  storageos/2.21?:StorageOSPersistentVolumeSource csi/2.22?:CSIPersistentVolumeSource
  accessModes/3:[s<PersistentVolumeAccessMode>]! claimRef/4?:ObjectReference%
  persistentVolumeReclaimPolicy/5:s<PersistentVolumeReclaimPolicy> storageClassName/6:s mountOptions/7:[s]!
  volumeMode/8?:s<PersistentVolumeMode> nodeAffinity/9?:VolumeNodeAffinity volumeAttributesClassName/10?:s
PhotonPersistentDiskVolumeSource pdID/1*+:s fsType/2:s
PodCertificateProjection signerName/1*:s keyType/2*:s maxExpirationSeconds/3?:i credentialBundlePath/4:s keyPath/5:s
  certificateChainPath/6:s
PortworxVolumeSource volumeID/1*+:s fsType/2:s readOnly/3:b
ProjectedVolumeSource sources/1+:[VolumeProjection]! defaultMode/2?:i
PullPolicy =Always|IfNotPresent|Never
QuobyteVolumeSource registry/1*+:s volume/2*+:s readOnly/3:b user/4:s group/5:s tenant/6:s
RBDPersistentVolumeSource monitors/1*+:[s]! image/2*+:s fsType/3:s pool/4:s=rbd user/5:s=admin
  keyring/6:s=/etc/ceph/keyring secretRef/7?:SecretReference readOnly/8:b
RBDVolumeSource monitors/1*+:[s]! image/2*+:s fsType/3:s pool/4:s=rbd user/5:s=admin keyring/6:s=/etc/ceph/keyring
  secretRef/7?:LocalObjectReference readOnly/8:b
ResourceFieldSelector! containerName/1:s resource/2*+:s divisor/3:q
ScaleIOPersistentVolumeSource gateway/1*+:s system/2*+:s secretRef/3*+?:SecretReference sslEnabled/4:b
  protectionDomain/5:s storagePool/6:s storageMode/7:s=ThinProvisioned volumeName/8:s fsType/9:s=xfs readOnly/10:b
ScaleIOVolumeSource gateway/1*+:s system/2*+:s secretRef/3*+?:LocalObjectReference sslEnabled/4:b protectionDomain/5:s
  storagePool/6:s storageMode/7:s=ThinProvisioned volumeName/8:s fsType/9:s=xfs readOnly/10:b
SecretProjection name/1.1:s= items/2:[KeyToPath]! optional/4?:b
SecretReference! name/1:s namespace/2:s
SecretVolumeSource secretName/1:s items/2:[KeyToPath]! defaultMode/3?:i optional/4?:b
ServiceAccountTokenProjection audience/1:s expirationSeconds/2?:l path/3*+:s
StorageOSPersistentVolumeSource volumeName/1:s volumeNamespace/2:s fsType/3:s readOnly/4:b secretRef/5?:ObjectReference
StorageOSVolumeSource volumeName/1:s volumeNamespace/2:s fsType/3:s readOnly/4:b secretRef/5?:LocalObjectReference
TypedLocalObjectReference! apiGroup/1+?:s kind/2*+:s name/3*+:s
TypedObjectReference apiGroup/1+?:s kind/2*+:s name/3*+:s namespace/4?:s
Volume name/1*+:s hostPath/2.1?:HostPathVolumeSource emptyDir/2.2?:EmptyDirVolumeSource
  gcePersistentDisk/2.3?:GCEPersistentDiskVolumeSource awsElasticBlockStore/2.4?:AWSElasticBlockStoreVolumeSource
  gitRepo/2.5?:GitRepoVolumeSource secret/2.6?:SecretVolumeSource nfs/2.7?:NFSVolumeSource iscsi/2.8?:ISCSIVolumeSource
  glusterfs/2.9?:GlusterfsVolumeSource persistentVolumeClaim/2.10?:PersistentVolumeClaimVolumeSource
  rbd/2.11?:RBDVolumeSource flexVolume/2.12?:FlexVolumeSource cinder/2.13?:CinderVolumeSource
  cephfs/2.14?:CephFSVolumeSource flocker/2.15?:FlockerVolumeSource downwardAPI/2.16?:DownwardAPIVolumeSource
  fc/2.17?:FCVolumeSource azureFile/2.18?:AzureFileVolumeSource configMap/2.19?:ConfigMapVolumeSource
  vsphereVolume/2.20?:VsphereVirtualDiskVolumeSource quobyte/2.21?:QuobyteVolumeSource
  azureDisk/2.22?:AzureDiskVolumeSource photonPersistentDisk/2.23?:PhotonPersistentDiskVolumeSource
  projected/2.26?:ProjectedVolumeSource portworxVolume/2.24?:PortworxVolumeSource scaleIO/2.25?:ScaleIOVolumeSource
  storageos/2.27?:StorageOSVolumeSource csi/2.28?:CSIVolumeSource ephemeral/2.29?:EphemeralVolumeSource
  image/2.30?:ImageVolumeSource
VolumeNodeAffinity required/1?:NodeSelector
VolumeProjection secret/1?:SecretProjection downwardAPI/2?:DownwardAPIProjection configMap/3?:ConfigMapProjection
  serviceAccountToken/4?:ServiceAccountTokenProjection clusterTrustBundle/5?:ClusterTrustBundleProjection
  podCertificate/6?:PodCertificateProjection
VolumeResourceRequirements limits/1:{q}<ResourceList> requests/2:{q}<ResourceList>
VsphereVirtualDiskVolumeSource volumePath/1*+:s fsType/2:s storagePolicyName/3:s storagePolicyID/4:s
`;
