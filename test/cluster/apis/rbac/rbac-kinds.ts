/** Rules of the kinds of `rbac.authorization.k8s.io`. */

import { isPathSegment } from '../../apimachinery/name-validation.ts';
import { type DefaultRule, withMissing } from '../../resources/defaulting.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { binding, rbac, role } from './role-validation.ts';

const subject: DefaultRule = (value) =>
  value.kind === 'ServiceAccount' ? value : withMissing(value, { apiGroup: rbac });

const bound: BuiltinKind = {
  checkName: isPathSegment,
  values: { 'rbac.RoleRef': { apiGroup: rbac } },
  defaults: { 'rbac.Subject': subject },
};

/** Rules of the kinds of the group, by type. */
export const rbacKinds: Readonly<Record<string, BuiltinKind>> = {
  'rbac.ClusterRole': { checkName: isPathSegment, check: role(false), isCheckedTwice: true },
  'rbac.ClusterRoleBinding': { ...bound, check: binding(['ClusterRole']) },
  'rbac.Role': { checkName: isPathSegment, check: role(true), isCheckedTwice: true },
  'rbac.RoleBinding': { ...bound, check: binding(['Role', 'ClusterRole']) },
};
