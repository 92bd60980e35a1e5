import type { GuardEntry } from '../api/workspace.ts';
import type { Policy } from './policy.ts';

/** One change that would be made. */
export interface Step {
  /** `adopt`: what exists outside already, with our mark, becomes known; `task`: a guard that does not say what it does. */
  readonly op: GuardEntry['op'] | 'adopt';
  /** What it is done to, such as `box a` or `Pod shop-web`; of a guard, the reason it gives. */
  readonly what: string;
  /** What differs, or why it would be done. */
  readonly why?: string;
  /** A guard would be run: what it does in detail is known to itself only. */
  readonly guarded?: boolean;
}

const verbs: Readonly<Record<Step['op'], string>> = {
  create: 'create',
  update: 'change',
  delete: 'delete',
  adopt: 'adopt',
  task: 'start',
};

const because = (why: string | undefined): string => (why === undefined ? '' : ` (${why})`);

/** `create box a`, `change box b (size is 7, wanted 1)`, `start "publishing shop.example.com"`. */
export const stepText = ({ op, what, why, guarded }: Step): string =>
  guarded ? `start "${what}"` : `${verbs[op]} ${what}${because(why)}`;

const differences: Readonly<Record<Step['op'], (step: Step) => string>> = {
  create: ({ what, why }) => `${what} is missing${because(why)}`,
  update: ({ what, why }) => `${what} differs${because(why)}`,
  delete: ({ what }) => `${what} is not wanted`,
  adopt: ({ what }) => `${what} is there`,
  task: ({ what }) => `"${what}" is left undone`,
};

/** The same as a fact rather than an intention: `box a is missing`. */
export const differenceText = (step: Step): string => differences[step.guarded ? 'task' : step.op](step);

/** How long a condition's reason may be. */
const longest = 1024;

/** What a condition says of steps that a policy holds back: with `plan` what would be done, otherwise what differs. */
export function heldBackText(policy: Policy, steps: readonly Step[]): string {
  const all = policy === 'plan' ? `would ${steps.map(stepText).join(', ')}` : steps.map(differenceText).join(', ');
  const text = `${policy}: ${all}`;
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
