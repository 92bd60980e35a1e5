/** Decides whether a journal entry is trusted beside its mirror. */

import type { GuardEntry, Workspace } from '../../api/workspace.ts';
import { outdatedEntry } from '../host/outdated-entry.ts';
import { isKeyOfUid } from './operation-key.ts';
import { isBlankRecord, type Mirror, type MirrorRecord } from './read-mirror.ts';

/** Reports whether an entry was written before the claim whose mirror this is: it has recorded a mirror, and a claim begins with an empty one. */
function isOfEarlierClaim(entry: GuardEntry, record: MirrorRecord): boolean {
  const { phase, mirrored = 0, lost } = entry;
  if (phase === 'none' || phase === 'gone' || lost === true) return false;
  return mirrored > 0 && isBlankRecord(record);
}

/** Reports whether an entry came with the mirror of another cluster, where the workspace whose ids these are may live on. */
const isOfOtherCluster = (workspace: Workspace, { key }: GuardEntry, mirror: Mirror): boolean =>
  mirror.kind === 'otherCluster' && !isKeyOfUid(workspace, key);

/**
 * Returns the journal entry, unless the mirror contradicts it. Undefined, as for a lost journal, if the entry is older than the mirror, or came with the
 * mirror of another cluster; also if it says that nothing was begun while the mirror may be the workspace's own. An entry from before the current claim is
 * marked as outdated: see {@link outdatedEntry}.
 */
export function effectiveEntry(
  workspace: Workspace,
  entry: GuardEntry | undefined,
  mirror: Mirror,
): GuardEntry | undefined {
  if (entry?.phase === 'none' && mirror.kind !== 'own')
    return mirror.kind === 'none' || mirror.kind === 'forged' ? entry : undefined;
  if (entry === undefined || isOfOtherCluster(workspace, entry, mirror)) return undefined;
  if (mirror.kind !== 'own') return entry;
  if (mirror.record.token > entry.token) return undefined;
  return isOfEarlierClaim(entry, mirror.record) ? outdatedEntry(entry) : entry;
}
