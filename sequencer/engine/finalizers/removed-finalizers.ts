/** Reports finalizers of integrations that another writer has removed. */

import { isOfOtherClaim, type ProviderHost, readMirror, recordsNothing } from '../../../sdk/host/index.ts';
import { claimOf, type Integration, type Workspace } from '../../../sdk/index.ts';

/** Limit of the claims that a process remembers. */
const maxClaims = 10_000;

/**
 * Returns the key under which a claim is remembered while nothing was begun under it; undefined afterwards. It holds the operation key of the empty
 * journal entry, so that a later claim of the same integration has another one.
 */
const claimNote = ({ metadata, status }: Workspace, { name, condition }: Integration): string | undefined => {
  const entry = status?.guards?.[condition];
  return entry?.phase === 'none' ? `${metadata.uid} ${claimOf(name)} ${entry.key}` : undefined;
};

/** Remembers the claims that were added: before anything is begun no journal entry records them, and their mirror may be removed. */
export function rememberFinalizers(
  { addedClaims }: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
) {
  for (const note of integrations.map((one) => claimNote(workspace, one)))
    if (note !== undefined) addedClaims.add(note);
  for (const note of addedClaims) {
    if (addedClaims.size <= maxClaims) return;
    addedClaims.delete(note);
  }
}

/** Reports whether an integration has had its finalizer on this workspace, and has not been released since: its mirror or its journal says so. */
function wasClaimed(host: ProviderHost, workspace: Workspace, integration: Integration): boolean {
  const { name, condition } = integration;
  if (host.addedClaims.has(claimNote(workspace, integration) ?? '')) return true;
  const entry = workspace.status?.guards?.[condition];
  if (isOfOtherClaim(entry, claimOf(name))) return false;
  const mirror = readMirror(host.seal(), workspace, condition);
  if (mirror.kind === 'own') return (mirror.record.claim ?? claimOf(name)) === claimOf(name);
  return entry !== undefined && !recordsNothing(entry);
}

/** Reports by an event each finalizer of the integrations that another writer has removed: it is added again. */
export function reportRemovedFinalizers(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): void {
  const removed = integrations.filter((one) => wasClaimed(host, workspace, one)).map(({ name }) => claimOf(name));
  for (const claim of new Set(removed))
    host.events.event(
      workspace,
      'Warning',
      'ClaimRemoved',
      `the finalizer ${claim} was removed by others, and is added again: without it a deletion leaves what is outside; keep tools that apply this object from setting metadata.finalizers`,
    );
}
