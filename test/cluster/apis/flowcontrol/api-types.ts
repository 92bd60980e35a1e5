/** Types of `io.k8s.api.flowcontrol.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const flowcontrolTypes = `
ExemptPriorityLevelConfiguration nominalConcurrencyShares/1?:i lendablePercent/2?:i
FlowDistinguisherMethod type/1*+:s<FlowDistinguisherMethodType>
FlowSchema object metadata/1:meta.ObjectMeta spec/2:FlowSchemaSpec status/3:FlowSchemaStatus
FlowSchemaCondition type/1:s<FlowSchemaConditionType> status/2:s<ConditionStatus> lastTransitionTime/3:t reason/4:s
  message/5:s
FlowSchemaSpec priorityLevelConfiguration/1*+:PriorityLevelConfigurationReference matchingPrecedence/2+:i
  distinguisherMethod/3?:FlowDistinguisherMethod rules/4:[PolicyRulesWithSubjects]!
FlowSchemaStatus conditions/1:[FlowSchemaCondition]~type@type
GroupSubject name/1*+:s
LimitResponse type/1*+:s<LimitResponseType> queuing/2?:QueuingConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares/1+?:i limitResponse/2:LimitResponse lendablePercent/3?:i
  borrowingLimitPercent/4?:i
NonResourcePolicyRule verbs/1*+:[s]@ nonResourceURLs/6*+:[s]@
PolicyRulesWithSubjects subjects/1*+:[Subject]! resourceRules/2:[ResourcePolicyRule]!
  nonResourceRules/3:[NonResourcePolicyRule]!
PriorityLevelConfiguration object metadata/1:meta.ObjectMeta spec/2:PriorityLevelConfigurationSpec
  status/3:PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type/1:s<PriorityLevelConfigurationConditionType> status/2:s<ConditionStatus>
  lastTransitionTime/3:t reason/4:s message/5:s
PriorityLevelConfigurationReference name/1*+:s
PriorityLevelConfigurationSpec type/1*+:s<PriorityLevelEnablement> limited/2?:LimitedPriorityLevelConfiguration
  exempt/3?:ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions/1:[PriorityLevelConfigurationCondition]~type@type
QueuingConfiguration queues/1+:i handSize/2+:i queueLengthLimit/3+:i
ResourcePolicyRule verbs/1*+:[s]@ apiGroups/2*+:[s]@ resources/3*+:[s]@ clusterScope/4:b namespaces/5+:[s]@
ServiceAccountSubject namespace/1*+:s name/2*+:s
Subject kind/1*+:s<SubjectKind> user/2?:UserSubject group/3?:GroupSubject serviceAccount/4?:ServiceAccountSubject
UserSubject name/1*+:s
`;
