/** Types of `io.k8s.api.admissionregistration.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const admissionregistrationTypes = `
AuditAnnotation key/1*+:s valueExpression/2*+:s
ExpressionWarning fieldRef/2*+:s warning/3*+:s
FailurePolicyType =Fail|Ignore
MatchCondition name/1*+:s expression/2*+:s
MatchPolicyType =Equivalent|Exact
MatchResources! namespaceSelector/1?:meta.LabelSelector objectSelector/2?:meta.LabelSelector
  resourceRules/3:[NamedRuleWithOperations]! excludeResourceRules/4:[NamedRuleWithOperations]!
  matchPolicy/7?:s<MatchPolicyType>
MutatingWebhook name/1*+:s clientConfig/2*+:WebhookClientConfig rules/3:[RuleWithOperations]!
  failurePolicy/4?:s<FailurePolicyType> matchPolicy/9?:s<MatchPolicyType> namespaceSelector/5?:meta.LabelSelector
  objectSelector/11?:meta.LabelSelector sideEffects/6*+?:s<SideEffectClass> timeoutSeconds/7?:i
  admissionReviewVersions/8*+:[s]! reinvocationPolicy/10?:s<ReinvocationPolicyType>
  matchConditions/12:[MatchCondition]~name@name
MutatingWebhookConfiguration object metadata/1:meta.ObjectMeta webhooks/2:[MutatingWebhook]~name@name
NamedRuleWithOperations! resourceNames/1:[s]! operations/2.1:[s<OperationType>]! apiGroups/2.2.1:[s]!
  apiVersions/2.2.2:[s]! resources/2.2.3:[s]! scope/2.2.4?:s<ScopeType>
OperationType =*|CONNECT|CREATE|DELETE|UPDATE
ParamKind! apiVersion/1:s kind/2:s
ParamRef! name/1:s namespace/2:s selector/3?:meta.LabelSelector
  parameterNotFoundAction/4?:s<ParameterNotFoundActionType>
RuleWithOperations operations/1:[s<OperationType>]! apiGroups/2.1:[s]! apiVersions/2.2:[s]! resources/2.3:[s]!
  scope/2.4?:s<ScopeType>
ServiceReference namespace/1*+:s name/2*+:s path/3?:s port/4?:i
SideEffectClass =None|NoneOnDryRun|Some|Unknown
TypeChecking expressionWarnings/1:[ExpressionWarning]!
ValidatingAdmissionPolicy object metadata/1:meta.ObjectMeta spec/2:ValidatingAdmissionPolicySpec
  status/3:ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding object metadata/1:meta.ObjectMeta spec/2:ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingSpec policyName/1:s paramRef/2?:ParamRef matchResources/3?:MatchResources
  validationActions/4:[s<ValidationAction>]@
ValidatingAdmissionPolicySpec paramKind/1?:ParamKind matchConstraints/2?:MatchResources validations/3:[Validation]!
  failurePolicy/4?:s<FailurePolicyType> auditAnnotations/5:[AuditAnnotation]!
  matchConditions/6:[MatchCondition]~name@name variables/7:[Variable]~name@name
ValidatingAdmissionPolicyStatus observedGeneration/1:l typeChecking/2?:TypeChecking conditions/3:[meta.Condition]@type
ValidatingWebhook name/1*+:s clientConfig/2*+:WebhookClientConfig rules/3:[RuleWithOperations]!
  failurePolicy/4?:s<FailurePolicyType> matchPolicy/9?:s<MatchPolicyType> namespaceSelector/5?:meta.LabelSelector
  objectSelector/10?:meta.LabelSelector sideEffects/6*+?:s<SideEffectClass> timeoutSeconds/7?:i
  admissionReviewVersions/8*+:[s]! matchConditions/11:[MatchCondition]~name@name
ValidatingWebhookConfiguration object metadata/1:meta.ObjectMeta webhooks/2:[ValidatingWebhook]~name@name
Validation expression/1*+:s message/2:s reason/3?:s<meta.StatusReason> messageExpression/4:s
ValidationAction =Audit|Deny|Warn
Variable! name/1*+:s expression/2*+:s
WebhookClientConfig url/3?:s service/1?:ServiceReference caBundle/2:y
`;
