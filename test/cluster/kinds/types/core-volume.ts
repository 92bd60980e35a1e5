/** Volumes and their sources in the notation of `../type-table.ts`. */
export const coreVolumeTypes = `
AWSElasticBlockStoreVolumeSource fsType:s partition:i readOnly:b volumeID*:s
AzureDiskVolumeSource cachingMode:s=ReadWrite diskName*:s diskURI*:s fsType:s=ext4 kind:s=Shared readOnly:b
AzureFilePersistentVolumeSource readOnly:b secretName*:s secretNamespace:s shareName*:s
AzureFileVolumeSource readOnly:b secretName*:s shareName*:s
CSIPersistentVolumeSource controllerExpandSecretRef:SecretReference controllerPublishSecretRef:SecretReference
  driver*:s fsType:s nodeExpandSecretRef:SecretReference nodePublishSecretRef:SecretReference
  nodeStageSecretRef:SecretReference readOnly:b volumeAttributes:{s} volumeHandle*:s
CSIVolumeSource driver*:s fsType:s nodePublishSecretRef:LocalObjectReference readOnly:b volumeAttributes:{s}
CephFSPersistentVolumeSource monitors*:[s]! path:s readOnly:b secretFile:s secretRef:SecretReference user:s
CephFSVolumeSource monitors*:[s]! path:s readOnly:b secretFile:s secretRef:LocalObjectReference user:s
CinderPersistentVolumeSource fsType:s readOnly:b secretRef:SecretReference volumeID*:s
CinderVolumeSource fsType:s readOnly:b secretRef:LocalObjectReference volumeID*:s
ClusterTrustBundleProjection labelSelector:meta.LabelSelector name:s optional:b path*:s signerName:s
ConfigMapProjection items:[KeyToPath]! name:s optional:b
ConfigMapVolumeSource defaultMode:i items:[KeyToPath]! name:s optional:b
DownwardAPIProjection items:[DownwardAPIVolumeFile]!
DownwardAPIVolumeFile fieldRef:ObjectFieldSelector mode:i path*:s resourceFieldRef:ResourceFieldSelector
DownwardAPIVolumeSource defaultMode:i items:[DownwardAPIVolumeFile]!
EmptyDirVolumeSource medium:s sizeLimit:q
EphemeralVolumeSource volumeClaimTemplate:PersistentVolumeClaimTemplate
FCVolumeSource fsType:s lun:i readOnly:b targetWWNs:[s]! wwids:[s]!
FlexPersistentVolumeSource driver*:s fsType:s options:{s} readOnly:b secretRef:SecretReference
FlexVolumeSource driver*:s fsType:s options:{s} readOnly:b secretRef:LocalObjectReference
FlockerVolumeSource datasetName:s datasetUUID:s
GCEPersistentDiskVolumeSource fsType:s partition:i pdName*:s readOnly:b
GitRepoVolumeSource directory:s repository*:s revision:s
GlusterfsPersistentVolumeSource endpoints*:s endpointsNamespace:s path*:s readOnly:b
GlusterfsVolumeSource endpoints*:s path*:s readOnly:b
HostPathVolumeSource path*:s type:s
ISCSIPersistentVolumeSource chapAuthDiscovery:b chapAuthSession:b fsType:s initiatorName:s iqn*:s
  iscsiInterface:s=default lun*:i portals:[s]! readOnly:b secretRef:SecretReference targetPortal*:s
ISCSIVolumeSource chapAuthDiscovery:b chapAuthSession:b fsType:s initiatorName:s iqn*:s iscsiInterface:s=default
  lun*:i portals:[s]! readOnly:b secretRef:LocalObjectReference targetPortal*:s
ImageVolumeSource pullPolicy:s reference:s
KeyToPath key*:s mode:i path*:s
LocalObjectReference! name:s
LocalVolumeSource fsType:s path*:s
NFSVolumeSource path*:s readOnly:b server*:s
NodeSelector! nodeSelectorTerms*:[NodeSelectorTerm]!
NodeSelectorRequirement key*:s operator*:s values:[s]!
NodeSelectorTerm! matchExpressions:[NodeSelectorRequirement]! matchFields:[NodeSelectorRequirement]!
ObjectFieldSelector! apiVersion:s fieldPath*:s
ObjectReference! apiVersion:s fieldPath:s kind:s name:s namespace:s resourceVersion:s uid:s
PersistentVolumeClaimSpec accessModes:[s]! dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference
  resources:VolumeResourceRequirements selector:meta.LabelSelector storageClassName:s volumeAttributesClassName:s
  volumeMode:s volumeName:s
PersistentVolumeClaimTemplate metadata:meta.ObjectMeta spec*:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName*:s readOnly:b
PersistentVolumeSpec accessModes:[s]! awsElasticBlockStore:AWSElasticBlockStoreVolumeSource
  azureDisk:AzureDiskVolumeSource azureFile:AzureFilePersistentVolumeSource capacity:{q}
  cephfs:CephFSPersistentVolumeSource cinder:CinderPersistentVolumeSource claimRef:ObjectReference
  csi:CSIPersistentVolumeSource fc:FCVolumeSource flexVolume:FlexPersistentVolumeSource flocker:FlockerVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource glusterfs:GlusterfsPersistentVolumeSource
  hostPath:HostPathVolumeSource iscsi:ISCSIPersistentVolumeSource local:LocalVolumeSource mountOptions:[s]!
  nfs:NFSVolumeSource nodeAffinity:VolumeNodeAffinity persistentVolumeReclaimPolicy:s
  photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource
  quobyte:QuobyteVolumeSource rbd:RBDPersistentVolumeSource scaleIO:ScaleIOPersistentVolumeSource storageClassName:s
  storageos:StorageOSPersistentVolumeSource volumeAttributesClassName:s volumeMode:s
  vsphereVolume:VsphereVirtualDiskVolumeSource
PhotonPersistentDiskVolumeSource fsType:s pdID*:s
PodCertificateProjection certificateChainPath:s credentialBundlePath:s keyPath:s keyType*:s maxExpirationSeconds:i
  signerName*:s
PortworxVolumeSource fsType:s readOnly:b volumeID*:s
ProjectedVolumeSource defaultMode:i sources:[VolumeProjection]!
QuobyteVolumeSource group:s readOnly:b registry*:s tenant:s user:s volume*:s
RBDPersistentVolumeSource fsType:s image*:s keyring:s=/etc/ceph/keyring monitors*:[s]! pool:s=rbd readOnly:b
  secretRef:SecretReference user:s=admin
RBDVolumeSource fsType:s image*:s keyring:s=/etc/ceph/keyring monitors*:[s]! pool:s=rbd readOnly:b
  secretRef:LocalObjectReference user:s=admin
ResourceFieldSelector! containerName:s divisor:q resource*:s
ScaleIOPersistentVolumeSource fsType:s=xfs gateway*:s protectionDomain:s readOnly:b secretRef*:SecretReference
  sslEnabled:b storageMode:s=ThinProvisioned storagePool:s system*:s volumeName:s
ScaleIOVolumeSource fsType:s=xfs gateway*:s protectionDomain:s readOnly:b secretRef*:LocalObjectReference sslEnabled:b
  storageMode:s=ThinProvisioned storagePool:s system*:s volumeName:s
SecretProjection items:[KeyToPath]! name:s optional:b
SecretReference! name:s namespace:s
SecretVolumeSource defaultMode:i items:[KeyToPath]! optional:b secretName:s
ServiceAccountTokenProjection audience:s expirationSeconds:l path*:s
StorageOSPersistentVolumeSource fsType:s readOnly:b secretRef:ObjectReference volumeName:s volumeNamespace:s
StorageOSVolumeSource fsType:s readOnly:b secretRef:LocalObjectReference volumeName:s volumeNamespace:s
TypedLocalObjectReference! apiGroup:s kind*:s name*:s
TypedObjectReference apiGroup:s kind*:s name*:s namespace:s
Volume awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource
  azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource configMap:ConfigMapVolumeSource
  csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource emptyDir:EmptyDirVolumeSource
  ephemeral:EphemeralVolumeSource fc:FCVolumeSource flexVolume:FlexVolumeSource flocker:FlockerVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource glusterfs:GlusterfsVolumeSource
  hostPath:HostPathVolumeSource image:ImageVolumeSource iscsi:ISCSIVolumeSource name*:s nfs:NFSVolumeSource
  persistentVolumeClaim:PersistentVolumeClaimVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource
  portworxVolume:PortworxVolumeSource projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource
  scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource
  vsphereVolume:VsphereVirtualDiskVolumeSource
VolumeNodeAffinity required:NodeSelector
VolumeProjection clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection
  downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection secret:SecretProjection
  serviceAccountToken:ServiceAccountTokenProjection
VolumeResourceRequirements limits:{q} requests:{q}
VsphereVirtualDiskVolumeSource fsType:s storagePolicyID:s storagePolicyName:s volumePath*:s
`;
