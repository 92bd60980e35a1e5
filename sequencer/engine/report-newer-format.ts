/** Report of journal entries that a newer release has written. */

import { newerFormatOf, newerText, type ProviderHost, readMirror } from '../../sdk/host/index.ts';
import { createController, type Integration, keyOf, type Workspace } from '../../sdk/index.ts';
import { scopeOf } from './workspace-patches.ts';

/**
 * Reports, once, that a newer release has written the journal entry of a condition: as its reason, except where that already says what a person has to do,
 * and by an event and the log. What the entry itself says stays as it is.
 * @throws StaleError, RefusedError
 */
export async function reportNewerFormat(
  host: ProviderHost,
  workspace: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const { condition: type } = integration;
  const format = newerFormatOf(workspace.status?.guards?.[type], readMirror(host.seal(), workspace, type));
  if (format === undefined) return workspace;
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  const text = newerText(format);
  const { status, reason } = controller.condition;
  if (reason === text) return workspace;
  controller.event('Warning', 'NewerJournal', `${type}: ${text}`);
  host.logger?.error({ workspace: keyOf(workspace.metadata), condition: type, format }, text);
  if (status !== 'Unknown') await controller.writeCondition(status === 'Locked' ? 'Locked' : 'Error', text);
  return controller.workspace;
}
