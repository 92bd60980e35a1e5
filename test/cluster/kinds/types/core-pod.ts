/** What a pod consists of in the notation of `../type-table.ts`. */
export const corePodTypes = `
Affinity nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
AppArmorProfile localhostProfile:s type*:s
Capabilities add:[s]! drop:[s]!
ConfigMapEnvSource name:s optional:b
ConfigMapKeySelector! key*:s name:s optional:b
Container args:[s]! command:[s]! env:[EnvVar]~name@name envFrom:[EnvFromSource]! image:s imagePullPolicy:s
  lifecycle:Lifecycle livenessProbe:Probe name*:s ports:[ContainerPort]~containerPort@containerPort,protocol
  readinessProbe:Probe resizePolicy:[ContainerResizePolicy]! resources:ResourceRequirements restartPolicy:s
  restartPolicyRules:[ContainerRestartRule]! securityContext:SecurityContext startupProbe:Probe stdin:b stdinOnce:b
  terminationMessagePath:s terminationMessagePolicy:s tty:b volumeDevices:[VolumeDevice]~devicePath@devicePath
  volumeMounts:[VolumeMount]~mountPath@mountPath workingDir:s
ContainerExtendedResourceRequest containerName*:s requestName*:s resourceName*:s
ContainerPort containerPort*:i hostIP:s hostPort:i name:s protocol:s=TCP
ContainerResizePolicy resourceName*:s restartPolicy*:s
ContainerRestartRule action*:s exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator*:s values:[i]@
ContainerState running:ContainerStateRunning terminated:ContainerStateTerminated waiting:ContainerStateWaiting
ContainerStateRunning startedAt:t
ContainerStateTerminated containerID:s exitCode*:i finishedAt:t message:s reason:s signal:i startedAt:t
ContainerStateWaiting message:s reason:s
ContainerStatus allocatedResources:{q} allocatedResourcesStatus:[ResourceStatus]~name@name containerID:s image*:s
  imageID*:s lastState:ContainerState name*:s ready*:b resources:ResourceRequirements restartCount*:i started:b
  state:ContainerState stopSignal:s user:ContainerUser volumeMounts:[VolumeMountStatus]~mountPath@mountPath
ContainerUser linux:LinuxContainerUser
EnvFromSource configMapRef:ConfigMapEnvSource prefix:s secretRef:SecretEnvSource
EnvVar name*:s value:s valueFrom:EnvVarSource
EnvVarSource configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector fileKeyRef:FileKeySelector
  resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector
EphemeralContainer args:[s]! command:[s]! env:[EnvVar]~name@name envFrom:[EnvFromSource]! image:s imagePullPolicy:s
  lifecycle:Lifecycle livenessProbe:Probe name*:s ports:[ContainerPort]~containerPort@containerPort,protocol
  readinessProbe:Probe resizePolicy:[ContainerResizePolicy]! resources:ResourceRequirements restartPolicy:s
  restartPolicyRules:[ContainerRestartRule]! securityContext:SecurityContext startupProbe:Probe stdin:b stdinOnce:b
  targetContainerName:s terminationMessagePath:s terminationMessagePolicy:s tty:b
  volumeDevices:[VolumeDevice]~devicePath@devicePath volumeMounts:[VolumeMount]~mountPath@mountPath workingDir:s
ExecAction command:[s]!
FileKeySelector! key*:s optional:b path*:s volumeName*:s
GRPCAction port*:i service:s
HTTPGetAction host:s httpHeaders:[HTTPHeader]! path:s port*:o scheme:s
HTTPHeader name*:s value*:s
HostAlias hostnames:[s]! ip*:s
HostIP ip*:s
Lifecycle postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:s
LifecycleHandler exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction
LinuxContainerUser gid*:l supplementalGroups:[l]! uid*:l
NodeAffinity preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm]!
  requiredDuringSchedulingIgnoredDuringExecution:NodeSelector
PodAffinity preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]!
  requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]!
PodAffinityTerm labelSelector:meta.LabelSelector matchLabelKeys:[s]! mismatchLabelKeys:[s]!
  namespaceSelector:meta.LabelSelector namespaces:[s]! topologyKey*:s
PodAntiAffinity preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]!
  requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm]!
PodCondition lastProbeTime:t lastTransitionTime:t message:s observedGeneration:l reason:s status*:s type*:s
PodDNSConfig nameservers:[s]! options:[PodDNSConfigOption]! searches:[s]!
PodDNSConfigOption name:s value:s
PodExtendedResourceClaimStatus requestMappings*:[ContainerExtendedResourceRequest]! resourceClaimName*:s
PodIP ip*:s
PodOS name*:s
PodReadinessGate conditionType*:s
PodResourceClaim name*:s resourceClaimName:s resourceClaimTemplateName:s
PodResourceClaimStatus name*:s resourceClaimName:s
PodSchedulingGate name*:s
PodSecurityContext appArmorProfile:AppArmorProfile fsGroup:l fsGroupChangePolicy:s runAsGroup:l runAsNonRoot:b
  runAsUser:l seLinuxChangePolicy:s seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile
  supplementalGroups:[l]! supplementalGroupsPolicy:s sysctls:[Sysctl]! windowsOptions:WindowsSecurityContextOptions
PodSpec activeDeadlineSeconds:l affinity:Affinity automountServiceAccountToken:b containers*:[Container]~name@name
  dnsConfig:PodDNSConfig dnsPolicy:s enableServiceLinks:b ephemeralContainers:[EphemeralContainer]~name@name
  hostAliases:[HostAlias]~ip@ip hostIPC:b hostNetwork:b hostPID:b hostUsers:b hostname:s hostnameOverride:s
  imagePullSecrets:[LocalObjectReference]~name@name initContainers:[Container]~name@name nodeName:s nodeSelector:{s}!
  os:PodOS overhead:{q} preemptionPolicy:s priority:i priorityClassName:s readinessGates:[PodReadinessGate]!
  resourceClaims:[PodResourceClaim]~name^@name resources:ResourceRequirements restartPolicy:s runtimeClassName:s
  schedulerName:s schedulingGates:[PodSchedulingGate]~name@name securityContext:PodSecurityContext serviceAccount:s
  serviceAccountName:s setHostnameAsFQDN:b shareProcessNamespace:b subdomain:s terminationGracePeriodSeconds:l
  tolerations:[Toleration]!
  topologySpreadConstraints:[TopologySpreadConstraint]~topologyKey@topologyKey,whenUnsatisfiable
  volumes:[Volume]~name^@name
PodStatus conditions:[PodCondition]~type@type containerStatuses:[ContainerStatus]!
  ephemeralContainerStatuses:[ContainerStatus]! extendedResourceClaimStatus:PodExtendedResourceClaimStatus hostIP:s
  hostIPs:[HostIP]~ip! initContainerStatuses:[ContainerStatus]! message:s nominatedNodeName:s observedGeneration:l
  phase:s podIP:s podIPs:[PodIP]~ip@ip qosClass:s reason:s resize:s
  resourceClaimStatuses:[PodResourceClaimStatus]~name^@name startTime:t
PreferredSchedulingTerm preference*:NodeSelectorTerm weight*:i
Probe exec:ExecAction failureThreshold:i grpc:GRPCAction httpGet:HTTPGetAction initialDelaySeconds:i periodSeconds:i
  successThreshold:i tcpSocket:TCPSocketAction terminationGracePeriodSeconds:l timeoutSeconds:i
ResourceClaim name*:s request:s
ResourceHealth health:s resourceID*:s
ResourceRequirements claims:[ResourceClaim]@name limits:{q} requests:{q}
ResourceStatus name*:s resources:[ResourceHealth]@resourceID
SELinuxOptions level:s role:s type:s user:s
SeccompProfile localhostProfile:s type*:s
SecretEnvSource name:s optional:b
SecretKeySelector! key*:s name:s optional:b
SecurityContext allowPrivilegeEscalation:b appArmorProfile:AppArmorProfile capabilities:Capabilities privileged:b
  procMount:s readOnlyRootFilesystem:b runAsGroup:l runAsNonRoot:b runAsUser:l seLinuxOptions:SELinuxOptions
  seccompProfile:SeccompProfile windowsOptions:WindowsSecurityContextOptions
SleepAction seconds*:l
Sysctl name*:s value*:s
TCPSocketAction host:s port*:o
Toleration effect:s key:s operator:s tolerationSeconds:l value:s
TopologySpreadConstraint labelSelector:meta.LabelSelector matchLabelKeys:[s]! maxSkew*:i minDomains:i
  nodeAffinityPolicy:s nodeTaintsPolicy:s topologyKey*:s whenUnsatisfiable*:s
VolumeDevice devicePath*:s name*:s
VolumeMount mountPath*:s mountPropagation:s name*:s readOnly:b recursiveReadOnly:s subPath:s subPathExpr:s
VolumeMountStatus mountPath*:s name*:s readOnly:b recursiveReadOnly:s
WeightedPodAffinityTerm podAffinityTerm*:PodAffinityTerm weight*:i
WindowsSecurityContextOptions gmsaCredentialSpec:s gmsaCredentialSpecName:s hostProcess:b runAsUserName:s
`;
