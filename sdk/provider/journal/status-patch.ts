/** Builds JSON patches of a changed status. */

import type { Draft } from 'immer';
import { add, changesOf, type JsonPatchOperation, pointer, test } from '../../api/patch.ts';
import type { Workspace, WorkspaceStatus } from '../../api/workspace.ts';

const fieldOf = (path: string): string => (path.split('/')[2] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * Returns the changes of the status by a recipe, as the smallest patch of `/status`: refused (422) if the workspace was recreated or a changed field
 * is no longer as the recipe saw it; changes of other fields don't matter. Empty when nothing changes.
 */
export function statusPatch(
  workspace: Workspace,
  recipe: (status: Draft<WorkspaceStatus>) => void,
): readonly JsonPatchOperation[] {
  const { status } = workspace;
  const changes = changesOf({ ...workspace, status: status ?? {} }, (draft) => recipe(draft.status));
  if (changes.length === 0) return [];
  const fields = [...new Set(changes.map(({ path }) => fieldOf(path)))];
  const seen = (status ?? {}) as Readonly<Record<string, unknown>>;
  return [
    test('/metadata/uid', workspace.metadata.uid),
    ...(status === undefined
      ? [test('/status', null), add('/status', {})]
      : fields.map((field) => test(pointer('status', field), seen[field]))),
    ...changes,
  ];
}
