/** Steps of a plan and their texts. */

import type { GuardEntry } from '../../api/workspace.ts';
import { cutWithEllipsis, maxReasonLength } from '../../cut-text.ts';
import type { ManagementPolicy } from '../contract/management-policy.ts';

/** Planned change. */
export interface PlannedChange {
  /** `adopt`: an existing external object with the owner mark becomes known; `task`: a guard without a declared operation. */
  readonly op: GuardEntry['op'] | 'adopt';
  /** Object of the change, such as `box a` or `Pod shop-web`; for a guard, its reason. */
  readonly what: string;
  /** Difference, or reason of the change. */
  readonly why?: string;
  /** True for a guard, whose changes in detail are unknown. */
  readonly guarded?: boolean;
}

const verbs: Readonly<Record<PlannedChange['op'], string>> = {
  create: 'create',
  update: 'change',
  delete: 'delete',
  adopt: 'adopt',
  task: 'start',
};

const because = (why: string | undefined): string => (why === undefined ? '' : ` (${why})`);

/** Formats a step: `create box a`, `change box b (size is 7, wanted 1)`, `start "publishing shop.example.com"`. */
export const plannedChangeText = ({ op, what, why, guarded }: PlannedChange): string =>
  guarded ? `start "${what}"` : `${verbs[op]} ${what}${because(why)}`;

const differences: Readonly<Record<PlannedChange['op'], (step: PlannedChange) => string>> = {
  create: ({ what, why }) => `${what} is missing${because(why)}`,
  update: ({ what, why }) => `${what} differs${because(why)}`,
  delete: ({ what }) => `${what} is not wanted`,
  adopt: ({ what }) => `${what} is there`,
  task: ({ what }) => `"${what}" is not run`,
};

/** Formats a step as a difference: `box a is missing`. */
export const driftText = (step: PlannedChange): string => differences[step.guarded ? 'task' : step.op](step);

/** Formats the condition's reason for steps that a policy forbids: with `plan` the planned changes, otherwise the differences. */
export function forbiddenChangesText(policy: ManagementPolicy, steps: readonly PlannedChange[]): string {
  const all = policy === 'plan' ? `would ${steps.map(plannedChangeText).join(', ')}` : steps.map(driftText).join(', ');
  return cutWithEllipsis(`${policy}: ${all}`, maxReasonLength);
}
