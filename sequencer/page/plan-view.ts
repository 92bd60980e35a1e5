/** The recorded plan of one workspace, bounded for the page. */

import { type Integration, messageOf, type Workspace } from '../../sdk/index.ts';
import { recordedPlanOf } from '../planning/plan-from-status.ts';
import type { WorkspaceView } from './page-model.ts';
import { maxConditions, maxTextLength } from './workspace-row.ts';

/** Returns the plan as rows, or the reason for a missing plan when a function of an integration throws. */
export function planViewOf(
  workspace: Workspace,
  integrations: readonly Integration[],
  redact: (text: string) => string,
): WorkspaceView['plan'] {
  try {
    const rows = recordedPlanOf(workspace, integrations, redact).slice(0, maxConditions);
    return rows.map(({ integration: _, what, ...row }) => ({ ...row, what: what.slice(0, maxTextLength) }));
  } catch (error) {
    return redact(messageOf(error));
  }
}
