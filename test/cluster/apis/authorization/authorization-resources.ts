/** Kinds of `authorization.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const authorizationTable = `\
authorization.k8s.io/v1
  LocalSubjectAccessReview localsubjectaccessreviews namespaced =create
  SelfSubjectAccessReview selfsubjectaccessreviews =create
  SelfSubjectRulesReview selfsubjectrulesreviews =create
  SubjectAccessReview subjectaccessreviews =create`;
