/** Decides whether a journal entry is trusted beside its mirror. */

import type { GuardEntry, Workspace } from '../../api/workspace.ts';
import { outdatedEntry } from '../host/mark-outdated-entry.ts';
import { isKeyOfOtherUid, isKeyOfUid } from './operation-key.ts';
import { formerUids, isBlankRecord, type Mirror, type MirrorRecord } from './read-mirror.ts';

/** Reports whether an entry was written before the claim whose mirror this is: it has recorded a mirror, and a claim begins with an empty one. */
function isOfEarlierClaim(entry: GuardEntry, record: MirrorRecord): boolean {
  const { phase, mirrored = 0, lost } = entry;
  if (phase === 'none' || phase === 'gone' || lost === true) return false;
  return mirrored > 0 && isBlankRecord(record);
}

/** Kinds of mirrors that do not prove on their own that an earlier uid belongs to the workspace. */
const inconclusive: ReadonlySet<Mirror['kind']> = new Set(['otherCluster', 'newerFormat', 'unverified']);

/**
 * Reports whether an entry was copied with the status of another workspace, as by a backup tool: its key names a uid that this workspace does not have
 * and, by its mirror, did not have before a restore.
 */
export const isCopiedEntry = ({ metadata: { uid } }: Workspace, { key }: Pick<GuardEntry, 'key'>, mirror: Mirror) =>
  !inconclusive.has(mirror.kind) && isKeyOfOtherUid([uid, ...formerUids(mirror)], key);

/** Reports whether an entry came with the status of another workspace, or with the mirror of another cluster, where its workspace may live on. */
const isOfOtherWorkspace = (workspace: Workspace, entry: GuardEntry, mirror: Mirror): boolean =>
  mirror.kind === 'otherCluster'
    ? !isKeyOfUid(workspace.metadata.uid, entry.key)
    : isCopiedEntry(workspace, entry, mirror);

/**
 * Returns the journal entry, unless the mirror contradicts it. Undefined, as for a lost journal, if the entry is older than the mirror, or came with the
 * status of another workspace or the mirror of another cluster; also if it says that nothing was begun while the mirror may be the workspace's own. An entry
 * from before the current claim is marked as outdated: see {@link outdatedEntry}.
 */
export function effectiveEntry(
  workspace: Workspace,
  entry: GuardEntry | undefined,
  mirror: Mirror,
): GuardEntry | undefined {
  if (entry === undefined || isOfOtherWorkspace(workspace, entry, mirror)) return undefined;
  if (entry.phase === 'none' && mirror.kind !== 'own')
    return mirror.kind === 'none' || mirror.kind === 'forged' ? entry : undefined;
  if (mirror.kind !== 'own') return entry;
  if (mirror.record.token > entry.token) return undefined;
  return isOfEarlierClaim(entry, mirror.record) ? outdatedEntry(entry) : entry;
}
