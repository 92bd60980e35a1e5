import { isAddress, isLabel, isLabel1035, isPathSegment, type NameCheck } from '../apimachinery/names.ts';

/** Name checks by type; all other names are subdomains. */
export const nameChecks: Readonly<Record<string, NameCheck>> = {
  'core.Namespace': isLabel,
  'core.Service': isLabel1035,
  'core.Event': isPathSegment,
  'policy.PodDisruptionBudget': isPathSegment,
  'certificates.CertificateSigningRequest': isPathSegment,
  'apiregistration.APIService': isPathSegment,
  'networking.IPAddress': isAddress,
  'rbac.Role': isPathSegment,
  'rbac.ClusterRole': isPathSegment,
  'rbac.RoleBinding': isPathSegment,
  'rbac.ClusterRoleBinding': isPathSegment,
};
