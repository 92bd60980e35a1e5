import { conditionOf, isDeleting, type Workspace } from '../../sdk/index.ts';
import { condition, markOf, wantedOf } from './guarded.ts';
import type { Violation } from './invariants.ts';
import { stranger, type Thing, uidIn } from './third-party.ts';

/** How a life stands when nothing happens any more. */
export interface Rest {
  /** `human`: its condition says that a person has to decide; `stuck`: nothing goes on, and nothing says why. */
  readonly outcome: 'ok' | 'human' | 'stuck';
  /** Things of one workspace beyond the first. */
  readonly duplicates: number;
  /** Things of workspaces that are gone. */
  readonly leaks: number;
}

/** What is seen now. */
export interface Condition {
  readonly rest: Rest;
  /** Nothing more is to be expected. */
  readonly settled: boolean;
  readonly wrong: readonly Pick<Violation, 'id' | 'text'>[];
}

function outcomeOf(workspace: Workspace | undefined): Rest['outcome'] {
  if (workspace === undefined) return 'ok';
  const { status, reason, observedGeneration } = conditionOf(workspace, condition);
  if (status === 'Unknown' && reason !== '') return 'human';
  const arrived = status === 'Completed' && observedGeneration === workspace.metadata.generation;
  return arrived && !isDeleting(workspace) ? 'ok' : 'stuck';
}

/** What else there is to know. */
export interface Circumstances {
  /** Something is still under way that nobody can take back. */
  readonly moving: boolean;
  /** How many things a workspace wants. */
  readonly wanted: number;
}

/** Judges, purely. */
export function conditionAtRest(
  workspace: Workspace | undefined,
  things: readonly Thing[],
  { moving, wanted }: Circumstances,
): Condition {
  const uid = workspace === undefined ? undefined : markOf(workspace);
  const marked = things.filter((thing) => thing.mark !== stranger);
  const ours = marked.filter((thing) => uidIn(thing.mark) === uid);
  const leaked = marked.filter((thing) => uidIn(thing.mark) !== uid);
  const outcome = outcomeOf(workspace);
  const duplicates = ours.length - new Set(ours.map((thing) => thing.mark)).size;
  const wrong: Pick<Violation, 'id' | 'text'>[] = [
    ...(duplicates > 0 ? [{ id: 'I1', text: `${ours.length} things of one workspace exist` } as const] : []),
    ...(leaked.length > 0 ? [{ id: 'I3', text: `${leaked.length} things of no workspace exist` } as const] : []),
    ...(outcome === 'stuck' ? [{ id: 'I7', text: `stuck: ${wordsOf(workspace!)}` } as const] : []),
  ];
  const asWanted = ours.filter(({ value }) => workspace !== undefined && value === wantedOf(workspace)).length;
  if (outcome === 'ok' && workspace !== undefined && (asWanted !== wanted || ours.length !== wanted))
    wrong.push({ id: 'I7', text: `Completed, but of ${ours.length} things ${asWanted} are as wanted, not ${wanted}` });
  return { rest: { outcome, duplicates, leaks: leaked.length }, settled: outcome !== 'stuck' && !moving, wrong };
}

function wordsOf(workspace: Workspace): string {
  const { status, reason } = conditionOf(workspace, condition);
  return `${status} (${reason})${isDeleting(workspace) ? ', being deleted' : ''}`;
}
