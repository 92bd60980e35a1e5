/** Kinds of `authentication.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const authenticationTable = `\
authentication.k8s.io/v1
  SelfSubjectReview selfsubjectreviews =create
  TokenReview tokenreviews =create`;
