import type { Seeds } from '../bootstrap/seeds.ts';
import {
  bootstrapBindings,
  bootstrapClusterBindings,
  bootstrapClusterRoles,
  bootstrapRoles,
} from './bootstrap-roles.ts';

const group = 'rbac.authorization.k8s.io';

/** The roles and bindings that a server with RBAC has from the start, by collection. */
export const roleSeeds: Seeds = {
  [`${group}/clusterroles`]: bootstrapClusterRoles,
  [`${group}/clusterrolebindings`]: bootstrapClusterBindings,
  [`${group}/roles`]: bootstrapRoles,
  [`${group}/rolebindings`]: bootstrapBindings,
};
