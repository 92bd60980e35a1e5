/** Checks that people are told of refusals in time. */

import type { Workspace } from '../../../../sdk/index.ts';

import { type Fault, processFaults } from '../faults/faults.ts';
import type { FaultPlan } from '../faults/plan.ts';
import { refusalText } from '../processes/wire.ts';
import { bounds } from '../protocols/protocol.ts';
import type { Invariants } from './invariants.ts';

/** Longest duration of a refusal before people must be reported, ms: a lease, and the longest pause between two attempts. */
const patience = bounds.lease + 6_000;

/** Messages to people: events, warnings in the log, and conditions. */
export class Messages {
  readonly #now: () => number;
  readonly #texts: { readonly at: number; readonly text: string }[] = [];
  #seen: readonly Workspace[] = [];

  /** @param now ms since the start of the life */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records an event or a line of the log. */
  readonly hear = (text: string): void => void this.#texts.push({ at: this.#now(), text });

  /** Records the messages of the conditions. */
  see(workspaces: readonly Workspace[]): void {
    if (workspaces === this.#seen) return;
    this.#seen = workspaces;
    for (const { status } of workspaces) for (const { reason } of status?.conditions ?? []) this.hear(reason ?? '');
  }

  /** Reports whether a message with these words was recorded from `from` to `to`. */
  between(from: number, to: number, words: string): boolean {
    return this.#texts.some(({ at, text }) => at >= from && at <= to && text.includes(words));
  }
}

const stops: readonly Fault['kind'][] = processFaults;

/**
 * Checks that the server’s message of every lasting refusal was reported in time, in any channel, by processes that ran all that time. A refusal lasts
 * when a write is still refused a lease later; one that is not tried again has become needless, or leaves a condition stuck, which another check sees.
 */
export function checkMessages(plan: FaultPlan, messages: Messages, invariants: Invariants): void {
  if (plan.struck.some(({ kind }) => stops.includes(kind))) return;
  for (const fault of plan.struck) {
    const { first: from, last } = plan.struckAt(fault) ?? { first: 0, last: 0 };
    if (fault.on !== 'write' || fault.at + fault.ms < from + patience || last < from + bounds.lease) continue;
    if (!messages.between(from, from + patience, refusalText))
      invariants.violate('I7', `no person was told that the ${fault.write} was ${fault.kind}`);
  }
}
