import type { Kind } from '../api/kind.ts';

/** What may be done with some resources, as the rules of a Role say it. */
export interface PolicyRule {
  /** Core is `''`. */
  readonly apiGroups: readonly string[];
  /** Plural names such as `pods`, subresources as `pods/log`. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Only objects of these names; `list` and `watch` by field selector, `create` by server-side apply. @default all */
  readonly resourceNames?: readonly string[];
}

/** For the `permissions` of an integration whose `create` answers a secret: it is kept in a Secret that the workspace owns. */
export const secretsRule: PolicyRule = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch'] };

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

/** What is wrong with the `permissions` of an integration; undefined: nothing. */
export function mistakeInPermissions(permissions: readonly PolicyRule[]): string | undefined {
  if (!Array.isArray(permissions)) return 'must be a list of rules';
  const at = permissions.findIndex(
    (rule) => !isTexts(rule?.apiGroups) || !isTexts(rule.resources) || !isTexts(rule.verbs),
  );
  return at === -1 ? undefined : `[${at}] must have the lists of strings apiGroups, resources and verbs`;
}

/** The rights that an integration needs in the namespaces of its workspaces: it follows what it `owns`, and does there what `permissions` say, or else everything that a controller can. */
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
