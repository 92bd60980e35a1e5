/** Internal structs whose fields have another order or other names than the published types say. */

import { paragraphsOf } from './table-changes.ts';

/**
 * A line for each struct: its type, then its fields in their order, by their names in JSON, with `=` and the name in Go
 * where it is not {@link goNameOf} of that. Fields of the type that the line has not are not in the struct. Made by
 * `npm run generate:upstream`.
 */
export const internalStructs = `
admissionregistration.Rule apiGroups apiVersions resources scope
admissionregistration.ValidatingAdmissionPolicySpec paramKind matchConstraints validations matchConditions failurePolicy
  auditAnnotations variables
autoscaling.HorizontalPodAutoscalerSpec scaleTargetRef minReplicas maxReplicas
autoscaling.HorizontalPodAutoscalerStatus observedGeneration lastScaleTime currentReplicas desiredReplicas
autoscaling2.ContainerResourceMetricSource name container target
autoscaling2.ContainerResourceMetricStatus name container current
batch.JobSpec parallelism completions podFailurePolicy successPolicy activeDeadlineSeconds backoffLimit
  backoffLimitPerIndex maxFailedIndexes selector manualSelector template ttlSecondsAfterFinished completionMode suspend
  podReplacementPolicy managedBy
batch.JobStatus conditions startTime completionTime active terminating ready succeeded failed completedIndexes
  failedIndexes uncountedTerminatedPods
core.AzureDiskVolumeSource diskName diskURI=DataDiskURI cachingMode fsType readOnly kind
core.ContainerStatus name state lastState=LastTerminationState ready restartCount image imageID containerID started
  allocatedResources resources volumeMounts user allocatedResourcesStatus stopSignal
core.EphemeralContainerCommon name image command args workingDir ports envFrom env resources resizePolicy restartPolicy
  restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle
  terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty
core.Event metadata involvedObject reason message source firstTimestamp lastTimestamp count type eventTime series action
  related reportingComponent=ReportingController reportingInstance
core.FCVolumeSource targetWWNs lun fsType readOnly wwids=WWIDs
core.GlusterfsPersistentVolumeSource endpoints=EndpointsName path readOnly endpointsNamespace
core.GlusterfsVolumeSource endpoints=EndpointsName path readOnly
core.ISCSIPersistentVolumeSource targetPortal iqn lun iscsiInterface fsType readOnly portals
  chapAuthDiscovery=DiscoveryCHAPAuth chapAuthSession=SessionCHAPAuth secretRef initiatorName
core.ISCSIVolumeSource targetPortal iqn lun iscsiInterface fsType readOnly portals chapAuthDiscovery=DiscoveryCHAPAuth
  chapAuthSession=SessionCHAPAuth secretRef initiatorName
core.LinuxContainerUser uid gid=GID supplementalGroups
core.NodeSpec podCIDRs providerID unschedulable taints configSource externalID=DoNotUseExternalID
core.PersistentVolumeSource gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd quobyte iscsi flexVolume
  cinder cephfs=CephFS fc flocker azureFile vsphereVolume azureDisk photonPersistentDisk portworxVolume scaleIO local
  storageos=StorageOS csi
core.PersistentVolumeSpec capacity gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd quobyte iscsi
  flexVolume cinder cephfs=CephFS fc flocker azureFile vsphereVolume azureDisk photonPersistentDisk portworxVolume
  scaleIO local storageos=StorageOS csi accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions
  volumeMode nodeAffinity volumeAttributesClassName
core.PhotonPersistentDiskVolumeSource pdID=PdID fsType
core.PodSecurityContext seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot supplementalGroups
  supplementalGroupsPolicy fsGroup fsGroupChangePolicy sysctls seccompProfile appArmorProfile seLinuxChangePolicy
core.PodSpec volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds
  activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName automountServiceAccountToken nodeName securityContext
  imagePullSecrets hostname subdomain setHostnameAsFQDN affinity schedulerName tolerations hostAliases priorityClassName
  priority preemptionPolicy dnsConfig readinessGates runtimeClassName overhead enableServiceLinks
  topologySpreadConstraints os schedulingGates resourceClaims resources hostnameOverride
core.PodStatus observedGeneration phase conditions message reason nominatedNodeName hostIP hostIPs podIPs startTime
  qosClass initContainerStatuses containerStatuses ephemeralContainerStatuses resize resourceClaimStatuses
  extendedResourceClaimStatus
core.ProbeHandler exec httpGet tcpSocket grpc
core.RBDPersistentVolumeSource monitors=CephMonitors image=RBDImage fsType pool=RBDPool user=RadosUser keyring secretRef
  readOnly
core.RBDVolumeSource monitors=CephMonitors image=RBDImage fsType pool=RBDPool user=RadosUser keyring secretRef readOnly
core.Secret metadata immutable data type
core.ServiceSpec type ports selector clusterIP clusterIPs ipFamilies ipFamilyPolicy externalName externalIPs
  loadBalancerIP sessionAffinity sessionAffinityConfig loadBalancerSourceRanges externalTrafficPolicy
  healthCheckNodePort publishNotReadyAddresses allocateLoadBalancerNodePorts loadBalancerClass internalTrafficPolicy
  trafficDistribution
core.Volume name hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs
  persistentVolumeClaim rbd quobyte flexVolume cinder cephfs=CephFS flocker downwardAPI fc azureFile configMap
  vsphereVolume azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos=StorageOS csi ephemeral image
core.VolumeSource hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs
  persistentVolumeClaim rbd quobyte flexVolume cinder cephfs=CephFS flocker downwardAPI fc azureFile configMap
  vsphereVolume azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos=StorageOS csi ephemeral image
events.Event metadata reason type eventTime series action related reportingController reportingInstance
networking.IngressRuleValue http
networking.ServiceCIDRSpec cidrs=CIDRs
resource.DeviceAttribute int=IntValue bool=BoolValue string=StringValue version=VersionValue
resource.DeviceConfiguration opaque
resource.NetworkDeviceData interfaceName ips=IPs hardwareAddress
storage.CSIDriverSpec attachRequired fsGroupPolicy podInfoOnMount volumeLifecycleModes storageCapacity tokenRequests
  requiresRepublish seLinuxMount nodeAllocatableUpdatePeriodSeconds
`;

/** Initialisms that Go writes in capitals at the start of names. */
const initials =
  /^(?:api|aws|ca|cel|chap|cidr|csi|dns|fc|fs|gce|gmsa|grpc|http|ip|iqn|iscsi|nfs|os|pd|qos|rbd|ssl|tcp|tls|tty|ttl|uid|url)(?=[A-Z]|$)/;

/** Returns the name in Go of most fields with a name in JSON. */
export function goNameOf(name: string): string {
  if (name.startsWith('seLinux')) return name.replace('seLinux', 'SELinux');
  const start = initials.exec(name)?.[0] ?? name.charAt(0);
  return start.toUpperCase() + name.slice(start.length);
}

/** Field of an internal struct: its names in JSON and in Go. */
export interface InternalField {
  readonly name: string;
  readonly goName: string;
}

function fieldFrom(word: string): InternalField {
  const [name = '', goName = goNameOf(name)] = word.split('=');
  return { name, goName };
}

/** Parses a line of the table into the fields of the struct. */
export const internalFieldsIn = (line: string): readonly InternalField[] => line.split(/\s+/).slice(1).map(fieldFrom);

const structs: ReadonlyMap<string, readonly InternalField[]> = new Map(
  [...paragraphsOf(internalStructs)].map(([type, line]) => [type, internalFieldsIn(line)]),
);

/** Returns the fields of an internal struct; undefined where they are those of the published type. */
export const internalStruct = (type: string): readonly InternalField[] | undefined => structs.get(type);
