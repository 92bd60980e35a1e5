/** Types of `io.k8s.apimachinery.pkg.apis.meta.v1` in the notation of `../type-table.ts`. */
export const metaTypes = `
Condition lastTransitionTime*:t message*:s observedGeneration:l reason*:s status*:s type*:s
DeleteOptions apiVersion:s dryRun:[s]! gracePeriodSeconds:l ignoreStoreReadErrorWithClusterBreakingPotential:b kind:s
  orphanDependents:b preconditions:Preconditions propagationPolicy:s
FieldSelectorRequirement key*:s operator*:s values:[s]!
LabelSelector! matchExpressions:[LabelSelectorRequirement]! matchLabels:{s}
LabelSelectorRequirement key*:s operator*:s values:[s]!
ListMeta continue:s remainingItemCount:l resourceVersion:s selfLink:s
ManagedFieldsEntry apiVersion:s fieldsType:s fieldsV1:any manager:s operation:s subresource:s time:t
ObjectMeta annotations:{s} creationTimestamp:t deletionGracePeriodSeconds:l deletionTimestamp:t finalizers:[s]~@
  generateName:s generation:l labels:{s} managedFields:[ManagedFieldsEntry]! name:s namespace:s
  ownerReferences:[OwnerReference]~uid@uid resourceVersion:s selfLink:s uid:s
OwnerReference! apiVersion*:s blockOwnerDeletion:b controller:b kind*:s name*:s uid*:s
Preconditions resourceVersion:s uid:s
Status object code:i details:StatusDetails! message:s metadata:ListMeta reason:s status:s
StatusCause field:s message:s reason:s
StatusDetails causes:[StatusCause]! group:s kind:s name:s retryAfterSeconds:i uid:s
`;
