/** Output of the progress of a drain. */

import { type Clock, keyOf, messageOf, type Workspace } from '../../../sdk/index.ts';
import { oneLine } from '../output/plain-text.ts';
import { blockerLines } from './left-workspaces.ts';

/** Progress of a drain, by the remaining workspaces of each poll. */
export interface DrainProgress {
  /** Prints the initial number, the workspaces deleted since, and the blockers of those that remain for ten seconds; each line once. */
  left(workspaces: readonly Workspace[]): void;
  /** Prints that the list failed, once until the next `left`. */
  unanswered(error: unknown): void;
}

/** ms after which the blockers of a remaining workspace are printed, and between two such checks. */
const patience = 10_000;
/** Lines printed at a time. */
const maxLines = 20;

/** Remaining workspace, with its time and the lines printed about it. */
interface Left {
  readonly workspace: Workspace;
  readonly since: number;
  readonly printed: Set<string>;
}

/** Returns the unprinted lines about workspaces that remain for long. */
function freshLines(all: Iterable<Left>, now: number): readonly string[] {
  return [...all]
    .filter(({ since }) => now - since >= patience)
    .flatMap(({ workspace, printed }) => {
      const fresh = blockerLines(workspace).filter((line) => !printed.has(line));
      for (const line of fresh) printed.add(line);
      return fresh;
    });
}

/** Creates the progress of one drain. */
export function createDrainProgress(clock: Clock, print: (line: string) => void): DrainProgress {
  let known = new Map<string, Left>();
  let looked = clock.monotonic();
  let silent = false;
  const printHeld = (now: number): void => {
    if (now - looked < patience) return;
    looked = now;
    const lines = freshLines(known.values(), now);
    for (const line of lines.slice(0, maxLines)) print(line);
    if (lines.length > maxLines) print(`and ${lines.length - maxLines} more such lines`);
  };
  return {
    left(workspaces) {
      if (silent) print('the API server answers again');
      silent = false;
      const now = clock.monotonic();
      if (known.size === 0 && workspaces.length > 0) print(`${workspaces.length} to end`);
      const next = new Map<string, Left>();
      for (const workspace of workspaces) {
        const { uid = '' } = workspace.metadata;
        const { since = now, printed = new Set<string>() } = known.get(uid) ?? {};
        next.set(uid, { workspace, since, printed });
      }
      for (const [uid, { workspace }] of known)
        if (!next.has(uid)) print(`${keyOf(workspace.metadata)}  gone, ${workspaces.length} left`);
      known = next;
      printHeld(now);
    },
    unanswered(error) {
      if (!silent) print(`the API server lists no workspaces, retrying: ${oneLine(messageOf(error))}`);
      silent = true;
    },
  };
}
