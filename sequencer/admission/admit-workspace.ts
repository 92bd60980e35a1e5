/** Admission of workspaces by the webhook. */

import { canonicalJson, type Integration, isDeleting, type Workspace } from '../../sdk/index.ts';
import type { AdmissionContext, AdmissionVerdict } from '../../sdk/webhooks/index.ts';
import { mistakeText, verdictOn } from './verdict.ts';
import { mistakesIn } from './workspace-mistakes.ts';

/**
 * Validates a workspace by the integrations of a config. New mistakes refuse it; existing mistakes and notes are warnings. Deletions and changes
 * outside of the spec are admitted without validation. Pure.
 */
export function admitWorkspace(
  workspace: Workspace,
  { old }: Pick<AdmissionContext<Workspace>, 'old'>,
  integrations: readonly Integration[],
): AdmissionVerdict | undefined {
  if (isDeleting(workspace)) return undefined;
  if (old !== undefined && canonicalJson(old.spec) === canonicalJson(workspace.spec)) return undefined;
  const { errors, notes } = mistakesIn(workspace, integrations);
  const verdict = verdictOn(errors, old && errors.length > 0 ? mistakesIn(old, integrations).errors : []);
  return { ...verdict, warnings: [...verdict.warnings, ...notes.map(mistakeText)] };
}
