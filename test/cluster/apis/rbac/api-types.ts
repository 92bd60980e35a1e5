/** Types of `io.k8s.api.rbac.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
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
