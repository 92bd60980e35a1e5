import type { Workspace } from '../../sdk/index.ts';

import { type Fault, processFaults } from './faults.ts';
import type { Invariants } from './invariants.ts';
import type { FaultPlan } from './plan.ts';
import { bounds } from './protocol.ts';
import { refusalText } from './wire.ts';

/** How long a refusal may last before somebody has to be told, ms: a lease, and the longest pause between two tries. */
const patience = bounds.lease + 6_000;

/** All that people were told: events, warnings in the log, and what conditions say. */
export class Told {
  readonly #now: () => number;
  readonly #texts: { readonly at: number; readonly text: string }[] = [];
  #seen: readonly Workspace[] = [];

  /** @param now ms since the life began */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** An event or a line of the log. */
  readonly hear = (text: string): void => void this.#texts.push({ at: this.#now(), text });

  /** What conditions say now. */
  see(workspaces: readonly Workspace[]): void {
    if (workspaces === this.#seen) return;
    this.#seen = workspaces;
    for (const { status } of workspaces) for (const { reason } of status?.conditions ?? []) this.hear(reason ?? '');
  }

  /** Whether something with these words was said from `from` to `to`. */
  between(from: number, to: number, words: string): boolean {
    return this.#texts.some(({ at, text }) => at >= from && at <= to && text.includes(words));
  }
}

const stops: readonly Fault['kind'][] = processFaults;

/** Of every refusal that has lasted, the server’s words were told in time, in whatever channel: by processes that ran all that time. */
export function checkTold(plan: FaultPlan, told: Told, invariants: Invariants): void {
  if (plan.struck.some(({ kind }) => stops.includes(kind))) return;
  for (const fault of plan.struck) {
    const from = plan.struckAt(fault) ?? 0;
    if (fault.on !== 'write' || fault.at + fault.ms < from + patience) continue;
    if (!told.between(from, from + patience, refusalText))
      invariants.violate('I7', `nobody was told that the ${fault.write} was ${fault.kind}`);
  }
}
