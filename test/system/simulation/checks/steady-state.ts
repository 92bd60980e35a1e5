/** Judges the steady state of a life: at rest, before the deletion and after it. */

import { claimOf, conditionOf, hasFinalizer, isDeleting, type Workspace } from '../../../../sdk/index.ts';
import { isAsked, wantedOf } from '../protocols/guarded.ts';
import type { Thing } from '../third-party/inventory.ts';
import { makerOf, makers, makersOf } from '../third-party/makers.ts';
import type { Owners } from '../third-party/owners.ts';
import { stranger } from '../third-party/third-party.ts';
import type { Violation } from './invariants.ts';

/** State of a life when nothing happens any more. */
export interface EndState {
  /** `human`: a condition says that a person has to decide; `stuck`: no progress, and no condition states a reason. */
  readonly outcome: 'ok' | 'human' | 'stuck';
  /** Number of things of one workspace beyond the first. */
  readonly duplicates: number;
  /** Number of things of deleted workspaces. */
  readonly leaks: number;
}

/** Observed state. */
export interface Condition {
  readonly rest: EndState;
  /** No further change is expected. */
  readonly settled: boolean;
  readonly wrong: readonly Pick<Violation, 'id' | 'text'>[];
}

/** Further inputs of the judgement. */
export interface Circumstances {
  /** An irrevocable action is still in progress. */
  readonly moving: boolean;
  /** The condition that the integration reports. */
  readonly condition: string;
  /** A Completed condition must have a journal. */
  readonly journal: boolean;
  readonly owners: Owners;
  /** Returns the number of things that a workspace wants. */
  wanted(workspace: Workspace): number;
}

/** Reports whether a person has to decide: on an unknown outcome, or on the condition, which was renamed. */
const asksPerson = (workspace: Workspace, condition: string): boolean =>
  conditionOf(workspace, condition).reason.includes(' answered for condition ') ||
  (workspace.status?.conditions?.some(({ status, reason }) => status === 'Unknown' && reason !== '') ?? false);

/** Reports whether things are recorded under a renamed condition and under the new one: the person is told to delete the workspace. */
export const isRecordedTwice = ({ status }: Workspace): boolean =>
  status?.conditions?.some(({ reason }) => reason?.includes('delete the workspace, which removes both')) ?? false;

function outcomeOf(workspace: Workspace, condition: string): EndState['outcome'] {
  const { status, observedGeneration } = conditionOf(workspace, condition);
  if (asksPerson(workspace, condition)) return 'human';
  const isClaimed = makers.some((maker) => hasFinalizer(workspace, claimOf(maker)));
  if (!isAsked(workspace)) return isClaimed || isDeleting(workspace) ? 'stuck' : 'ok';
  const arrived = isClaimed && status === 'Completed' && observedGeneration === workspace.metadata.generation;
  return arrived && !isDeleting(workspace) ? 'ok' : 'stuck';
}

type Wrong = Condition['wrong'];

const worstFirst = ['stuck', 'human', 'ok'] as const;

/** Returns the worst of these outcomes. */
const worstOutcome = (outcomes: readonly EndState['outcome'][]): EndState['outcome'] =>
  worstFirst.find((one) => outcomes.includes(one)) ?? 'ok';

/** Combines two states, the worse value of each. */
export const worseEnd = (a: EndState, b: EndState): EndState => ({
  outcome: worstOutcome([a.outcome, b.outcome]),
  duplicates: Math.max(a.duplicates, b.duplicates),
  leaks: Math.max(a.leaks, b.leaks),
});

/** Returns the problems of one workspace at rest. */
function wrongWith(workspace: Workspace, ours: readonly Thing[], { condition, journal, wanted }: Circumstances): Wrong {
  const outcome = outcomeOf(workspace, condition);
  if (outcome === 'stuck') return [{ id: 'I7', text: `stuck: ${wordsOf(workspace, condition)}` }];
  if (outcome === 'human') return [];
  const upToDate = ours.filter(
    ({ value, mark }) => value === wantedOf(workspace) && makersOf(workspace).includes(makerOf(mark)),
  ).length;
  const count = isAsked(workspace) ? wanted(workspace) : 0;
  const { name } = workspace.metadata;
  return [
    ...(upToDate !== count || ours.length !== count
      ? [
          {
            id: 'I7',
            text: `${name} is at rest, but of ${ours.length} things ${upToDate} are as wanted, not ${count}`,
          } as const,
        ]
      : []),
    ...(journal && isAsked(workspace) && workspace.status?.guards?.[condition] === undefined
      ? [{ id: 'I10', text: `${name} is Completed, and has no journal` } as const]
      : []),
  ];
}

/** Judges the state at rest; a pure function. */
export function endCondition(
  workspaces: readonly Workspace[],
  things: readonly Thing[],
  circumstances: Circumstances,
): Condition {
  const { owners } = circumstances;
  const marked = things.filter((thing) => thing.mark !== stranger);
  const oursOf = (workspace: Workspace) => marked.filter((thing) => owners.of(workspaces, thing) === workspace);
  const leaked = marked.filter((thing) => owners.of(workspaces, thing) === undefined);
  const duplicates = workspaces.reduce((sum, workspace) => {
    const ours = oursOf(workspace);
    return sum + ours.length - new Set(ours.map(({ mark }) => mark)).size;
  }, 0);
  const outcome = worstOutcome(workspaces.map((one) => outcomeOf(one, circumstances.condition)));
  const wrong: Wrong = [
    ...(duplicates > 0 ? [{ id: 'I1', text: `${duplicates} things of one workspace exist twice` } as const] : []),
    ...(leaked.length > 0 ? [{ id: 'I3', text: `${leaked.length} things of no workspace exist` } as const] : []),
    ...workspaces.flatMap((workspace) => wrongWith(workspace, oursOf(workspace), circumstances)),
  ];
  return {
    rest: { outcome, duplicates, leaks: leaked.length },
    settled: outcome !== 'stuck' && !circumstances.moving,
    wrong,
  };
}

function wordsOf(workspace: Workspace, condition: string): string {
  const { status, reason } = conditionOf(workspace, condition);
  return `${status} (${reason})${isDeleting(workspace) ? ', being deleted' : ''}`;
}
