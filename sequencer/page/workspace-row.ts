/** Rows of the list of workspaces. */

import { isDeleting, isPaused, keyOf, type Workspace } from '../../sdk/index.ts';
import type { WorkspaceRow } from './page-model.ts';

/** Maximum length of a shown reason, cause or message, in characters. */
export const maxTextLength = 1024;

/** Limit of the conditions of one workspace on the page. */
export const maxConditions = 64;

const problemStatuses: ReadonlySet<string> = new Set(['Error', 'Unknown', 'Not Healthy', 'Locked']);

/** Returns the row of a workspace in the list; `redact` redacts secrets in its texts. Pure. */
export function rowOf(workspace: Workspace, redact: (text: string) => string): WorkspaceRow {
  const { metadata, status } = workspace;
  const conditions = (status?.conditions ?? []).slice(0, maxConditions);
  const shownCondition =
    conditions.find((one) => problemStatuses.has(one.status)) ?? conditions.find(({ type }) => type === 'Ready');
  const phase = status?.phase ?? 'New';
  const reason = redact(shownCondition?.reason ?? '').slice(0, 200);
  return {
    key: keyOf(metadata),
    phase,
    reason: reason === phase ? '' : reason,
    conditions: conditions.map(({ type, status: state }) => ({ type, status: state })),
    deleting: isDeleting(workspace),
    paused: isPaused(workspace),
    created: metadata.creationTimestamp ?? '',
  };
}
