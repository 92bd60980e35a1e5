import { appsTable } from './apps/apps-resources.ts';
import { batchTable } from './batch/batch-resources.ts';

/**
 * Built-in kinds: a line per group and version, below it one per kind, continued by a deeper indent. After the kind
 * and plural follow:
 * `-short` names, `@categories`, `#` the storage version hash, `=` the verbs unless all are served, and flags:
 * `namespaced`; `generation` is counted; PUT is `unconditional` (needs no resourceVersion) or an `upsert`; DELETE
 * answers with the object (`returned`);
 * a status update may change metadata (`statusMetadata`). `/name(group/version.Kind:verbs)` is a subresource,
 * `/status` and `/scale` are short forms.
 */
export const builtinTable = `
v1
  Binding bindings namespaced =create
  ComponentStatus componentstatuses -cs =get,list
  ConfigMap configmaps -cm #qFsyl6wFWjQ= namespaced unconditional
  Endpoints endpoints -ep #fWeeMqaN/OA= namespaced unconditional upsert
  Event events -ev #r2yiGXH7wu8= namespaced unconditional upsert
  LimitRange limitranges -limits #EBKMFVe6cwo= namespaced unconditional upsert
  Namespace namespaces -ns #Q3oi5N2YM8M= unconditional returned statusMetadata
    =create,delete,get,list,patch,update,watch /finalize(Namespace:update) /status
  Node nodes -no #XwShjMxG9Fs= unconditional statusMetadata
    /proxy(NodeProxyOptions:create,delete,get,patch,update) /status
  PersistentVolumeClaim persistentvolumeclaims -pvc #QWTyNDq0dC4= namespaced unconditional returned statusMetadata
    /status
  PersistentVolume persistentvolumes -pv #HN/zwEC+JgM= unconditional returned statusMetadata /status
  Pod pods -po @all #xPOwRZ+Yhw8= namespaced generation unconditional returned statusMetadata
    /attach(PodAttachOptions:create,get) /binding(Binding:create) /ephemeralcontainers(Pod:get,patch,update)
    /eviction(policy/v1.Eviction:create) /exec(PodExecOptions:create,get) /log(Pod:get)
    /portforward(PodPortForwardOptions:create,get) /proxy(PodProxyOptions:create,delete,get,patch,update)
    /resize(Pod:get,patch,update) /status
  PodTemplate podtemplates #LIXB2x4IFpk= namespaced generation unconditional returned
  ReplicationController replicationcontrollers -rc @all #Jond2If31h0= namespaced generation unconditional returned
    statusMetadata /scale /status
  ResourceQuota resourcequotas -quota #8uhSgffRX6w= namespaced unconditional returned statusMetadata /status
  Secret secrets #S6u1pOWzb84= namespaced unconditional
  ServiceAccount serviceaccounts -sa #pbx9ZvyFpBE= namespaced unconditional returned
    /token(authentication.k8s.io/v1.TokenRequest:create)
  Service services -svc @all #0/CO1lhkEBI= namespaced unconditional upsert returned statusMetadata
    /proxy(ServiceProxyOptions:create,delete,get,patch,update) /status
apiregistration.k8s.io/v1
  APIService apiservices @api-extensions #InPBPD7+PqM= /status
${appsTable}
events.k8s.io/v1
  Event events -ev #r2yiGXH7wu8= namespaced unconditional upsert
authentication.k8s.io/v1
  SelfSubjectReview selfsubjectreviews =create
  TokenReview tokenreviews =create
authorization.k8s.io/v1
  LocalSubjectAccessReview localsubjectaccessreviews namespaced =create
  SelfSubjectAccessReview selfsubjectaccessreviews =create
  SelfSubjectRulesReview selfsubjectrulesreviews =create
  SubjectAccessReview subjectaccessreviews =create
autoscaling/v2
  HorizontalPodAutoscaler horizontalpodautoscalers -hpa @all #qwQve8ut294= namespaced unconditional statusMetadata
    /status
autoscaling/v1
  HorizontalPodAutoscaler horizontalpodautoscalers -hpa @all #qwQve8ut294= namespaced unconditional statusMetadata
    /status
${batchTable}
certificates.k8s.io/v1
  CertificateSigningRequest certificatesigningrequests -csr #95fRKMXA+00= unconditional statusMetadata
    /approval(CertificateSigningRequest:get,patch,update) /status
networking.k8s.io/v1
  IngressClass ingressclasses #l/iqIbDgFyQ= generation unconditional
  Ingress ingresses -ing #39NQlfNR+bo= namespaced generation unconditional statusMetadata /status
  IPAddress ipaddresses -ip #3f/plJFChNE= unconditional
  NetworkPolicy networkpolicies -netpol #YpfwF18m1G8= namespaced generation unconditional
  ServiceCIDR servicecidrs #gNLvruQhW2g= unconditional /status
policy/v1
  PodDisruptionBudget poddisruptionbudgets -pdb #EVWiDmWqyJw= namespaced generation statusMetadata /status
rbac.authorization.k8s.io/v1
  ClusterRoleBinding clusterrolebindings #48tpQ8gZHFc= unconditional upsert
  ClusterRole clusterroles #bYE5ZWDrJ44= unconditional upsert
  RoleBinding rolebindings #eGsCzGH6b1g= namespaced unconditional upsert
  Role roles #7FuwZcIIItM= namespaced unconditional upsert
storage.k8s.io/v1
  CSIDriver csidrivers #hL6j/rwBV5w= generation returned
  CSINode csinodes #Pe62DkZtjuo= returned
  CSIStorageCapacity csistoragecapacities #xeVl+2Ly1kE= namespaced
  StorageClass storageclasses -sc #K+m6uJwbjGY= unconditional returned
  VolumeAttachment volumeattachments #tJx/ezt6UDU= returned /status
  VolumeAttributesClass volumeattributesclasses -vac #Bl3MtjZ/n/s= unconditional returned
admissionregistration.k8s.io/v1
  MutatingWebhookConfiguration mutatingwebhookconfigurations @api-extensions #Sqi0GUgDaX0= generation
  ValidatingAdmissionPolicy validatingadmissionpolicies @api-extensions #6OxvlMmQ6is= generation /status
  ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings @api-extensions #v9715VZqakg= generation
  ValidatingWebhookConfiguration validatingwebhookconfigurations @api-extensions #B0wHjQmsGNk= generation
apiextensions.k8s.io/v1
  CustomResourceDefinition customresourcedefinitions -crd -crds @api-extensions #jfWCUB31mvA= generation
    statusMetadata /status
scheduling.k8s.io/v1
  PriorityClass priorityclasses -pc #1QwjyaZjj3Y= generation unconditional
coordination.k8s.io/v1
  Lease leases #gqkMMb/YqFM= namespaced upsert
node.k8s.io/v1
  RuntimeClass runtimeclasses #WQTu1GL3T2Q= upsert
discovery.k8s.io/v1
  EndpointSlice endpointslices #qgS0xkrxYAI= namespaced generation unconditional
resource.k8s.io/v1
  DeviceClass deviceclasses #weQRMT6DeYM= generation unconditional returned
  ResourceClaim resourceclaims #EJAWH5WrAYg= namespaced unconditional returned /status
  ResourceClaimTemplate resourceclaimtemplates #24m0okHrUtk= namespaced unconditional returned
  ResourceSlice resourceslices #z6Bc9vgk6yE= generation unconditional returned
flowcontrol.apiserver.k8s.io/v1
  FlowSchema flowschemas #GJVAJZSZBIw= generation unconditional /status
  PriorityLevelConfiguration prioritylevelconfigurations #Kir5PVfvNeI= generation unconditional /status
`;
