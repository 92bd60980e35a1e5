/** Output of the progress of a drain. */

import { type Clock, keyOf, messageOf, type Workspace } from '../../../sdk/index.ts';
import { oneLine } from '../output/plain-text.ts';
import { blockerLines } from './left-workspaces.ts';

/** Progress of a drain, by the remaining workspaces of each poll. */
export interface DrainProgress {
  /** Prints the initial number, the workspaces deleted since, and the blockers of those that remain for `blockerDelay`; each line once. */
  update(workspaces: readonly Workspace[]): void;
  /** Prints that the list failed, once until the next `left`. */
  listFailed(error: unknown): void;
}

/** ms after which the blockers of a remaining workspace are printed, and between two such checks. */
const blockerDelay = 10_000;
/** Lines printed at a time. */
const maxLines = 20;

/** Remaining workspace, with its time and the lines printed about it. */
interface RemainingWorkspace {
  readonly workspace: Workspace;
  readonly since: number;
  readonly printed: Set<string>;
}

/** Returns the unprinted lines about workspaces that remain for long. */
function newLines(all: Iterable<RemainingWorkspace>, now: number): readonly string[] {
  return [...all]
    .filter(({ since }) => now - since >= blockerDelay)
    .flatMap(({ workspace, printed }) => {
      const fresh = blockerLines(workspace).filter((line) => !printed.has(line));
      for (const line of fresh) printed.add(line);
      return fresh;
    });
}

/** Creates the progress of one drain. */
export function createDrainProgress(clock: Clock, print: (line: string) => void): DrainProgress {
  let known = new Map<string, RemainingWorkspace>();
  let lastCheck = clock.monotonic();
  let isFailing = false;
  const printBlockers = (now: number): void => {
    if (now - lastCheck < blockerDelay) return;
    lastCheck = now;
    const lines = newLines(known.values(), now);
    for (const line of lines.slice(0, maxLines)) print(line);
    if (lines.length > maxLines) print(`and ${lines.length - maxLines} more such lines`);
  };
  return {
    update(workspaces) {
      if (isFailing) print('the API server answers again');
      isFailing = false;
      const now = clock.monotonic();
      if (known.size === 0 && workspaces.length > 0) print(`${workspaces.length} to delete`);
      const next = new Map<string, RemainingWorkspace>();
      for (const workspace of workspaces) {
        const { uid = '' } = workspace.metadata;
        const { since = now, printed = new Set<string>() } = known.get(uid) ?? {};
        next.set(uid, { workspace, since, printed });
      }
      for (const [uid, { workspace }] of known)
        if (!next.has(uid)) print(`${keyOf(workspace.metadata)}  gone, ${workspaces.length} left`);
      known = next;
      printBlockers(now);
    },
    listFailed(error) {
      if (!isFailing) print(`the API server lists no workspaces, retrying: ${oneLine(messageOf(error))}`);
      isFailing = true;
    },
  };
}
