/** Looks up the rules of roles. */

import type { PolicyRule, RoleRef } from '../server/authorizer.ts';
import type { Store } from '../storage/store.ts';

/** Group that bypasses authorization. */
export const mastersGroup = 'system:masters';

const group = 'rbac.authorization.k8s.io';

/** Returns the rules of the role that a binding in a namespace names; undefined if it does not exist. */
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
