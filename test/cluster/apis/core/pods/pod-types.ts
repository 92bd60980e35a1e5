/** Types of pods in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const corePodTypes = `
Affinity nodeAffinity/1?:NodeAffinity podAffinity/2?:PodAffinity podAntiAffinity/3?:PodAntiAffinity
AppArmorProfile type/1*+:s<AppArmorProfileType> localhostProfile/2?:s
AppArmorProfileType =Localhost|RuntimeDefault|Unconfined
Capabilities add/1:[s<Capability>]! drop/2:[s<Capability>]!
ConfigMapEnvSource name/1.1:s= optional/2?:b
ConfigMapKeySelector! name/1.1:s= key/2*+:s optional/3?:b
Container name/1*+:s image/2:s command/3:[s]! args/4:[s]! workingDir/5:s
  ports/6:[ContainerPort]~containerPort@containerPort,protocol envFrom/19:[EnvFromSource]! env/7:[EnvVar]~name@name
  resources/8:ResourceRequirements resizePolicy/23:[ContainerResizePolicy]! restartPolicy/24?:s<ContainerRestartPolicy>
  restartPolicyRules/25:[ContainerRestartRule]! volumeMounts/9:[VolumeMount]~mountPath@mountPath
  volumeDevices/21:[VolumeDevice]~devicePath@devicePath livenessProbe/10?:Probe readinessProbe/11?:Probe
  startupProbe/22?:Probe lifecycle/12?:Lifecycle terminationMessagePath/13:s
  terminationMessagePolicy/20:s<TerminationMessagePolicy> imagePullPolicy/14:s<PullPolicy>
  securityContext/15?:SecurityContext stdin/16:b stdinOnce/17:b tty/18:b
ContainerExtendedResourceRequest containerName/1*+:s resourceName/2*+:s requestName/3*+:s
ContainerPort name/1:s hostPort/2:i containerPort/3*+:i protocol/4:s<Protocol>=TCP hostIP/5:s
ContainerResizePolicy resourceName/1*+:s<ResourceName> restartPolicy/2*+:s<ResourceResizeRestartPolicy>
ContainerRestartRule action/1*:s<ContainerRestartRuleAction> exitCodes/2?:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator/1*:s<ContainerRestartRuleOnExitCodesOperator> values/2:[i]@
ContainerState waiting/1?:ContainerStateWaiting running/2?:ContainerStateRunning terminated/3?:ContainerStateTerminated
ContainerStateRunning startedAt/1:t
ContainerStateTerminated exitCode/1*+:i signal/2:i reason/3:s message/4:s startedAt/5:t finishedAt/6:t containerID/7:s
ContainerStateWaiting reason/1:s message/2:s
ContainerStatus name/1*+:s state/2:ContainerState lastState/3:ContainerState ready/4*+:b restartCount/5*+:i image/6*+:s
  imageID/7*+:s containerID/8:s started/9?:b allocatedResources/10:{q}<ResourceList> resources/11?:ResourceRequirements
  volumeMounts/12:[VolumeMountStatus]~mountPath@mountPath user/13?:ContainerUser
  allocatedResourcesStatus/14:[ResourceStatus]~name@name stopSignal/15?:s<Signal>
ContainerUser linux/1?:LinuxContainerUser
DNSPolicy =ClusterFirst|ClusterFirstWithHostNet|Default|None
EnvFromSource prefix/1:s configMapRef/2?:ConfigMapEnvSource secretRef/3?:SecretEnvSource
EnvVar name/1*+:s value/2:s valueFrom/3?:EnvVarSource
EnvVarSource fieldRef/1?:ObjectFieldSelector resourceFieldRef/2?:ResourceFieldSelector
  configMapKeyRef/3?:ConfigMapKeySelector secretKeyRef/4?:SecretKeySelector fileKeyRef/5?:FileKeySelector
EphemeralContainer name/1.1*+:s image/1.2:s command/1.3:[s]! args/1.4:[s]! workingDir/1.5:s
  ports/1.6:[ContainerPort]~containerPort@containerPort,protocol envFrom/1.19:[EnvFromSource]!
  env/1.7:[EnvVar]~name@name resources/1.8:ResourceRequirements resizePolicy/1.23:[ContainerResizePolicy]!
  restartPolicy/1.24?:s<ContainerRestartPolicy> restartPolicyRules/1.25:[ContainerRestartRule]!
  volumeMounts/1.9:[VolumeMount]~mountPath@mountPath volumeDevices/1.21:[VolumeDevice]~devicePath@devicePath
  livenessProbe/1.10?:Probe readinessProbe/1.11?:Probe startupProbe/1.22?:Probe lifecycle/1.12?:Lifecycle
  terminationMessagePath/1.13:s terminationMessagePolicy/1.20:s<TerminationMessagePolicy>
  imagePullPolicy/1.14:s<PullPolicy> securityContext/1.15?:SecurityContext stdin/1.16:b stdinOnce/1.17:b tty/1.18:b
  targetContainerName/2:s
ExecAction command/1:[s]!
FileKeySelector! volumeName/1*+:s path/2*+:s key/3*+:s optional/4?:b=
GRPCAction port/1*+:i service/2+?:s=
HTTPGetAction path/1:s port/2*+:o host/3:s scheme/4:s<URIScheme> httpHeaders/5:[HTTPHeader]!
HTTPHeader name/1*+:s value/2*+:s
HostAlias ip/1*+:s hostnames/2:[s]!
HostIP ip/1*+:s
Lifecycle postStart/1?:LifecycleHandler preStop/2?:LifecycleHandler stopSignal/3?:s<Signal>
LifecycleHandler exec/1?:ExecAction httpGet/2?:HTTPGetAction tcpSocket/3?:TCPSocketAction sleep/4?:SleepAction
LinuxContainerUser uid/1*+:l gid/2*+:l supplementalGroups/3:[l]!
MountPropagationMode =Bidirectional|HostToContainer|None
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution/1?:NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution/2:[PreferredSchedulingTerm]!
NodeInclusionPolicy =Honor|Ignore
PodAffinity requiredDuringSchedulingIgnoredDuringExecution/1:[PodAffinityTerm]!
  preferredDuringSchedulingIgnoredDuringExecution/2:[WeightedPodAffinityTerm]!
PodAffinityTerm labelSelector/1?:meta.LabelSelector namespaces/2:[s]! topologyKey/3*+:s
  namespaceSelector/4?:meta.LabelSelector matchLabelKeys/5:[s]! mismatchLabelKeys/6:[s]!
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution/1:[PodAffinityTerm]!
  preferredDuringSchedulingIgnoredDuringExecution/2:[WeightedPodAffinityTerm]!
PodCondition type/1*+:s<PodConditionType> observedGeneration/7:l status/2*+:s<ConditionStatus> lastProbeTime/3:t
  lastTransitionTime/4:t reason/5:s message/6:s
PodDNSConfig nameservers/1:[s]! searches/2:[s]! options/3:[PodDNSConfigOption]!
PodDNSConfigOption name/1:s value/2?:s
PodExtendedResourceClaimStatus requestMappings/1*+:[ContainerExtendedResourceRequest]! resourceClaimName/2*+:s
PodFSGroupChangePolicy =Always|OnRootMismatch
PodIP ip/1*+:s
PodOS name/1*+:s<OSName>
PodPhase =Failed|Pending|Running|Succeeded|Unknown
PodQOSClass =BestEffort|Burstable|Guaranteed
PodReadinessGate conditionType/1*+:s<PodConditionType>
PodResourceClaim name/1*+:s resourceClaimName/3?:s resourceClaimTemplateName/4?:s
PodResourceClaimStatus name/1*+:s resourceClaimName/2?:s
PodSchedulingGate name/1*+:s
PodSecurityContext seLinuxOptions/1?:SELinuxOptions windowsOptions/8?:WindowsSecurityContextOptions runAsUser/2?:l
  runAsGroup/6?:l runAsNonRoot/3?:b supplementalGroups/4:[l]! supplementalGroupsPolicy/12?:s<SupplementalGroupsPolicy>
  fsGroup/5?:l sysctls/7:[Sysctl]! fsGroupChangePolicy/9?:s<PodFSGroupChangePolicy> seccompProfile/10?:SeccompProfile
  appArmorProfile/11?:AppArmorProfile seLinuxChangePolicy/13?:s<PodSELinuxChangePolicy>
PodSpec volumes/1:[Volume]~name^@name initContainers/20:[Container]~name@name containers/2*+:[Container]~name@name
  ephemeralContainers/34:[EphemeralContainer]~name@name restartPolicy/3:s<RestartPolicy>
  terminationGracePeriodSeconds/4?:l activeDeadlineSeconds/5?:l dnsPolicy/6:s<DNSPolicy> nodeSelector/7:{s}!
  serviceAccountName/8:s serviceAccount/9:s automountServiceAccountToken/21?:b nodeName/10:s hostNetwork/11:b
  hostPID/12:b hostIPC/13:b shareProcessNamespace/27?:b securityContext/14?:PodSecurityContext
  imagePullSecrets/15:[LocalObjectReference]~name@name hostname/16:s subdomain/17:s affinity/18?:Affinity
  schedulerName/19:s tolerations/22:[Toleration]! hostAliases/23:[HostAlias]~ip@ip priorityClassName/24:s priority/25?:i
  dnsConfig/26?:PodDNSConfig readinessGates/28:[PodReadinessGate]! runtimeClassName/29?:s enableServiceLinks/30?:b
  preemptionPolicy/31?:s<PreemptionPolicy> overhead/32:{q}<ResourceList>
  topologySpreadConstraints/33:[TopologySpreadConstraint]~topologyKey@topologyKey,whenUnsatisfiable
  setHostnameAsFQDN/35?:b os/36?:PodOS hostUsers/37?:b schedulingGates/38:[PodSchedulingGate]~name@name
  resourceClaims/39:[PodResourceClaim]~name^@name resources/40?:ResourceRequirements hostnameOverride/41?:s
PodStatus observedGeneration/17:l phase/1:s<PodPhase> conditions/2:[PodCondition]~type@type message/3:s reason/4:s
  nominatedNodeName/11:s hostIP/5:s hostIPs/16:[HostIP]~ip! podIP/6:s podIPs/12:[PodIP]~ip@ip startTime/7?:t
  initContainerStatuses/10:[ContainerStatus]! containerStatuses/8:[ContainerStatus]! qosClass/9:s<PodQOSClass>
  ephemeralContainerStatuses/13:[ContainerStatus]! resize/14:s<PodResizeStatus>
  resourceClaimStatuses/15:[PodResourceClaimStatus]~name^@name
  extendedResourceClaimStatus/18?:PodExtendedResourceClaimStatus
PreemptionPolicy =Never|PreemptLowerPriority
PreferredSchedulingTerm weight/1*+:i preference/2*+:NodeSelectorTerm
Probe exec/1.1?:ExecAction httpGet/1.2?:HTTPGetAction tcpSocket/1.3?:TCPSocketAction grpc/1.4?:GRPCAction
  initialDelaySeconds/2:i timeoutSeconds/3:i periodSeconds/4:i successThreshold/5:i failureThreshold/6:i
  terminationGracePeriodSeconds/7?:l
ProcMountType =Default|Unmasked
Protocol =SCTP|TCP|UDP
ResourceClaim name/1*+:s request/2:s
ResourceHealth resourceID/1*+:s<ResourceID> health/2:s<ResourceHealthStatus>
ResourceRequirements limits/1:{q}<ResourceList> requests/2:{q}<ResourceList> claims/3:[ResourceClaim]@name
ResourceStatus name/1*+:s<ResourceName> resources/2:[ResourceHealth]@resourceID
RestartPolicy =Always|Never|OnFailure
SELinuxOptions user/1:s role/2:s type/3:s level/4:s
SeccompProfile type/1*+:s<SeccompProfileType> localhostProfile/2?:s
SeccompProfileType =Localhost|RuntimeDefault|Unconfined
SecretEnvSource name/1.1:s= optional/2?:b
SecretKeySelector! name/1.1:s= key/2*+:s optional/3?:b
SecurityContext capabilities/1?:Capabilities privileged/2?:b seLinuxOptions/3?:SELinuxOptions
  windowsOptions/10?:WindowsSecurityContextOptions runAsUser/4?:l runAsGroup/8?:l runAsNonRoot/5?:b
  readOnlyRootFilesystem/6?:b allowPrivilegeEscalation/7?:b procMount/9?:s<ProcMountType>
  seccompProfile/11?:SeccompProfile appArmorProfile/12?:AppArmorProfile
Signal =SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|
  SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|
  SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|
  SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|
  SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|
  SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ
SleepAction seconds/1*+:l
SupplementalGroupsPolicy =Merge|Strict
Sysctl name/1*+:s value/2*+:s
TCPSocketAction port/1*+:o host/2:s
TaintEffect =NoExecute|NoSchedule|PreferNoSchedule
TerminationMessagePolicy =FallbackToLogsOnError|File
Toleration key/1:s operator/2:s<TolerationOperator> value/3:s effect/4:s<TaintEffect> tolerationSeconds/5?:l
TolerationOperator =Equal|Exists
TopologySpreadConstraint maxSkew/1*+:i topologyKey/2*+:s whenUnsatisfiable/3*+:s<UnsatisfiableConstraintAction>
  labelSelector/4?:meta.LabelSelector minDomains/5?:i nodeAffinityPolicy/6?:s<NodeInclusionPolicy>
  nodeTaintsPolicy/7?:s<NodeInclusionPolicy> matchLabelKeys/8:[s]!
URIScheme =HTTP|HTTPS
UnsatisfiableConstraintAction =DoNotSchedule|ScheduleAnyway
VolumeDevice name/1*+:s devicePath/2*+:s
VolumeMount name/1*+:s readOnly/2:b recursiveReadOnly/7?:s<RecursiveReadOnlyMode> mountPath/3*+:s subPath/4:s
  mountPropagation/5?:s<MountPropagationMode> subPathExpr/6:s
VolumeMountStatus name/1*+:s mountPath/2*+:s readOnly/3:b recursiveReadOnly/4?:s<RecursiveReadOnlyMode>
WeightedPodAffinityTerm weight/1*+:i podAffinityTerm/2*+:PodAffinityTerm
WindowsSecurityContextOptions gmsaCredentialSpecName/1?:s gmsaCredentialSpec/2?:s runAsUserName/3?:s hostProcess/4?:b
`;
