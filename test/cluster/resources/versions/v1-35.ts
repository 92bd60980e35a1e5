/** Differences between the tables and those of Kubernetes v1.35.4. Generated. */

import type { VersionChanges } from '../table-changes.ts';

/** Differences between Kubernetes v1.35.4 and the tables. Made by `npm run generate:upstream -- v1.35.4`. */
export const changes: VersionChanges = {
  types: {
    admissionregistration: {
      ReinvocationPolicyType: 'ReinvocationPolicyType =IfNeeded|Never',
      ScopeType: 'ScopeType =*|Cluster|Namespaced',
    },
    apiextensions: {
      CustomResourceDefinitionCondition:
        'CustomResourceDefinitionCondition type/1*+:s<CustomResourceDefinitionConditionType> status/2*+:s<ConditionStatus>\n  lastTransitionTime/3:t reason/4:s message/5:s observedGeneration/6:l',
      CustomResourceDefinitionStatus:
        'CustomResourceDefinitionStatus conditions/1+:[CustomResourceDefinitionCondition]@type\n  acceptedNames/2+:CustomResourceDefinitionNames storedVersions/3+:[s]! observedGeneration/4:l',
    },
    batch: {
      PodFailurePolicyOnPodConditionsPattern:
        'PodFailurePolicyOnPodConditionsPattern type/1*+:s<core.PodConditionType> status/2+:s<core.ConditionStatus>',
    },
    certificates: {
      CertificateSigningRequestSpec:
        'CertificateSigningRequestSpec request/1*+:y signerName/7*+:s expirationSeconds/8?:i usages/5:[s<KeyUsage>]! username/2:s\n  uid/3:s groups/4:[s]! extra/6:{[s]<ExtraValue>}',
      CertificateSigningRequestStatus:
        'CertificateSigningRequestStatus conditions/1:[CertificateSigningRequestCondition]@type certificate/2:y',
    },
    core: {
      NodeStatus:
        'NodeStatus capacity/1:{q}<ResourceList> allocatable/2:{q}<ResourceList> phase/3:s<NodePhase>\n  conditions/4:[NodeCondition]~type@type addresses/5:[NodeAddress]~type@type daemonEndpoints/6:NodeDaemonEndpoints\n  nodeInfo/7:NodeSystemInfo images/8:[ContainerImage]! volumesInUse/9:[s<UniqueVolumeName>]!\n  volumesAttached/10:[AttachedVolume]! config/11?:NodeConfigStatus runtimeHandlers/12:[NodeRuntimeHandler]!\n  features/13?:NodeFeatures declaredFeatures/14:[s]!',
      PodCertificateProjection:
        'PodCertificateProjection signerName/1*:s keyType/2*:s maxExpirationSeconds/3?:i credentialBundlePath/4:s keyPath/5:s\n  certificateChainPath/6:s userAnnotations/7:{s}',
      PodSpec:
        'PodSpec volumes/1:[Volume]~name^@name initContainers/20:[Container]~name@name containers/2*+:[Container]~name@name\n  ephemeralContainers/34:[EphemeralContainer]~name@name restartPolicy/3:s<RestartPolicy>\n  terminationGracePeriodSeconds/4?:l activeDeadlineSeconds/5?:l dnsPolicy/6:s<DNSPolicy> nodeSelector/7:{s}!\n  serviceAccountName/8:s serviceAccount/9:s automountServiceAccountToken/21?:b nodeName/10:s hostNetwork/11:b\n  hostPID/12:b hostIPC/13:b shareProcessNamespace/27?:b securityContext/14?:PodSecurityContext\n  imagePullSecrets/15:[LocalObjectReference]~name@name hostname/16:s subdomain/17:s affinity/18?:Affinity\n  schedulerName/19:s tolerations/22:[Toleration]! hostAliases/23:[HostAlias]~ip@ip priorityClassName/24:s priority/25?:i\n  dnsConfig/26?:PodDNSConfig readinessGates/28:[PodReadinessGate]! runtimeClassName/29?:s enableServiceLinks/30?:b\n  preemptionPolicy/31?:s<PreemptionPolicy> overhead/32:{q}<ResourceList>\n  topologySpreadConstraints/33:[TopologySpreadConstraint]~topologyKey@topologyKey,whenUnsatisfiable\n  setHostnameAsFQDN/35?:b os/36?:PodOS hostUsers/37?:b schedulingGates/38:[PodSchedulingGate]~name@name\n  resourceClaims/39:[PodResourceClaim]~name^@name resources/40?:ResourceRequirements hostnameOverride/41?:s\n  workloadRef/42?:WorkloadReference',
      PodStatus:
        'PodStatus observedGeneration/17:l phase/1:s<PodPhase> conditions/2:[PodCondition]~type@type message/3:s reason/4:s\n  nominatedNodeName/11:s hostIP/5:s hostIPs/16:[HostIP]~ip! podIP/6:s podIPs/12:[PodIP]~ip@ip startTime/7?:t\n  initContainerStatuses/10:[ContainerStatus]! containerStatuses/8:[ContainerStatus]! qosClass/9:s<PodQOSClass>\n  ephemeralContainerStatuses/13:[ContainerStatus]! resize/14:s<PodResizeStatus>\n  resourceClaimStatuses/15:[PodResourceClaimStatus]~name^@name\n  extendedResourceClaimStatus/18?:PodExtendedResourceClaimStatus allocatedResources/19:{q}<ResourceList>\n  resources/20?:ResourceRequirements',
      TolerationOperator: 'TolerationOperator =Equal|Exists|Gt|Lt',
      WorkloadReference: 'WorkloadReference name/1*+:s podGroup/2*+:s podGroupReplicaKey/3:s',
    },
    meta: {
      Status:
        'Status object metadata/1:ListMeta status/2:s message/3:s reason/4:s<StatusReason> details/5?:StatusDetails code/6:i',
    },
    resource: {
      AllocationConfigSource: 'AllocationConfigSource =FromClaim|FromClass',
      DeviceAllocationMode: 'DeviceAllocationMode =All|ExactCount',
      DeviceTaintEffect: 'DeviceTaintEffect =NoExecute|NoSchedule|None',
      ResourceSliceSpec:
        'ResourceSliceSpec driver/1*+:s pool/2*+:ResourcePool nodeName/3?:s nodeSelector/4?:core.NodeSelector allNodes/5?:b\n  devices/6:[Device]! perDeviceNodeSelection/7?:b sharedCounters/8:[CounterSet]!',
    },
    storage: {
      CSIDriverSpec:
        'CSIDriverSpec attachRequired/1?:b podInfoOnMount/2?:b volumeLifecycleModes/3:[s<VolumeLifecycleMode>]@\n  storageCapacity/4?:b fsGroupPolicy/5?:s<FSGroupPolicy> tokenRequests/6:[TokenRequest]! requiresRepublish/7?:b\n  seLinuxMount/8?:b nodeAllocatableUpdatePeriodSeconds/9?:l serviceAccountTokenInSecrets/10?:b',
    },
  },
  columns: {
    'validatingadmissionpolicybindings ParamRef':
      'ParamRef indicates the param resource which sets the configuration param',
    'resourceslices Driver':
      'Driver identifies the DRA driver providing the capacity information. A field selector can be used to list only ResourceSlice objects with a certain driver name.\n\nMust be a DNS subdomain and should end with a DNS domain owned by the vendor of the driver. It should use only lower case characters. This field is immutable.',
    'serviceaccounts Secrets': null,
  },
  tables: {
    builtinTable: {
      'resource.k8s.io/v1':
        'resource.k8s.io/v1\n  DeviceClass deviceclasses #Yk2PTc1Ybxk= generation unconditional returned\n  ResourceClaim resourceclaims #wgAZaHcZxUg= namespaced unconditional returned /status\n  ResourceClaimTemplate resourceclaimtemplates #TuzjC49aUfM= namespaced unconditional returned\n  ResourceSlice resourceslices #KsC072WgaEY= generation unconditional returned ?spec.driver ?spec.nodeName',
    },
    clusterRoleTable: {
      'system:aggregate-to-edit':
        'system:aggregate-to-edit\n  read core pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy; impersonate core serviceaccounts;\n  write core pods,pods/attach,pods/exec,pods/portforward,pods/proxy; create core pods/eviction;\n  write core configmaps,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy;\n  create core serviceaccounts/token; write core,events.k8s.io events;\n  write apps daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale;\n  write autoscaling horizontalpodautoscalers; write batch cronjobs,jobs;\n  write extensions daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale;\n  write policy poddisruptionbudgets; write networking.k8s.io ingresses,networkpolicies;\n  create,delete,deletecollection,get,list,patch,update,watch coordination.k8s.io leases;\n  write resource.k8s.io resourceclaims,resourceclaimtemplates',
      'system:aggregate-to-view':
        'system:aggregate-to-view\n  read core configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status;\n  read core bindings,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status;\n  read core namespaces; read core,events.k8s.io events; read discovery.k8s.io endpointslices;\n  read apps controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status;\n  read autoscaling horizontalpodautoscalers,horizontalpodautoscalers/status;\n  read batch cronjobs,cronjobs/status,jobs,jobs/status;\n  read extensions daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale;\n  read policy poddisruptionbudgets,poddisruptionbudgets/status;\n  read networking.k8s.io ingresses,ingresses/status,networkpolicies;\n  read resource.k8s.io resourceclaims,resourceclaims/status,resourceclaimtemplates',
      'system:node':
        'system:node\n  create authentication.k8s.io tokenreviews; create authorization.k8s.io localsubjectaccessreviews,subjectaccessreviews;\n  read core services; create,get,list,watch core nodes; patch,update core nodes/status; patch,update core nodes; events;\n  read core pods; create,delete core pods; patch,update core pods/status; create core pods/eviction;\n  read core configmaps,secrets; get core persistentvolumeclaims,persistentvolumes; get core endpoints;\n  create,get,list,watch certificates.k8s.io certificatesigningrequests;\n  create,delete,get,patch,update coordination.k8s.io leases; get storage.k8s.io volumeattachments;\n  create core serviceaccounts/token; get,patch,update core persistentvolumeclaims/status;\n  read storage.k8s.io csidrivers; create,delete,get,patch,update storage.k8s.io csinodes;\n  read node.k8s.io runtimeclasses; get resource.k8s.io resourceclaims; deletecollection resource.k8s.io resourceslices;\n  get core serviceaccounts',
    },
    controllerRoleTable: {
      'statefulset-controller':
        'statefulset-controller\n  list,watch core pods; read apps statefulsets; update apps statefulsets/status; update apps statefulsets/finalizers;\n  create,delete,get,patch,update core pods; create,delete,get,list,patch,update,watch apps controllerrevisions;\n  create,get,list,watch core persistentvolumeclaims; delete,update core persistentvolumeclaims;\n  update core pods/finalizers; events',
    },
    internalStructs: {
      'core.PodSpec':
        'core.PodSpec volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds\n  activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName automountServiceAccountToken nodeName securityContext\n  imagePullSecrets hostname subdomain setHostnameAsFQDN affinity schedulerName tolerations hostAliases priorityClassName\n  priority preemptionPolicy dnsConfig readinessGates runtimeClassName overhead enableServiceLinks\n  topologySpreadConstraints os schedulingGates resourceClaims resources hostnameOverride workloadRef',
      'core.PodStatus':
        'core.PodStatus observedGeneration phase conditions message reason nominatedNodeName hostIP hostIPs podIPs startTime\n  qosClass initContainerStatuses containerStatuses ephemeralContainerStatuses resize resourceClaimStatuses\n  extendedResourceClaimStatus allocatedResources resources',
      'storage.CSIDriverSpec':
        'storage.CSIDriverSpec attachRequired fsGroupPolicy podInfoOnMount volumeLifecycleModes storageCapacity tokenRequests\n  requiresRepublish seLinuxMount nodeAllocatableUpdatePeriodSeconds serviceAccountTokenInSecrets',
    },
    roleTable: {
      'kube-system/system::leader-locking-kube-controller-manager':
        'kube-system/system::leader-locking-kube-controller-manager\n  create,get,list,update,watch coordination.k8s.io leases;\n  create,get,list,update,watch coordination.k8s.io leasecandidates',
      'kube-system/system::leader-locking-kube-scheduler':
        'kube-system/system::leader-locking-kube-scheduler\n  create,get,list,update,watch coordination.k8s.io leases;\n  create,get,list,update,watch coordination.k8s.io leasecandidates',
    },
  },
};
