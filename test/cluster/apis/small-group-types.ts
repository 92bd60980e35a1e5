/** Types of the smaller API groups, in the notation of `resources/type-table.ts`. */

/** Types of `io.k8s.api.authentication.v1`. */
export const authenticationTypes = `
BoundObjectReference kind/1:s apiVersion/2:s name/3:s uid/4:s
SelfSubjectReview object metadata/1:meta.ObjectMeta status/2:SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo/1:UserInfo
TokenRequest object metadata/1:meta.ObjectMeta spec/2*+:TokenRequestSpec status/3:TokenRequestStatus
TokenRequestSpec audiences/1*+:[s]! expirationSeconds/4+?:l boundObjectRef/3+?:BoundObjectReference
TokenRequestStatus token/1*+:s expirationTimestamp/2*+:t
TokenReview object metadata/1:meta.ObjectMeta spec/2*+:TokenReviewSpec status/3:TokenReviewStatus
TokenReviewSpec token/1:s audiences/2:[s]!
TokenReviewStatus authenticated/1:b user/2:UserInfo audiences/4:[s]! error/3:s
UserInfo username/1:s uid/2:s groups/3:[s]! extra/4:{[s]}
`;

/** Types of `io.k8s.api.authorization.v1`. */
export const authorizationTypes = `
FieldSelectorAttributes rawSelector/1:s requirements/2:[meta.FieldSelectorRequirement]!
LabelSelectorAttributes rawSelector/1:s requirements/2:[meta.LabelSelectorRequirement]!
LocalSubjectAccessReview object metadata/1:meta.ObjectMeta spec/2*+:SubjectAccessReviewSpec
  status/3:SubjectAccessReviewStatus
NonResourceAttributes path/1:s verb/2:s
NonResourceRule verbs/1*+:[s]! nonResourceURLs/2:[s]!
ResourceAttributes namespace/1:s verb/2:s group/3:s version/4:s resource/5:s subresource/6:s name/7:s
  fieldSelector/8?:FieldSelectorAttributes labelSelector/9?:LabelSelectorAttributes
ResourceRule verbs/1*+:[s]! apiGroups/2:[s]! resources/3:[s]! resourceNames/4:[s]!
SelfSubjectAccessReview object metadata/1:meta.ObjectMeta spec/2*+:SelfSubjectAccessReviewSpec
  status/3:SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec resourceAttributes/1?:ResourceAttributes nonResourceAttributes/2?:NonResourceAttributes
SelfSubjectRulesReview object metadata/1:meta.ObjectMeta spec/2*+:SelfSubjectRulesReviewSpec
  status/3:SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace/1:s
SubjectAccessReview object metadata/1:meta.ObjectMeta spec/2*+:SubjectAccessReviewSpec
  status/3:SubjectAccessReviewStatus
SubjectAccessReviewSpec resourceAttributes/1?:ResourceAttributes nonResourceAttributes/2?:NonResourceAttributes
  user/3:s groups/4:[s]! extra/5:{[s]} uid/6:s
SubjectAccessReviewStatus allowed/1*+:b denied/4:b reason/2:s evaluationError/3:s
SubjectRulesReviewStatus resourceRules/1*+:[ResourceRule]! nonResourceRules/2*+:[NonResourceRule]! incomplete/3*+:b
  evaluationError/4:s
`;

/** Types of `io.k8s.api.certificates.v1`. */
export const certificatesTypes = `
CertificateSigningRequest object metadata/1:meta.ObjectMeta spec/2*+:CertificateSigningRequestSpec
  status/3:CertificateSigningRequestStatus
CertificateSigningRequestCondition type/1*+:s status/6*+:s reason/2:s message/3:s lastUpdateTime/4:t
  lastTransitionTime/5:t
CertificateSigningRequestSpec request/1*+:y! signerName/7*+:s expirationSeconds/8?:i usages/5:[s]! username/2:s
  uid/3:s groups/4:[s]! extra/6:{[s]}
CertificateSigningRequestStatus conditions/1:[CertificateSigningRequestCondition]@type certificate/2:y!
`;

/** Types of `io.k8s.api.coordination.v1`. */
export const coordinationTypes = `
Lease object metadata/1:meta.ObjectMeta spec/2:LeaseSpec
LeaseSpec holderIdentity/1?:s leaseDurationSeconds/2?:i acquireTime/3?:u renewTime/4?:u leaseTransitions/5?:i
  strategy/6?:s preferredHolder/7?:s
`;

/** Types of `io.k8s.api.discovery.v1`. */
export const discoveryTypes = `
Endpoint addresses/1*+:[s]@ conditions/2:EndpointConditions hostname/3?:s targetRef/4?:core.ObjectReference
  deprecatedTopology/5:{s} nodeName/6?:s zone/7?:s hints/8?:EndpointHints
EndpointConditions ready/1?:b serving/2?:b terminating/3?:b
EndpointHints forZones/1:[ForZone]! forNodes/2:[ForNode]!
EndpointPort! name/1?:s protocol/2?:s port/3?:i appProtocol/4?:s
EndpointSlice object metadata/1:meta.ObjectMeta addressType/4*+:s endpoints/2*+:[Endpoint]! ports/3+:[EndpointPort]!
ForNode name/1*+:s
ForZone name/1*+:s
`;

/** Types of `io.k8s.api.events.v1`. */
export const eventsTypes = `
Event object metadata/1+:meta.ObjectMeta eventTime/2*+:u series/3?:EventSeries reportingController/4:s
  reportingInstance/5:s action/6:s reason/7:s regarding/8:core.ObjectReference related/9?:core.ObjectReference
  note/10:s type/11:s deprecatedSource/12:core.EventSource deprecatedFirstTimestamp/13:t deprecatedLastTimestamp/14:t
  deprecatedCount/15:i
EventSeries count/1*+:i lastObservedTime/2*+:u
`;

/** Types of `io.k8s.api.node.v1`. */
export const nodeTypes = `
Overhead podFixed/1:{q}
RuntimeClass object metadata/1:meta.ObjectMeta handler/2*+:s overhead/3?:Overhead scheduling/4?:Scheduling
Scheduling nodeSelector/1:{s}! tolerations/2:[core.Toleration]!
`;

/** Types of `io.k8s.api.policy.v1`. */
export const policyTypes = `
Eviction object metadata/1:meta.ObjectMeta deleteOptions/2?:meta.DeleteOptions
PodDisruptionBudget object metadata/1:meta.ObjectMeta spec/2:PodDisruptionBudgetSpec
  status/3:PodDisruptionBudgetStatus
PodDisruptionBudgetSpec minAvailable/1?:o selector/2?:meta.LabelSelector maxUnavailable/3?:o
  unhealthyPodEvictionPolicy/4?:s
PodDisruptionBudgetStatus observedGeneration/1:l disruptedPods/2:{t} disruptionsAllowed/3*+:i currentHealthy/4*+:i
  desiredHealthy/5*+:i expectedPods/6*+:i conditions/7:[meta.Condition]~type@type
`;

/** Types of `io.k8s.api.rbac.v1`. */
export const rbacTypes = `
AggregationRule clusterRoleSelectors/1:[meta.LabelSelector]!
ClusterRole object metadata/1:meta.ObjectMeta rules/2+:[PolicyRule]! aggregationRule/3?:AggregationRule
ClusterRoleBinding object metadata/1:meta.ObjectMeta subjects/2:[Subject]! roleRef/3*+:RoleRef
PolicyRule verbs/1*+:[s]! apiGroups/2:[s]! resources/3:[s]! resourceNames/4:[s]! nonResourceURLs/5:[s]!
Role object metadata/1:meta.ObjectMeta rules/2+:[PolicyRule]!
RoleBinding object metadata/1:meta.ObjectMeta subjects/2:[Subject]! roleRef/3*+:RoleRef
RoleRef! apiGroup/1*+:s kind/2*+:s name/3*+:s
Subject! kind/1*+:s apiGroup/2:s name/3*+:s namespace/4:s
`;

/** Types of `io.k8s.api.scheduling.v1`. */
export const schedulingTypes = `
PriorityClass object metadata/1:meta.ObjectMeta value/2*+:i globalDefault/3:b description/4:s preemptionPolicy/5?:s
`;

/** Types of `io.k8s.api.flowcontrol.v1`. */
export const flowcontrolTypes = `
ExemptPriorityLevelConfiguration nominalConcurrencyShares/1?:i lendablePercent/2?:i
FlowDistinguisherMethod type/1*+:s
FlowSchema object metadata/1:meta.ObjectMeta spec/2:FlowSchemaSpec status/3:FlowSchemaStatus
FlowSchemaCondition type/1:s status/2:s lastTransitionTime/3:t reason/4:s message/5:s
FlowSchemaSpec priorityLevelConfiguration/1*+:PriorityLevelConfigurationReference matchingPrecedence/2+:i
  distinguisherMethod/3?:FlowDistinguisherMethod rules/4:[PolicyRulesWithSubjects]!
FlowSchemaStatus conditions/1:[FlowSchemaCondition]~type@type
GroupSubject name/1*+:s
LimitResponse type/1*+:s queuing/2?:QueuingConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares/1?:i limitResponse/2:LimitResponse lendablePercent/3?:i
  borrowingLimitPercent/4?:i
NonResourcePolicyRule verbs/1*+:[s]@ nonResourceURLs/6*+:[s]@
PolicyRulesWithSubjects subjects/1*+:[Subject]! resourceRules/2:[ResourcePolicyRule]!
  nonResourceRules/3:[NonResourcePolicyRule]!
PriorityLevelConfiguration object metadata/1:meta.ObjectMeta spec/2:PriorityLevelConfigurationSpec
  status/3:PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type/1:s status/2:s lastTransitionTime/3:t reason/4:s message/5:s
PriorityLevelConfigurationReference name/1*+:s
PriorityLevelConfigurationSpec type/1*+:s limited/2?:LimitedPriorityLevelConfiguration
  exempt/3?:ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions/1:[PriorityLevelConfigurationCondition]~type@type
QueuingConfiguration queues/1+:i handSize/2+:i queueLengthLimit/3+:i
ResourcePolicyRule verbs/1*+:[s]@ apiGroups/2*+:[s]@ resources/3*+:[s]@ clusterScope/4:b namespaces/5+:[s]@
ServiceAccountSubject namespace/1*+:s name/2*+:s
Subject kind/1*+:s user/2?:UserSubject group/3?:GroupSubject serviceAccount/4?:ServiceAccountSubject
UserSubject name/1*+:s
`;

/** Types of `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1`. */
export const apiregistrationTypes = `
APIService object metadata/1:meta.ObjectMeta spec/2:APIServiceSpec status/3:APIServiceStatus
APIServiceCondition type/1*+:s status/2*+:s lastTransitionTime/3:t reason/4:s message/5:s
APIServiceSpec service/1?:ServiceReference group/2:s version/3:s insecureSkipTLSVerify/4:b caBundle/5:y!
  groupPriorityMinimum/7*+:i versionPriority/8*+:i
APIServiceStatus conditions/1:[APIServiceCondition]~type@type
ServiceReference namespace/1:s name/2:s port/3?:i
`;
