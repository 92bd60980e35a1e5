/** Journals that nothing was begun, and gives conditions and phase of a new workspace their first values. */

import {
  emptyEntry,
  newHolder,
  type ProviderHost,
  statusPatch,
  testVersion,
  waitsForText,
} from '../../sdk/host/index.ts';
import { type Integration, timestamp, type Workspace } from '../../sdk/index.ts';
import { effectiveWorkspace, outdatedEntriesOf } from './plan/effective-journal.ts';
import { endedOf, integrationsToInitialize, requestedOf } from './plan/requested-integrations.ts';
import { summaryOf } from './summarize-conditions.ts';
import { patchWorkspace } from './workspace-patches.ts';

/**
 * Adds each missing condition as `Initialized` when a workspace, or an integration that it requests, is first observed, and journals in the same patch
 * for which of them nothing was begun yet. It does so only before the claim, or while a former condition has an entry or a mirror: otherwise a claim
 * without a journal entry means that the journal was lost.
 * @throws StaleError if a concurrent writer was faster
 */
export function initializeConditions(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> {
  const now = host.clock.now();
  const types = new Set(requestedOf(workspace, integrations).map(({ condition }) => condition));
  const ended = new Set(endedOf(workspace, integrations).map(({ condition }) => condition));
  const { phase, observedGeneration, conditions } = summaryOf(workspace, integrations, { confirmed: new Set(), now });
  const kept = conditions.filter(({ type }) => !ended.has(type));
  const missingConditions = [...types]
    .filter((condition) => !kept.some(({ type }) => type === condition))
    .map((type) => ({
      type,
      status: 'Initialized' as const,
      reason: 'not started',
      lastTransitionTime: timestamp(now),
    }));
  const begun = [...missingConditions, ...kept];
  const waitsFor = waitsForText({ ...workspace, status: { conditions: begun } });
  const trusted = effectiveWorkspace(host, workspace, integrations);
  const untouched = integrationsToInitialize(trusted, integrations);
  const notes = untouched.map(({ condition }) => [
    condition,
    emptyEntry(workspace, condition, {
      holder: host.holder,
      nonce: newHolder(host),
      now,
      newest: host.fencingTokens.newestOf(workspace, condition),
    }),
  ]);
  const changes = statusPatch(workspace, (status) => {
    status.guards = {
      ...status.guards,
      ...outdatedEntriesOf(host, workspace, untouched),
      ...Object.fromEntries(notes),
    };
    Object.assign(status, { phase, observedGeneration, conditions: begun });
    if (waitsFor !== (status.waitsFor ?? '')) status.waitsFor = waitsFor;
  });
  return patchWorkspace(host, workspace, {
    operations: [...(untouched.length > 0 ? [testVersion(workspace)] : []), ...changes],
    status: true,
  });
}
