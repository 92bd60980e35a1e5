/** Counts the states of the journal that lives reach. */

import type { GuardEntry, Workspace } from '../../../../sdk/index.ts';
import { markOf } from '../protocols/guarded.ts';

/** Number of times each state was reached. */
export type Counts = ReadonlyMap<string, number>;

const flags = ['ambiguous', 'lost', 'late'] as const;

/** State of one condition's journal: phase and flags; `absent` with or without a claim. */
const stateOf = (entry: GuardEntry | undefined): string =>
  entry === undefined ? 'absent' : [entry.phase, ...flags.filter((flag) => entry[flag])].join(' ');

const phases: readonly GuardEntry['phase'][] = ['none', 'intent', 'done', 'failed', 'unknown', 'gone'];

/** All possible states. */
const states: readonly string[] = [
  'absent',
  ...phases.flatMap((phase) =>
    Array.from({ length: 2 ** flags.length }, (_, bits) =>
      [phase, ...flags.filter((_flag, index) => (bits >> index) % 2 === 1)].join(' '),
    ),
  ),
];

/** Journal's decision on a new attempt: the state on which the attempt is begun. */
function holdOf(known: GuardEntry | undefined, entry: GuardEntry): string {
  if (known === undefined) return entry.lost ? 'lost' : 'nothing begun';
  if (known.phase !== 'intent') return 'free';
  return known.holder.split('/')[0] === entry.holder.split('/')[0] ? 'own' : 'dead';
}

/** Reason for asking a person, as the condition gives it. */
const whyAsked = (workspace: Workspace, type: string): string => {
  const { reason = '', status } = workspace.status?.conditions?.find((one) => one.type === type) ?? {};
  const why = /is not known: ([^;]*);/.exec(reason)?.[1];
  return status === 'Unknown' && why !== undefined ? `asks: ${why}` : 'asks';
};

/** Counts the states of the journal, the states on which attempts are begun, and the reasons for asking a person. */
export class Coverage {
  readonly #identity: string;
  readonly #counts = new Map<string, number>();
  #last: readonly Workspace[] = [];

  constructor(identity: string) {
    this.#identity = identity;
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** Counts the states of every version. */
  see(workspaces: readonly Workspace[]): void {
    if (workspaces === this.#last) return;
    for (const workspace of workspaces) {
      const before = this.#last.find((one) => markOf(one) === markOf(workspace));
      if (before !== workspace) this.#compare(before, workspace);
    }
    this.#last = workspaces;
  }

  #compare(before: Workspace | undefined, workspace: Workspace): void {
    const types = new Set([before, workspace].flatMap((one) => Object.keys(one?.status?.guards ?? {})));
    for (const type of types) {
      const known = before?.status?.guards?.[type];
      const entry = workspace.status?.guards?.[type];
      if (known === entry) continue;
      this.#count(`state: ${stateOf(entry)}`);
      if (stateOf(known) !== stateOf(entry)) this.#count(`step: ${stateOf(known)} -> ${stateOf(entry)}`);
      if (entry?.phase === 'intent' && entry.holder !== known?.holder)
        this.#count(`begun (${this.#identity}): ${entry.op} on ${holdOf(known, entry)}`);
      if (entry?.phase === 'unknown' && known?.phase !== 'unknown') this.#count(whyAsked(workspace, type));
    }
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}

/** Adds two counts. */
export function addCounts(a: Counts, b: Counts): Counts {
  const sum = new Map(a);
  for (const [what, count] of b) sum.set(what, (sum.get(what) ?? 0) + count);
  return sum;
}

/** Lists the states that were reached, with counts, and those that never were. */
export function coverageText(counts: Counts): string {
  const reached = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, count]) => `${String(count).padStart(9)}  ${what}`);
  const never = states.filter((state) => !counts.has(`state: ${state}`));
  return [...reached, `never reached: ${never.join(', ') || 'no state'}`].join('\n');
}
