/** Reports about the external objects that deleted workspaces leave, and the blockers of remaining workspaces. */

import { isLocked } from '../../../sdk/host/index.ts';
import { type ApiError, keyOf, UserError, type Workspace } from '../../../sdk/index.ts';
import { oneLine } from '../output/plain-text.ts';

/** Formats the ids of a workspace's external objects by condition, and the operations with an unknown outcome. */
export function externalObjectLines({ metadata, status }: Workspace): readonly string[] {
  return Object.entries(status?.guards ?? {}).flatMap(([type, entry]) => {
    const ids = [...(entry.refs ?? []), ...(entry.late ?? [])];
    const known = ids.length === 0 ? [] : [JSON.stringify(ids)];
    const doubtful = isLocked(entry) ? [`the unknown outcome of "${entry.op}" (key ${entry.key})`] : [];
    const what = [...known, ...doubtful].join(', and ');
    return what === '' ? [] : [`${keyOf(metadata)}  ${type}  stays outside: ${oneLine(what)}`];
  });
}

/** Explains why a workspace still exists: its conditions that are not terminated, and its finalizers. */
export function blockerLines({ metadata, status }: Workspace): readonly string[] {
  const open = (status?.conditions ?? []).filter(
    ({ type, status: state }) => type !== 'Ready' && state !== 'Terminated',
  );
  const claims = (metadata.finalizers ?? []).join(', ');
  return [
    ...open.map(({ type, status: state, reason }) => `${keyOf(metadata)}  ${type}  ${state}: ${oneLine(reason)}`),
    `${keyOf(metadata)}  is claimed by ${claims === '' ? 'no integration' : claims}`,
  ];
}

/** Refusals of the server, by uid of the workspace. */
export type Refusals = ReadonlyMap<string, ApiError>;

/** Reports whether the deletion of all remaining workspaces is permanently refused, unlike after 429 and 5xx. */
export const isRefused = (left: readonly Workspace[], refusals: Refusals): boolean =>
  left.every(({ metadata: { uid = '' } }) => {
    const { code = 500 } = refusals.get(uid) ?? {};
    return code < 500 && code !== 429;
  });

/** Options of a drain that did not end, and the refusals of the server. */
export interface NotDrainedContext {
  readonly refusals: Refusals;
  /** True if the process walks the workspaces itself. @default false */
  readonly walks?: boolean | undefined;
  readonly orphan: boolean;
}

/** Returns the commands that resolve the unknown operations of a workspace. */
const resolveLines = ({ metadata: { name, namespace }, status }: Workspace): readonly string[] =>
  (status?.conditions ?? [])
    .filter(({ type, status: state }) => type !== 'Ready' && state === 'Unknown')
    .map(({ type }) => `to resolve: sequencer resolve ${name} ${type} --namespace ${namespace}`);

/** Returns the UserError E#2033 about the remaining workspaces, with their blockers and the next steps. */
export function notDrainedError(
  text: string,
  left: readonly Workspace[],
  { refusals, walks = false, orphan }: NotDrainedContext,
): UserError {
  const blockers = left.flatMap((workspace) => {
    const refusal = refusals.get(workspace.metadata.uid ?? '');
    if (refusal === undefined) return blockerLines(workspace);
    return [`${keyOf(workspace.metadata)}  is not deleted: ${oneLine(refusal.message)}`, ...blockerLines(workspace)];
  });
  return new UserError('E#2033', `${text}: ${left.length} workspace${left.length === 1 ? '' : 's'}`, {
    hint: [
      ...blockers,
      ...(orphan ? [] : left.flatMap(resolveLines)),
      ...(walks ? [] : ['without a running operator: --config FILE --operator-namespace NAME']),
      ...(orphan ? [] : ['to keep the external objects: --orphan']),
    ].join('\n'),
  });
}
