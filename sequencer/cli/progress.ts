import { type Integration, isDeleting, keyOf, type Workspace } from '../../sdk/index.ts';
import { concernedOf } from '../plan.ts';

/** One condition of one workspace, as people follow it. */
export interface Line {
  /** `namespace/name`. */
  readonly workspace: string;
  readonly condition: string;
  readonly status: string;
  readonly reason: string;
  /** Monotonic ms: when this way (up, or down once deleted) began. */
  readonly since: number;
  /** Monotonic ms: when it arrived; undefined while it moves. */
  readonly until: number | undefined;
}

/** An event about a workspace. */
export interface Happening {
  /** Monotonic ms. */
  readonly at: number;
  readonly workspace: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** How far a workspace is. */
export type Standing = 'moving' | 'ready' | 'error' | 'deleting' | 'gone';

/** All that is followed of one workspace. */
export interface Progress {
  readonly key: string;
  readonly standing: Standing;
  readonly lines: readonly Line[];
}

/** Statuses in which a condition has arrived, for now: on the way up, and on the way down. */
const arrivals = {
  up: new Set(['Completed', 'Healthy', 'Terminated', 'True', 'Error']),
  down: new Set(['Terminated', 'Gone', 'Error']),
};

const readyOf = (workspace: Workspace) => workspace.status?.conditions?.find(({ type }) => type === 'Ready');

/** How far a workspace is; undefined stands for one that is gone. */
export function standingOf(workspace: Workspace | undefined): Standing {
  if (workspace === undefined) return 'gone';
  if (isDeleting(workspace)) return 'deleting';
  const current = (workspace.status?.observedGeneration ?? 0) >= (workspace.metadata.generation ?? 0);
  if (!current) return 'moving';
  if (workspace.status?.phase === 'Error') return 'error';
  return readyOf(workspace)?.status === 'True' ? 'ready' : 'moving';
}

/** Conditions to show, `Ready` last: those that integrations will bring, then any other that is there. */
function typesOf(workspace: Workspace, integrations: readonly Integration[]): readonly string[] {
  const coming = concernedOf(workspace, integrations).map(({ condition }) => condition);
  const there = (workspace.status?.conditions ?? []).map(({ type }) => type);
  return [...new Set([...coming, ...there])].filter((type) => type !== 'Ready').concat('Ready');
}

/** What has been seen of a workspace. */
export interface Sighting {
  readonly key: string;
  /** undefined: it is gone. */
  readonly workspace: Workspace | undefined;
  /** Monotonic ms. */
  readonly at: number;
}

/** The line of a condition after a sighting: its time runs on from the former line unless the way has turned. */
function nextLine(next: Omit<Line, 'since' | 'until'>, former: Line | undefined, { at, turned, way }: Moment): Line {
  const since = turned ? at : (former?.since ?? at);
  const moved = turned || former?.status !== next.status;
  const arrived = moved ? at : (former?.until ?? at);
  return { ...next, since, until: arrivals[way].has(next.status) ? arrived : undefined };
}

interface Moment {
  readonly at: number;
  /** The way has changed just now. */
  readonly turned: boolean;
  readonly way: keyof typeof arrivals;
}

/** What is left to say when the workspace is no more: every claim was released, so every condition came to its end. */
function lastLines(former: Progress, at: number): readonly Line[] {
  return former.lines.map((line) => {
    const gone = line.condition === 'Ready';
    const next = gone
      ? { ...line, status: 'Gone', reason: 'nothing is left of it' }
      : { ...line, status: 'Terminated', reason: line.status === 'Terminated' ? line.reason : 'released' };
    return nextLine(next, line, { at, turned: false, way: 'down' });
  });
}

/** The progress of a workspace after it has been seen once more. Pure: decides what to show, shows nothing. */
export function nextProgress(
  former: Progress | undefined,
  { key, workspace, at }: Sighting,
  integrations: readonly Integration[],
): Progress {
  const standing = standingOf(workspace);
  if (workspace === undefined) return { key, standing, lines: former === undefined ? [] : lastLines(former, at) };
  const way = standing === 'deleting' ? 'down' : 'up';
  const turned = standing === 'deleting' && former?.standing !== 'deleting';
  const lines = typesOf(workspace, integrations).map((type): Line => {
    const { status, reason } = workspace.status?.conditions?.find((one) => one.type === type) ?? {
      status: 'Initialized',
      reason: '',
    };
    const line = former?.lines.find(({ condition }) => condition === type);
    return nextLine({ workspace: key, condition: type, status, reason }, line, { at, turned, way });
  });
  return { key, standing, lines };
}

/** The key of a workspace as the view shows it. */
export const nameOf = ({ metadata }: Workspace): string => keyOf(metadata);

/** Lines of `next` that say something else than in `former`. */
export const changedLines = (former: Progress | undefined, next: Progress): readonly Line[] =>
  next.lines.filter((line) => {
    const before = former?.lines.find(({ condition }) => condition === line.condition);
    return before?.status !== line.status || before.reason !== line.reason;
  });
