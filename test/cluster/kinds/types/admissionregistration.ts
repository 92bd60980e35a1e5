/** Types of `io.k8s.api.admissionregistration.v1` in the notation of `../type-table.ts`. */
export const admissionregistrationTypes = `
AuditAnnotation key*:s valueExpression*:s
ExpressionWarning fieldRef*:s warning*:s
MatchCondition expression*:s name*:s
MatchResources! excludeResourceRules:[NamedRuleWithOperations]! matchPolicy:s namespaceSelector:meta.LabelSelector
  objectSelector:meta.LabelSelector resourceRules:[NamedRuleWithOperations]!
MutatingWebhook admissionReviewVersions*:[s]! clientConfig*:WebhookClientConfig failurePolicy:s
  matchConditions:[MatchCondition]~name@name matchPolicy:s name*:s namespaceSelector:meta.LabelSelector
  objectSelector:meta.LabelSelector reinvocationPolicy:s rules:[RuleWithOperations]! sideEffects*:s timeoutSeconds:i
MutatingWebhookConfiguration object metadata:meta.ObjectMeta webhooks:[MutatingWebhook]~name@name
NamedRuleWithOperations! apiGroups:[s]! apiVersions:[s]! operations:[s]! resourceNames:[s]! resources:[s]! scope:s
ParamKind! apiVersion:s kind:s
ParamRef! name:s namespace:s parameterNotFoundAction:s selector:meta.LabelSelector
RuleWithOperations apiGroups:[s]! apiVersions:[s]! operations:[s]! resources:[s]! scope:s
ServiceReference name*:s namespace*:s path:s port:i
TypeChecking expressionWarnings:[ExpressionWarning]!
ValidatingAdmissionPolicy object metadata:meta.ObjectMeta spec:ValidatingAdmissionPolicySpec
  status:ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding object metadata:meta.ObjectMeta spec:ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingSpec matchResources:MatchResources paramRef:ParamRef policyName:s
  validationActions:[s]@
ValidatingAdmissionPolicySpec auditAnnotations:[AuditAnnotation]! failurePolicy:s
  matchConditions:[MatchCondition]~name@name matchConstraints:MatchResources paramKind:ParamKind
  validations:[Validation]! variables:[Variable]~name@name
ValidatingAdmissionPolicyStatus conditions:[meta.Condition]@type observedGeneration:l typeChecking:TypeChecking
ValidatingWebhook admissionReviewVersions*:[s]! clientConfig*:WebhookClientConfig failurePolicy:s
  matchConditions:[MatchCondition]~name@name matchPolicy:s name*:s namespaceSelector:meta.LabelSelector
  objectSelector:meta.LabelSelector rules:[RuleWithOperations]! sideEffects*:s timeoutSeconds:i
ValidatingWebhookConfiguration object metadata:meta.ObjectMeta webhooks:[ValidatingWebhook]~name@name
Validation expression*:s message:s messageExpression:s reason:s
Variable! expression*:s name*:s
WebhookClientConfig caBundle:y service:ServiceReference url:s
`;
