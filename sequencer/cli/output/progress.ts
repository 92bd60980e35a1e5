/** Progress of workspaces for the command line. */

import { type Integration, isDeleting, keyOf, type Workspace } from '../../../sdk/index.ts';
import { candidatesOf } from '../../engine/plan/requested-integrations.ts';

/** Shown condition of a workspace. */
export interface ConditionLine {
  /** `namespace/name`. */
  readonly workspace: string;
  readonly condition: string;
  readonly status: string;
  readonly reason: string;
  /** Monotonic ms of the start of the current direction: up, or down after the deletion. */
  readonly since: number;
  /** Monotonic ms at which it was reached; undefined while in progress. */
  readonly until: number | undefined;
}

/** Event about a workspace. */
export interface ProgressEvent {
  /** Monotonic ms. */
  readonly at: number;
  readonly workspace: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Overall state of a workspace. */
export type ProgressState = 'moving' | 'ready' | 'error' | 'deleting' | 'gone';

/** Progress of one workspace. */
export interface Progress {
  readonly key: string;
  readonly state: ProgressState;
  readonly lines: readonly ConditionLine[];
}

/** Statuses in which a condition is settled, on the way up and on the way down. */
const settledStatuses = {
  up: new Set(['Completed', 'Healthy', 'Terminated', 'True', 'Error']),
  down: new Set(['Terminated', 'Gone', 'Error']),
};

const readyOf = (workspace: Workspace) => workspace.status?.conditions?.find(({ type }) => type === 'Ready');

/** Returns the state of a workspace; undefined for a deleted one. */
export function progressStateOf(workspace: Workspace | undefined): ProgressState {
  if (workspace === undefined) return 'gone';
  if (isDeleting(workspace)) return 'deleting';
  const current = (workspace.status?.observedGeneration ?? 0) >= (workspace.metadata.generation ?? 0);
  if (!current) return 'moving';
  if (workspace.status?.phase === 'Error') return 'error';
  return readyOf(workspace)?.status === 'True' ? 'ready' : 'moving';
}

/** Returns the condition types to show, `Ready` last: those of the integrations, then any others present. */
function typesOf(workspace: Workspace, integrations: readonly Integration[]): readonly string[] {
  const expected = candidatesOf(workspace, integrations).map(({ condition }) => condition);
  const there = (workspace.status?.conditions ?? []).map(({ type }) => type);
  return [...new Set([...expected, ...there])].filter((type) => type !== 'Ready').concat('Ready');
}

/** Observation of a workspace. */
export interface ObservedWorkspace {
  readonly key: string;
  /** Workspace; undefined for a deleted one. */
  readonly workspace: Workspace | undefined;
  /** Monotonic ms. */
  readonly at: number;
}

/** Returns the next line of a condition; its time continues from the former line unless the direction has changed. */
function nextLine(
  next: Omit<ConditionLine, 'since' | 'until'>,
  former: ConditionLine | undefined,
  { at, hasTurned, direction }: Moment,
): ConditionLine {
  const since = hasTurned ? at : (former?.since ?? at);
  const hasChanged = hasTurned || former?.status !== next.status;
  const settledAt = hasChanged ? at : (former?.until ?? at);
  return { ...next, since, until: settledStatuses[direction].has(next.status) ? settledAt : undefined };
}

interface Moment {
  readonly at: number;
  /** True when the direction has just changed. */
  readonly hasTurned: boolean;
  readonly direction: keyof typeof settledStatuses;
}

/** Returns the last lines of a deleted workspace: all claims were released, so all conditions are terminated. */
function lastLines(former: Progress, at: number): readonly ConditionLine[] {
  return former.lines.map((line) => {
    const gone = line.condition === 'Ready';
    const next = gone
      ? { ...line, status: 'Gone', reason: 'nothing is left of it' }
      : { ...line, status: 'Terminated', reason: line.status === 'Terminated' ? line.reason : 'released' };
    return nextLine(next, line, { at, hasTurned: false, direction: 'down' });
  });
}

/** Computes the progress of a workspace after an observation. Pure. */
export function nextProgress(
  former: Progress | undefined,
  { key, workspace, at }: ObservedWorkspace,
  integrations: readonly Integration[],
): Progress {
  const state = progressStateOf(workspace);
  if (workspace === undefined) return { key, state, lines: former === undefined ? [] : lastLines(former, at) };
  const direction = state === 'deleting' ? 'down' : 'up';
  const hasTurned = state === 'deleting' && former?.state !== 'deleting';
  const lines = typesOf(workspace, integrations).map((type): ConditionLine => {
    const { status, reason } = workspace.status?.conditions?.find((one) => one.type === type) ?? {
      status: 'Initialized',
      reason: '',
    };
    const line = former?.lines.find(({ condition }) => condition === type);
    return nextLine({ workspace: key, condition: type, status, reason }, line, {
      at,
      hasTurned,
      direction,
    });
  });
  return { key, state, lines };
}

/** Returns the shown key of a workspace. */
export const workspaceKeyOf = ({ metadata }: Workspace): string => keyOf(metadata);

/** Returns the lines of `next` that differ from `former`. */
export const changedLines = (former: Progress | undefined, next: Progress): readonly ConditionLine[] =>
  next.lines.filter((line) => {
    const before = former?.lines.find(({ condition }) => condition === line.condition);
    return before?.status !== line.status || before.reason !== line.reason;
  });
