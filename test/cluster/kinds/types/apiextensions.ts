/** Types of `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1` in the notation of `../type-table.ts`. */
export const apiextensionsTypes = `
CustomResourceColumnDefinition description:s format:s jsonPath*:s name*:s priority:i type*:s
CustomResourceConversion strategy*:s webhook:WebhookConversion
CustomResourceDefinition object metadata:meta.ObjectMeta spec*:CustomResourceDefinitionSpec
  status:CustomResourceDefinitionStatus
CustomResourceDefinitionCondition lastTransitionTime:t message:s reason:s status*:s type*:s
CustomResourceDefinitionNames categories:[s]! kind*:s listKind:s plural*:s shortNames:[s]! singular:s
CustomResourceDefinitionSpec conversion:CustomResourceConversion group*:s names*:CustomResourceDefinitionNames
  preserveUnknownFields:b scope*:s versions*:[CustomResourceDefinitionVersion]!
CustomResourceDefinitionStatus acceptedNames:CustomResourceDefinitionNames
  conditions:[CustomResourceDefinitionCondition]@type storedVersions:[s]!
CustomResourceDefinitionVersion additionalPrinterColumns:[CustomResourceColumnDefinition]! deprecated:b
  deprecationWarning:s name*:s schema:CustomResourceValidation selectableFields:[SelectableField]! served*:b
  storage*:b subresources:CustomResourceSubresources
CustomResourceSubresourceScale labelSelectorPath:s specReplicasPath*:s statusReplicasPath*:s
CustomResourceSubresourceStatus
CustomResourceSubresources scale:CustomResourceSubresourceScale status:CustomResourceSubresourceStatus
CustomResourceValidation openAPIV3Schema:JSONSchemaProps
ExternalDocumentation description:s url:s
JSONSchemaProps $ref:s $schema:s additionalItems:schemaOrBool additionalProperties:schemaOrBool
  allOf:[JSONSchemaProps]! anyOf:[JSONSchemaProps]! default:any definitions:{JSONSchemaProps}
  dependencies:{schemaOrStrings} description:s enum:[any]! example:any exclusiveMaximum:b exclusiveMinimum:b
  externalDocs:ExternalDocumentation format:s id:s items:schemaOrArray maxItems:l maxLength:l maxProperties:l
  maximum:d minItems:l minLength:l minProperties:l minimum:d multipleOf:d not:JSONSchemaProps nullable:b
  oneOf:[JSONSchemaProps]! pattern:s patternProperties:{JSONSchemaProps} properties:{JSONSchemaProps} required:[s]!
  title:s type:s uniqueItems:b x-kubernetes-embedded-resource:b x-kubernetes-int-or-string:b
  x-kubernetes-list-map-keys:[s]! x-kubernetes-list-type:s x-kubernetes-map-type:s
  x-kubernetes-preserve-unknown-fields:b x-kubernetes-validations:[ValidationRule]~rule@rule
SelectableField jsonPath*:s
ServiceReference name*:s namespace*:s path:s port:i
ValidationRule fieldPath:s message:s messageExpression:s optionalOldSelf:b reason:s rule*:s
WebhookClientConfig caBundle:y service:ServiceReference url:s
WebhookConversion clientConfig:WebhookClientConfig conversionReviewVersions*:[s]!
`;
