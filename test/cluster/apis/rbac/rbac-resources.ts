/** Kinds of `rbac.authorization.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const rbacTable = `\
rbac.authorization.k8s.io/v1
  ClusterRoleBinding clusterrolebindings #48tpQ8gZHFc= unconditional upsert
  ClusterRole clusterroles #bYE5ZWDrJ44= unconditional upsert
  RoleBinding rolebindings #eGsCzGH6b1g= namespaced unconditional upsert
  Role roles #7FuwZcIIItM= namespaced unconditional upsert`;

/** Strategies of the group, by collection. */
export const rbacStrategies: Readonly<Record<string, Strategy>> = {
  'rbac.authorization.k8s.io/roles': { validationPasses: { times: 5 } },
  'rbac.authorization.k8s.io/clusterroles': { validationPasses: { times: 5 } },
  'rbac.authorization.k8s.io/rolebindings': { validationPasses: { times: 5 } },
  'rbac.authorization.k8s.io/clusterrolebindings': { validationPasses: { times: 5 } },
};
