import type { PolicyRule, RoleRef } from '../machinery.ts';
import type { Store } from '../store.ts';

/** Who may do everything, whatever RBAC holds. */
export const superusers = 'system:masters';

const group = 'rbac.authorization.k8s.io';

/** The rules of the role that a binding in a namespace points to; undefined when there is no such role. */
export function rulesOfRole(
  store: Store,
  { kind, name }: RoleRef,
  namespace: string,
): readonly PolicyRule[] | undefined {
  const isCluster = kind === 'ClusterRole';
  const role = store.get(`${group}/${isCluster ? 'clusterroles' : 'roles'}`, isCluster ? name : `${namespace}/${name}`);
  if (role === undefined) return undefined;
  return Array.isArray(role.rules) ? (role.rules as PolicyRule[]) : [];
}
