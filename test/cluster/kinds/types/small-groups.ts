/** Types of `io.k8s.api.authentication.v1`. */
export const authenticationTypes = `
BoundObjectReference apiVersion:s kind:s name:s uid:s
SelfSubjectReview object metadata:meta.ObjectMeta status:SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo:UserInfo
TokenRequest object metadata:meta.ObjectMeta spec*:TokenRequestSpec status:TokenRequestStatus
TokenRequestSpec audiences*:[s]! boundObjectRef:BoundObjectReference expirationSeconds:l
TokenRequestStatus expirationTimestamp*:t token*:s
TokenReview object metadata:meta.ObjectMeta spec*:TokenReviewSpec status:TokenReviewStatus
TokenReviewSpec audiences:[s]! token:s
TokenReviewStatus audiences:[s]! authenticated:b error:s user:UserInfo
UserInfo extra:{[s]} groups:[s]! uid:s username:s
`;

/** Types of `io.k8s.api.authorization.v1`. */
export const authorizationTypes = `
FieldSelectorAttributes rawSelector:s requirements:[meta.FieldSelectorRequirement]!
LabelSelectorAttributes rawSelector:s requirements:[meta.LabelSelectorRequirement]!
LocalSubjectAccessReview object metadata:meta.ObjectMeta spec*:SubjectAccessReviewSpec
  status:SubjectAccessReviewStatus
NonResourceAttributes path:s verb:s
NonResourceRule nonResourceURLs:[s]! verbs*:[s]!
ResourceAttributes fieldSelector:FieldSelectorAttributes group:s labelSelector:LabelSelectorAttributes name:s
  namespace:s resource:s subresource:s verb:s version:s
ResourceRule apiGroups:[s]! resourceNames:[s]! resources:[s]! verbs*:[s]!
SelfSubjectAccessReview object metadata:meta.ObjectMeta spec*:SelfSubjectAccessReviewSpec
  status:SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec nonResourceAttributes:NonResourceAttributes resourceAttributes:ResourceAttributes
SelfSubjectRulesReview object metadata:meta.ObjectMeta spec*:SelfSubjectRulesReviewSpec
  status:SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace:s
SubjectAccessReview object metadata:meta.ObjectMeta spec*:SubjectAccessReviewSpec status:SubjectAccessReviewStatus
SubjectAccessReviewSpec extra:{[s]} groups:[s]! nonResourceAttributes:NonResourceAttributes
  resourceAttributes:ResourceAttributes uid:s user:s
SubjectAccessReviewStatus allowed*:b denied:b evaluationError:s reason:s
SubjectRulesReviewStatus evaluationError:s incomplete*:b nonResourceRules*:[NonResourceRule]!
  resourceRules*:[ResourceRule]!
`;

/** Types of `io.k8s.api.certificates.v1`. */
export const certificatesTypes = `
CertificateSigningRequest object metadata:meta.ObjectMeta spec*:CertificateSigningRequestSpec
  status:CertificateSigningRequestStatus
CertificateSigningRequestCondition lastTransitionTime:t lastUpdateTime:t message:s reason:s status*:s type*:s
CertificateSigningRequestSpec expirationSeconds:i extra:{[s]} groups:[s]! request*:y! signerName*:s uid:s usages:[s]!
  username:s
CertificateSigningRequestStatus certificate:y! conditions:[CertificateSigningRequestCondition]@type
`;

/** Types of `io.k8s.api.coordination.v1`. */
export const coordinationTypes = `
Lease object metadata:meta.ObjectMeta spec:LeaseSpec
LeaseSpec acquireTime:u holderIdentity:s leaseDurationSeconds:i leaseTransitions:i preferredHolder:s renewTime:u
  strategy:s
`;

/** Types of `io.k8s.api.discovery.v1`. */
export const discoveryTypes = `
Endpoint addresses*:[s]@ conditions:EndpointConditions deprecatedTopology:{s} hints:EndpointHints hostname:s
  nodeName:s targetRef:core.ObjectReference zone:s
EndpointConditions ready:b serving:b terminating:b
EndpointHints forNodes:[ForNode]! forZones:[ForZone]!
EndpointPort! appProtocol:s name:s port:i protocol:s
EndpointSlice object addressType*:s endpoints*:[Endpoint]! metadata:meta.ObjectMeta ports:[EndpointPort]!
ForNode name*:s
ForZone name*:s
`;

/** Types of `io.k8s.api.events.v1`. */
export const eventsTypes = `
Event object action:s deprecatedCount:i deprecatedFirstTimestamp:t deprecatedLastTimestamp:t
  deprecatedSource:core.EventSource eventTime*:u metadata:meta.ObjectMeta note:s reason:s
  regarding:core.ObjectReference related:core.ObjectReference reportingController:s reportingInstance:s
  series:EventSeries type:s
EventSeries count*:i lastObservedTime*:u
`;

/** Types of `io.k8s.api.node.v1`. */
export const nodeTypes = `
Overhead podFixed:{q}
RuntimeClass object handler*:s metadata:meta.ObjectMeta overhead:Overhead scheduling:Scheduling
Scheduling nodeSelector:{s}! tolerations:[core.Toleration]!
`;

/** Types of `io.k8s.api.policy.v1`. */
export const policyTypes = `
Eviction object deleteOptions:meta.DeleteOptions metadata:meta.ObjectMeta
PodDisruptionBudget object metadata:meta.ObjectMeta spec:PodDisruptionBudgetSpec status:PodDisruptionBudgetStatus
PodDisruptionBudgetSpec maxUnavailable:o minAvailable:o selector:meta.LabelSelector unhealthyPodEvictionPolicy:s
PodDisruptionBudgetStatus conditions:[meta.Condition]~type@type currentHealthy*:i desiredHealthy*:i disruptedPods:{t}
  disruptionsAllowed*:i expectedPods*:i observedGeneration:l
`;

/** Types of `io.k8s.api.rbac.v1`. */
export const rbacTypes = `
AggregationRule clusterRoleSelectors:[meta.LabelSelector]!
ClusterRole object aggregationRule:AggregationRule metadata:meta.ObjectMeta rules:[PolicyRule]!
ClusterRoleBinding object metadata:meta.ObjectMeta roleRef*:RoleRef subjects:[Subject]!
PolicyRule apiGroups:[s]! nonResourceURLs:[s]! resourceNames:[s]! resources:[s]! verbs*:[s]!
Role object metadata:meta.ObjectMeta rules:[PolicyRule]!
RoleBinding object metadata:meta.ObjectMeta roleRef*:RoleRef subjects:[Subject]!
RoleRef! apiGroup*:s kind*:s name*:s
Subject! apiGroup:s kind*:s name*:s namespace:s
`;

/** Types of `io.k8s.api.scheduling.v1`. */
export const schedulingTypes = `
PriorityClass object description:s globalDefault:b metadata:meta.ObjectMeta preemptionPolicy:s value*:i
`;
