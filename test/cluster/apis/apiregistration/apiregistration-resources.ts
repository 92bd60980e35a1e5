/** Kinds of `apiregistration.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const apiregistrationTable = `\
apiregistration.k8s.io/v1
  APIService apiservices @api-extensions #InPBPD7+PqM= /status`;
