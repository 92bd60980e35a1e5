/** Recreates a missing mirror from the journal entry. */

import { pointer, test } from '../../api/patch.ts';
import { conditionOf } from '../../api/workspace.ts';
import { StaleError } from '../../errors.ts';
import type { Ref } from '../contract/integration.ts';
import { isServerRefusal } from '../host/report-refusals.ts';
import { testHolder } from './entry-patch.ts';
import { encodeMirror, mirrorAnnotation } from './mirror-encoding.ts';
import type { Session } from './session.ts';
import { isMirrorRefused, type MirrorWrite, mirrorPatch, nextRecord, reportMirrorRefused } from './write-mirror.ts';

/** Returns what to write into a missing mirror; undefined where there is one, or the journal itself is in doubt or in progress. */
function missingWrite({ workspace, scope, entry, mirror }: Session, requestMs: number): MirrorWrite | undefined {
  const refs = (entry?.refs ?? []) as readonly Ref[];
  if (mirror.kind !== 'none' || entry?.phase !== 'done' || refs.length === 0) return undefined;
  if (entry.lost === true || entry.late !== undefined || entry.unresolved !== undefined) return undefined;
  const { status, reason } = conditionOf(workspace, scope.type);
  const { holder, generation } = entry;
  return { entry, refs, outcome: { holder, status, reason, generation, refs }, requestMs };
}

/** Writes the mirror, with tests that the journal entry is unchanged: a delayed write does not bring back ids that are gone. */
async function write(session: Session, content: MirrorWrite): Promise<void> {
  const { workspace, scope, host } = session;
  const record = nextRecord(session, content);
  if (record === undefined) return;
  const { type } = scope;
  const { entry } = content;
  await session.patchMain([
    ...testHolder(type, entry),
    test(pointer('status', 'guards', type, 'phase'), entry.phase),
    ...mirrorPatch(workspace, type, encodeMirror(host.seal(), record)),
  ]);
  const message = `${type}: the annotation ${mirrorAnnotation(type)} was missing, and is written again`;
  host.events.event(session.workspace, 'Warning', 'MirrorMissing', message);
}

/**
 * Recreates a removed mirror from the journal, if that is intact; after a concurrent change, the next walk does. A refusal is reported, and the write
 * is not repeated within `times.attempt`.
 * @param requestMs time within which abandoned requests may still be carried out, including the lag of lists
 */
export async function recreateMirror(session: Session, requestMs: number): Promise<void> {
  const { host, lockKey } = session;
  const missing = session.deleting || host.seal().sign('') === undefined ? undefined : missingWrite(session, requestMs);
  if (missing === undefined || isMirrorRefused(session, host.times.attempt)) return;
  try {
    await write(session, missing);
    host.refusedMirrors.delete(lockKey);
  } catch (error) {
    if (error instanceof StaleError) return;
    if (!isServerRefusal(error)) throw error;
    reportMirrorRefused(session, error);
  }
}
