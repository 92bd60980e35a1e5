/** Summarizes the pending conditions of a workspace as text in its status, for kubectl. */

import type { Condition } from '../../api/condition.ts';
import { isDeleting } from '../../api/object.ts';
import { add, applied, type JsonPatchOperation } from '../../api/patch.ts';
import type { Workspace } from '../../api/workspace.ts';

/** Limit of the conditions that are named. */
const maxNamed = 8;
/** Statuses of what has ended, and those of other controllers' conditions. */
const ended: ReadonlySet<Condition['status']> = new Set(['Terminated', 'True', 'False']);
const through: ReadonlySet<Condition['status']> = new Set([...ended, 'Completed', 'Healthy']);

/**
 * Returns the conditions that a workspace waits for, such as `Components, DNS`; empty when it waits for none. Other controllers' conditions, which are
 * `True` or `False`, are not waited for. Pure.
 */
export function waitsForText(workspace: Workspace): string {
  const over = isDeleting(workspace) ? ended : through;
  const open = (workspace.status?.conditions ?? []).filter(({ type, status }) => type !== 'Ready' && !over.has(status));
  const rest = open.length > maxNamed ? ` and ${open.length - maxNamed} more` : '';
  return `${open
    .slice(0, maxNamed)
    .map(({ type }) => type)
    .join(', ')}${rest}`;
}

/**
 * Returns the operation that updates `status.waitsFor` together with conditions; empty when it stays the same. It has no test: of two concurrent writers
 * the later one wins, and the next summary corrects it.
 */
export function waitsForPatch(
  workspace: Workspace,
  operations: readonly JsonPatchOperation[],
): readonly JsonPatchOperation[] {
  const { status } = workspace;
  const changes = operations.filter(({ op, path }) => op !== 'test' && path.startsWith('/status/conditions'));
  if (status === undefined || changes.length === 0) return [];
  const next = waitsForText(applied(workspace, changes));
  return next === (status.waitsFor ?? '') ? [] : [add('/status/waitsFor', next)];
}
