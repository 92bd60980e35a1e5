import { isOfOther, isSettled, type ProviderHost, readMirror } from '../../sdk/host/index.ts';
import { claimOf, type Integration, type Workspace } from '../../sdk/index.ts';

/** Reports whether an integration has had its finalizer on this workspace, and has not been released since: its mirror or its journal says so. */
function wasClaimed(host: ProviderHost, workspace: Workspace, { name, condition }: Integration): boolean {
  const entry = workspace.status?.guards?.[condition];
  if (isOfOther(entry, claimOf(name))) return false;
  const mirror = readMirror(host.seal(), workspace, condition);
  if (mirror.kind === 'own') return (mirror.record.claim ?? claimOf(name)) === claimOf(name);
  return entry !== undefined && !isSettled(entry);
}

/** Reports by an event each finalizer of the integrations that another writer has removed: it is added again. */
export function tellRemovedClaims(
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
