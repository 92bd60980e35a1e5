import { group, type Workspace } from '../api/workspace.ts';

/** What a policy lets the sequencer do, and what becomes of things when a workspace or an integration leaves. */
export interface Permissions {
  /** Create and change things. */
  readonly changes: boolean;
  /** Delete things. */
  readonly deletes: boolean;
  /** When the workspace is deleted, or does not ask for the integration any more, the claim goes and the things stay. */
  readonly letsGo: boolean;
}

/** What each policy permits, from the laxest to the strictest. */
export const permissions = {
  /** Everything: the default. */
  manage: { changes: true, deletes: true, letsGo: false },
  /** Creates and changes, but deletes nothing outside: what is no longer wanted stays there, and an event names it. */
  orphan: { changes: true, deletes: false, letsGo: true },
  /** Changes nothing, and says what would be done; a deletion waits. */
  plan: { changes: false, deletes: false, letsGo: false },
  /** Changes nothing, and says what differs; on deletion everything stays. */
  observeOnly: { changes: false, deletes: false, letsGo: true },
} as const satisfies Readonly<Record<string, Permissions>>;

/** What may be done about the things of an integration: see docs/policies.md. */
export type Policy = keyof typeof permissions;

/** All policies, the laxest first: of several that are said, the last in this list counts. */
export const policies = Object.keys(permissions) as readonly Policy[];

/** Whether this is the name of a policy. */
export const isPolicy = (value: unknown): value is Policy => policies.some((policy) => policy === value);

/** The annotation that sets a policy for all integrations of a workspace, or for the one that answers for a condition. */
export const policyAnnotation = (condition?: string): string =>
  condition === undefined ? `${group}/policy` : `policy.${group}/${condition}`;

/** The policy that counts, and what it permits. */
export interface Rule extends Permissions {
  readonly policy: Policy;
  /** Why an annotation cannot be understood: then nothing is done before it can. */
  readonly mistake?: string;
}

const ruleFor = (policy: Policy): Rule => ({ policy, ...permissions[policy] });

/**
 * What counts for one integration of a workspace: the strictest of what the integration was registered with and what the workspace's annotations
 * say, so that neither side can undo the other's caution. An annotation that names no policy holds everything back. Pure.
 */
export function ruleOf(
  { metadata: { annotations = {} } }: Pick<Workspace, 'metadata'>,
  { condition, policy = 'manage' }: { readonly condition: string; readonly policy?: Policy | undefined },
): Rule {
  const said = [policyAnnotation(), policyAnnotation(condition)].filter((name) => annotations[name] !== undefined);
  const wrong = said.find((name) => !isPolicy(annotations[name]));
  if (wrong !== undefined) {
    const mistake = `annotation ${wrong} is "${annotations[wrong]}", which is no policy: it is one of ${policies.join(', ')}`;
    return { ...ruleFor('plan'), mistake };
  }
  const all = [policy, ...said.map((name) => annotations[name] as Policy)];
  return ruleFor(policies.findLast((one) => all.includes(one)) ?? 'manage');
}
