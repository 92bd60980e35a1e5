/** Policies for external objects. */

import { group, type Workspace } from '../../api/workspace.ts';
import { cutWithEllipsis, maxReasonLength } from '../../cut-text.ts';

/** Changes that a policy permits, and its rule for external objects when a workspace or an integration leaves. */
export interface PolicyEffects {
  /** Permits to create and update objects. */
  readonly changes: boolean;
  /** Permits to delete objects. */
  readonly deletes: boolean;
  /** Releases the claim and keeps the objects when the workspace is deleted, or no longer requests the integration. */
  readonly orphansOnDelete: boolean;
}

/** Effects of each policy, from the least to the most restrictive. */
export const policyEffects = {
  /** Permits all changes: the default. */
  manage: { changes: true, deletes: true, orphansOnDelete: false },
  /** Creates and updates, but deletes no external object: one no longer wanted stays, and an event names it. */
  orphan: { changes: true, deletes: false, orphansOnDelete: true },
  /** Changes nothing and reports the planned changes; a deletion waits. */
  plan: { changes: false, deletes: false, orphansOnDelete: false },
  /** Changes nothing and reports differences; all objects stay on deletion. */
  observeOnly: { changes: false, deletes: false, orphansOnDelete: true },
} as const satisfies Readonly<Record<string, PolicyEffects>>;

/** Policy for the external objects of an integration: see docs/policies.md. */
export type ManagementPolicy = keyof typeof policyEffects;

/** All policies, from the least to the most restrictive: of several that apply, the last in this list wins. */
export const policies = Object.keys(policyEffects) as readonly ManagementPolicy[];

/** Reports whether this is the name of a policy. */
export const isPolicy = (value: unknown): value is ManagementPolicy => policies.some((policy) => policy === value);

/** Returns the annotation that sets a policy for all integrations of a workspace, or for that of one condition. */
export const policyAnnotation = (condition?: string): string =>
  condition === undefined ? `${group}/policy` : `policy.${group}/${condition}`;

/** Returns the reason of a deletion that fails, with the annotation that lets the workspace go, unless the reason names it. At most 1024 characters. */
export function withOrphanAdvice(condition: string, reason: string): string {
  const annotation = `annotate ${policyAnnotation(condition)}=orphan`;
  if (reason.length <= maxReasonLength && reason.includes(annotation)) return reason;
  const advice = `; ${annotation} to leave what is outside and let the workspace go`;
  return `${cutWithEllipsis(reason, maxReasonLength - advice.length)}${advice}`;
}

/** Effective policy with its effects. */
export interface EffectivePolicy extends PolicyEffects {
  readonly policy: ManagementPolicy;
  /** Description of an invalid annotation, during which nothing is changed. */
  readonly mistake?: string;
}

const effectivePolicy = (policy: ManagementPolicy): EffectivePolicy => ({ policy, ...policyEffects[policy] });

/**
 * Returns the effective policy of one integration of a workspace: the most restrictive of its registration and of the workspace's annotations, so
 * that neither side can weaken the other's. An annotation with an unknown policy forbids all changes. Pure.
 */
export function effectivePolicyOf(
  { metadata: { annotations = {} } }: Pick<Workspace, 'metadata'>,
  { condition, policy = 'manage' }: { readonly condition: string; readonly policy?: ManagementPolicy | undefined },
): EffectivePolicy {
  const said = [policyAnnotation(), policyAnnotation(condition)].filter((name) => annotations[name] !== undefined);
  const wrong = said.find((name) => !isPolicy(annotations[name]));
  if (wrong !== undefined) {
    const mistake = `annotation ${wrong} is "${annotations[wrong]}", which is not a policy: it is one of ${policies.join(', ')}`;
    return { ...effectivePolicy('plan'), mistake };
  }
  const all = [policy, ...said.map((name) => annotations[name] as ManagementPolicy)];
  return effectivePolicy(policies.findLast((one) => all.includes(one)) ?? 'manage');
}
