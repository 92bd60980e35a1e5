/** Default RBAC objects. */

import type { BootstrapObjects } from './bootstrap-objects.ts';
import {
  bootstrapBindings,
  bootstrapClusterBindings,
  bootstrapClusterRoles,
  bootstrapRoles,
} from './bootstrap-roles.ts';

const group = 'rbac.authorization.k8s.io';

/** Default roles and bindings of a server with RBAC, by collection. */
export const rbacObjects: BootstrapObjects = {
  [`${group}/clusterroles`]: ({ profile }) => bootstrapClusterRoles(profile.changes.tables),
  [`${group}/clusterrolebindings`]: ({ profile }) => bootstrapClusterBindings(profile.changes.tables),
  [`${group}/roles`]: ({ profile }) => bootstrapRoles(profile.changes.tables),
  [`${group}/rolebindings`]: ({ profile }) => bootstrapBindings(profile.changes.tables),
};
