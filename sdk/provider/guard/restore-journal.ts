/** Restores journal entries and outcomes from the mirror. */

import { timestamp } from '../../api/condition.ts';
import type { GuardEntry } from '../../api/workspace.ts';
import type { Outcome, Ref } from '../contract/integration.ts';
import { leaseSecondsOf, newHolder } from '../host/host.ts';
import { restoredRefs } from '../journal/external-objects.ts';
import { conditionFor, type JournalWrite, outcomePatch, rewritePatch } from '../journal/journal-patch.ts';
import { operationKey } from '../journal/operation-key.ts';
import { formerUids, isBlankRecord, type MirroredOutcome, type MirrorRecord } from '../journal/read-mirror.ts';
import { isLocked } from '../journal/recorded-claim.ts';
import { refsWithout } from '../journal/ref-sets.ts';
import type { Session } from '../journal/session.ts';
import type { AttemptResult } from './attempt.ts';
import { reportRecovery } from './instrumented-call.ts';
import { outcomeDecisionOf } from './outcome-decision.ts';

/**
 * Returns the outcome to mirror, bound to this attempt: if its process dies before that is in the journal, the next holder finishes it without asking
 * a person. Undefined for failed attempts, and for those that leave no external objects.
 */
export function mirroredOutcome(
  { holder, generation }: GuardEntry,
  ending: AttemptResult,
): MirroredOutcome | undefined {
  if (ending.kind !== 'returned' || ending.outcome.status === 'Terminated') return undefined;
  const { status, reason } = ending.outcome;
  return { holder, status, reason, generation, refs: ending.refs };
}

/** Returns the mirrored outcome of a condition's unresolved attempt; undefined when there is none, or it belongs to another attempt. */
export function unrecordedOutcome({
  entry,
  mirror,
}: Pick<Session, 'entry' | 'mirror'>): (Outcome & { readonly refs: readonly Ref[] }) | undefined {
  if (entry === undefined || !isLocked(entry) || mirror.kind !== 'own') return undefined;
  const { token, outcome, refs } = mirror.record;
  if (outcome === undefined || token !== entry.token || outcome.holder !== entry.holder) return undefined;
  return { status: outcome.status, reason: outcome.reason, refs: outcome.refs ?? refs };
}

/** Writes the outcome that a dead holder has mirrored, and reports it. @returns whether there was one. @throws StaleError if a concurrent writer was faster */
export async function finishFromMirror(session: Session): Promise<boolean> {
  const { workspace, scope, host, entry } = session;
  const { type } = scope;
  const outcome = unrecordedOutcome(session);
  if (entry === undefined || outcome === undefined) return false;
  const held = { entry: { ...entry, phase: 'intent' as const }, acquired: 0 };
  const ending: AttemptResult = { kind: 'returned', outcome, refs: outcome.refs };
  const settled = outcomeDecisionOf(held, { ending, recoverable: true }, (entry.late ?? []) as readonly Ref[]);
  const { status, reason } = settled;
  const condition = {
    ...conditionFor(session, { type, status, reason }, host.clock.now()),
    ...(entry.generation !== undefined && { observedGeneration: entry.generation }),
  };
  await session.patchStatus(outcomePatch(workspace, entry, { type, entry: settled.entry, condition }));
  reportRecovery(session, 'finished');
  return true;
}

/**
 * Reports whether a lost journal must be restored from the mirror before any other step. A blank mirror does not delay an integration without guards.
 */
export const isRestorable = ({ entry, mirror }: Pick<Session, 'entry' | 'mirror'>): boolean =>
  entry === undefined && (mirror.kind === 'predecessor' || (mirror.kind === 'own' && !isBlankRecord(mirror.record)));

/** Builds the journal entry from the mirror: an open attempt stays the same attempt, unless later ones are known; otherwise all created objects are known up to that entry. */
function entryFrom(session: Session, record: MirrorRecord): GuardEntry {
  const { host, workspace, scope, mirror } = session;
  const holder = newHolder(host);
  const isOwn = record.uid === workspace.metadata.uid;
  const refs = isOwn ? record.refs : restoredRefs(mirror, []);
  const late = refsWithout(session.late, refs);
  const formerly = formerUids(mirror);
  const common = {
    ...{ claim: scope.claim, ambiguous: true, lost: true },
    ...(refs.length > 0 && { refs: refs as GuardEntry['refs'] }),
    ...(late.length > 0 && { late: late as GuardEntry['late'] }),
    ...(formerly.length > 0 && { formerly: [...formerly] }),
    ...(isOwn && { mirrored: record.token }),
  };
  if (record.open !== undefined) return { phase: 'intent', ...record.open, token: session.knownToken, ...common };
  return {
    phase: 'done',
    op: 'task',
    key: operationKey(workspace, `${scope.type}/${holder}`, 0),
    token: session.newestToken + 1,
    holder,
    since: timestamp(host.clock.now()),
    leaseSeconds: leaseSecondsOf(host),
    ...common,
  };
}

function restoredWrite(session: Session, record: MirrorRecord): JournalWrite {
  const { workspace, scope, host } = session;
  const { type } = scope;
  const entry = entryFrom(session, record);
  const isOwn = record.uid === workspace.metadata.uid;
  const outcome = isOwn ? record.outcome : undefined; // the outcome of an earlier workspace was for another spec
  const searching = {
    status: 'In Progress',
    reason: 'its journal was lost: searching for its external objects',
  } as const;
  const open = { status: 'Locked', reason: `outcome of "${entry.op}" not known yet, looked for` } as const;
  const said = outcome ?? (entry.phase === 'intent' ? open : searching);
  const condition = conditionFor(session, { type, status: said.status, reason: said.reason }, host.clock.now());
  const generation = isOwn ? outcome?.generation : workspace.metadata.generation;
  const { observedGeneration: _, ...rest } = condition;
  return { type, entry, condition: { ...rest, ...(generation !== undefined && { observedGeneration: generation }) } };
}

/**
 * Restores a lost journal entry from the mirror, and reports it, once no process that knew more can be active. Objects of an earlier workspace of the same name,
 * before it was restored from a backup, are taken over.
 * @returns whether there was a mirror to restore from. @throws StaleError if a concurrent writer was faster
 */
export async function restoreJournal(session: Session): Promise<boolean> {
  const { workspace, scope, host, mirror } = session;
  if (session.entry !== undefined || (mirror.kind !== 'own' && mirror.kind !== 'predecessor')) return false;
  const { record } = mirror;
  await session.patchStatus(rewritePatch(workspace, restoredWrite(session, record)));
  const ids = record.refs.length;
  const message =
    mirror.kind === 'own'
      ? `${scope.type}: its journal was lost and is restored from the mirror: ${ids} ids`
      : `${scope.type}: takes over ${ids} ids that workspace uid ${record.uid} of this name had`;
  host.events.event(session.workspace, 'Normal', mirror.kind === 'own' ? 'JournalRestored' : 'Restored', message);
  reportRecovery(session, 'restored');
  return true;
}

/**
 * Records that the journal entry of an ended attempt was put back, before its objects are observed: if this process dies meanwhile, the next one observes them.
 * @throws StaleError if a concurrent writer was faster
 */
export async function recordDoubt(session: Session): Promise<void> {
  const { workspace, scope, host, entry, storedEntry } = session;
  if (entry?.lost !== true || entry.phase === 'intent' || storedEntry === undefined || storedEntry.lost === true)
    return;
  const { type } = scope;
  const said = {
    type,
    status: 'In Progress',
    reason: 'its journal was put back: observing its external objects',
  } as const;
  const condition = conditionFor(session, said, host.clock.now());
  await session.patchStatus(outcomePatch(workspace, storedEntry, { type, entry, condition }));
}
