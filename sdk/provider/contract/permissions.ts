/** Permissions of integrations, as rules of a Role. */

import type { Kind } from '../../api/kind.ts';

/** Rule of a Role: verbs on resources. */
export interface PolicyRule {
  /** API groups; core is `''`. */
  readonly apiGroups: readonly string[];
  /** Plural names such as `pods`, subresources as `pods/log`. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Restricts the rule to objects of these names; `list` and `watch` by field selector, `create` by server-side apply. @default all */
  readonly resourceNames?: readonly string[];
}

/** Rule for the `permissions` of an integration whose `create` returns a secret, which is stored in a Secret that the workspace owns. */
export const secretsRule: PolicyRule = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch'] };

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

/** Describes invalid `permissions` of an integration; undefined when they are valid. */
export function mistakeInPermissions(permissions: readonly PolicyRule[]): string | undefined {
  if (!Array.isArray(permissions)) return 'must be a list of rules';
  const at = permissions.findIndex(
    (rule) => !isTexts(rule?.apiGroups) || !isTexts(rule.resources) || !isTexts(rule.verbs),
  );
  return at === -1 ? undefined : `[${at}] must have the lists of strings apiGroups, resources and verbs`;
}

/**
 * Returns the permissions of an integration in the namespaces of its workspaces: it watches the kinds that it `owns`, and may do what `permissions`
 * say, by default all that a controller can.
 */
export function rulesOf(integration: {
  readonly owns?: readonly Kind[];
  readonly permissions?: readonly PolicyRule[];
}): readonly PolicyRule[] {
  const { owns = [], permissions } = integration;
  const writes = permissions === undefined ? ['get', 'create', 'patch', 'delete'] : [];
  const followed = owns.map(({ group, plural }) => ({
    apiGroups: [group],
    resources: [plural],
    verbs: ['list', 'watch', ...writes],
  }));
  return [...followed, ...(permissions ?? [])];
}
