/** Options that all integrations of this folder have, and their validation. */

import type { RateLimits, Workspace } from '../../sdk/index.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import { nameOfCondition } from './environment-progress.ts';

/** Options of all integrations that announce environments. */
export interface NotifyOptions {
  /** Workspaces that are announced: those that ask for it in `spec.integrations`, or all. @default 'asking' */
  readonly workspaces?: 'asking' | 'all';
  /** ms until a request is given up. @default 10 000 */
  readonly deadline?: number;
  /** Rate limits of the credential: integrations with one credential are given one object. @default 5 calls per second, 20 at once */
  readonly limits?: RateLimits;
}

/** Options with their defaults. */
export interface CheckedNotifyOptions {
  readonly condition: string;
  /** Name of the integration, and member of `spec.integrations`. */
  readonly name: string;
  /** ms */
  readonly deadline: number;
  readonly limits: RateLimits;
  /** Reports whether a workspace is announced. */
  readonly handles: (workspace: Workspace) => boolean;
}

/** Names of the options in {@link NotifyOptions}, and of the condition. */
export const notifyOptionNames = ['condition', 'workspaces', 'deadline', 'limits'] as const;

const maxConditionLength = 40;

/**
 * Validates the common options and sets the defaults.
 * @param of how the condition begins, and what it is by default
 * @throws TypeError naming the first invalid option
 */
export function checkedNotifyOptions(
  integration: string,
  { condition, workspaces = 'asking', deadline = 10_000, limits }: NotifyOptions & { readonly condition?: string },
  of: { readonly begins: 'Announced' | 'Silenced'; readonly usual: string },
): CheckedNotifyOptions {
  const { refuse, wholeNumber }: OptionChecks = optionChecks(integration);
  const type = condition ?? of.usual;
  const isType = typeof type === 'string' && type.length <= maxConditionLength && /^([A-Z][a-z0-9]+)+$/.test(type);
  // The condition Announced itself is that of the report of previews.
  if (!isType || !type.startsWith(of.begins) || type === 'Announced')
    refuse('condition', `words that begin with ${of.begins}, such as ${of.usual}`, type);
  if (workspaces !== 'asking' && workspaces !== 'all') refuse('workspaces', "'asking' or 'all'", workspaces);
  const name = nameOfCondition(type);
  return {
    condition: type,
    name,
    deadline: wholeNumber('deadline', deadline, { min: 1, max: 600_000 }),
    limits: limits ?? { rate: 5, burst: 20 },
    handles: ({ spec }) => workspaces === 'all' || Object.hasOwn(spec.integrations ?? {}, name),
  };
}
