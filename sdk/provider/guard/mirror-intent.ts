/** Mirrors the intent of an attempt before its task runs. */

import type { GuardEntry } from '../../api/workspace.ts';
import { DefiniteError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import type { Ref } from '../contract/integration.ts';
import type { Session } from '../journal/session.ts';
import { isMirrorRefused, writeMirror } from '../journal/write-mirror.ts';

/** Properties of an attempt that decide whether its intent is mirrored. */
export interface IntentMirrorOptions {
  /** Time in ms within which abandoned requests may still be carried out, including the lag of lists. */
  readonly requestMs: number;
  /** Another holder can find what the attempt makes. Without that, the intent must be in the mirror before the task runs. */
  readonly isFindable: boolean;
}

/**
 * Reports whether no mirror identifies this workspace: none was written with its claim, it was removed, or the workspace was restored from a backup.
 * If the status were lost too, it would not be known which marks are its own.
 */
export const lacksOwnMirror = ({ mirror }: Session): boolean => mirror.kind === 'none' || mirror.kind === 'predecessor';

const makesSomething = (op: GuardEntry['op']): boolean => op === 'create' || op === 'task';

/**
 * Reports whether the mirror must hold the intent before the task runs: if the task may create something, if no search can find its result, or if it
 * updates while the workspace has no mirror of its own. If the status is lost or put back, the mirror then shows the attempt. A mirror with an outcome
 * proves that no attempt was in progress.
 */
export const isIntentMirrored = (session: Session, op: GuardEntry['op'], isFindable: boolean): boolean =>
  !isFindable || makesSomething(op) || (op === 'update' && lacksOwnMirror(session));

/** Reports whether the mirror, which is not replaced, would hide this attempt if the status were lost. */
const isHiddenByMirror = ({ mirror }: Session, { op }: GuardEntry, isFindable: boolean): boolean =>
  !isFindable && (mirror.kind === 'own' || (mirror.kind === 'predecessor' && op !== 'delete'));

/** Writes the intent into the mirror. @throws if the mirror was not written and hides the attempt; StaleError if the intent is not the durable one any more */
async function announceIntent(
  session: Session,
  entry: GuardEntry,
  { requestMs, isFindable }: IntentMirrorOptions,
): Promise<void> {
  const refs = (entry.refs ?? []) as readonly Ref[];
  const came = await writeMirror(session, { entry, refs, requestMs, announce: true });
  if (came === 'refused' && isHiddenByMirror(session, entry, isFindable)) {
    const refusal =
      session.host.refusedMirrors.get(session.lockKey)?.message ?? 'another integration has the condition';
    throw new Error(`the mirror that is there would hide it if the status were lost: ${refusal}`);
  }
}

/**
 * Mirrors the intent of an attempt, if {@link isIntentMirrored}. What can be found is not held up by a mirror that was refused within a lease.
 * @returns the error for which nothing was sent, if the mirror failed
 */
export async function mirrorIntent(
  session: Session,
  entry: GuardEntry,
  options: IntentMirrorOptions,
): Promise<DefiniteError | undefined> {
  const { host } = session;
  const skips = options.isFindable && isMirrorRefused(session, host.times.lease);
  if (skips || !isIntentMirrored(session, entry.op, options.isFindable) || host.seal().sign('') === undefined)
    return undefined;
  try {
    await announceIntent(session, entry, options);
    return undefined;
  } catch (error) {
    const message = `nothing was sent, since its intent could not be mirrored: ${messageOf(error)}`;
    return new DefiniteError(message, { cause: error });
  }
}
