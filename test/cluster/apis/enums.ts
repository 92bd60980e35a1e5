import { goNameOfField } from '../resources/go-names.ts';

/** Enum values of text types, where their schemas state them. */
const values = `
v1.AddressType FQDN|IPv4|IPv6
v1.AppArmorProfileType Localhost|RuntimeDefault|Unconfined
v1.AzureDataDiskCachingMode None|ReadOnly|ReadWrite
v1.AzureDataDiskKind Dedicated|Managed|Shared
v1.CompletionMode Indexed|NonIndexed
v1.ConcurrencyPolicy Allow|Forbid|Replace
v1.DNSPolicy ClusterFirst|ClusterFirstWithHostNet|Default|None
v1.DaemonSetUpdateStrategyType OnDelete|RollingUpdate
v1.DeploymentStrategyType Recreate|RollingUpdate
v1.FailurePolicyType Fail|Ignore
v1.HostPathType |BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket
v1.IPFamily |IPv4|IPv6
v1.IPFamilyPolicy PreferDualStack|RequireDualStack|SingleStack
v1.KeyUsage any|cert sign|client auth|code signing|content commitment|crl sign|data encipherment|decipher only|
  digital signature|email protection|encipher only|ipsec end system|ipsec tunnel|ipsec user|key agreement|
  key encipherment|microsoft sgc|netscape sgc|ocsp signing|s/mime|server auth|signing|timestamping
v1.MatchPolicyType Equivalent|Exact
v1.MountPropagationMode Bidirectional|HostToContainer|None
v1.NamespacePhase Active|Terminating
v1.NodeInclusionPolicy Honor|Ignore
v1.NodePhase Pending|Running|Terminated
v1.NodeSelectorOperator DoesNotExist|Exists|Gt|In|Lt|NotIn
v1.OperationType *|CONNECT|CREATE|DELETE|UPDATE
v1.PathType Exact|ImplementationSpecific|Prefix
v1.PersistentVolumeAccessMode ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod
v1.PersistentVolumeClaimModifyVolumeStatus InProgress|Infeasible|Pending
v1.PersistentVolumeClaimPhase Bound|Lost|Pending
v1.PersistentVolumeMode Block|Filesystem
v1.PersistentVolumePhase Available|Bound|Failed|Pending|Released
v1.PersistentVolumeReclaimPolicy Delete|Recycle|Retain
v1.PodFSGroupChangePolicy Always|OnRootMismatch
v1.PodFailurePolicyAction Count|FailIndex|FailJob|Ignore
v1.PodFailurePolicyOnExitCodesOperator In|NotIn
v1.PodManagementPolicyType OrderedReady|Parallel
v1.PodPhase Failed|Pending|Running|Succeeded|Unknown
v1.PodQOSClass BestEffort|Burstable|Guaranteed
v1.PodReplacementPolicy Failed|TerminatingOrFailed
v1.PolicyType Egress|Ingress
v1.PreemptionPolicy Never|PreemptLowerPriority
v1.ProcMountType Default|Unmasked
v1.Protocol SCTP|TCP|UDP
v1.PullPolicy Always|IfNotPresent|Never
v1.ResourceQuotaScope BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|
  Terminating|VolumeAttributesClass
v1.RestartPolicy Always|Never|OnFailure
v1.ScopeSelectorOperator DoesNotExist|Exists|In|NotIn
v1.SeccompProfileType Localhost|RuntimeDefault|Unconfined
v1.ServiceAffinity ClientIP|None
v1.ServiceExternalTrafficPolicy Cluster|Local
v1.ServiceInternalTrafficPolicy Cluster|Local
v1.ServiceType ClusterIP|ExternalName|LoadBalancer|NodePort
v1.SideEffectClass None|NoneOnDryRun|Some|Unknown
v1.Signal SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|
  SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|
  SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|
  SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|
  SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|
  SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ
v1.StatefulSetUpdateStrategyType OnDelete|RollingUpdate
v1.SupplementalGroupsPolicy Merge|Strict
v1.TaintEffect NoExecute|NoSchedule|PreferNoSchedule
v1.TerminationMessagePolicy FallbackToLogsOnError|File
v1.TolerationOperator Equal|Exists
v1.URIScheme HTTP|HTTPS
v1.UnhealthyPodEvictionPolicyType AlwaysAllow|IfHealthyBudget
v1.UnsatisfiableConstraintAction DoNotSchedule|ScheduleAnyway
v1.ValidationAction Audit|Deny|Warn
v1.VolumeBindingMode Immediate|WaitForFirstConsumer
DeviceTaintEffect NoExecute|NoSchedule
ValidationRuleReason FieldValueDuplicate|FieldValueForbidden|FieldValueInvalid|FieldValueRequired
ClaimResourceStatus ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizeInProgress|
  NodeResizeInfeasible|NodeResizePending
`;

/** Fields whose enum type differs from their Go type. */
const others: Readonly<Record<string, string>> = {
  'core.EphemeralContainer.imagePullPolicy': 'v1.PullPolicy',
  'core.EphemeralContainer.terminationMessagePolicy': 'v1.TerminationMessagePolicy',
  'core.PersistentVolumeClaimStatus.allocatedResourceStatuses': 'ClaimResourceStatus',
  'admissionregistration.NamedRuleWithOperations.operations': 'v1.OperationType',
  'apiextensions.ValidationRule.reason': 'ValidationRuleReason',
  'resource.DeviceTaint.effect': 'DeviceTaintEffect',
  'resource.DeviceToleration.effect': 'DeviceTaintEffect',
  'resource.DeviceToleration.operator': 'v1.TolerationOperator',
  'scheduling.PriorityClass.preemptionPolicy': 'v1.PreemptionPolicy',
};

/** Returns the enum values of a field such as `core.ContainerPort.protocol` or of its items; undefined when its schema has none. */
export function enumOfField(field: string): readonly string[] | undefined {
  const type = others[field] ?? goNameOfField(field);
  const start = type === undefined ? -1 : values.indexOf(`\n${type} `);
  if (start === -1) return undefined;
  const from = start + type!.length + 2;
  const end = values.slice(from).search(/\n(?! )/);
  return values
    .slice(from, from + end)
    .replaceAll('|\n  ', '|')
    .split('|');
}
