/** The guard: at most one live attempt per condition, journalled before any outside call. */

import { hasFinalizer } from '../../api/finalizer.ts';
import { keyOf } from '../../api/object.ts';
import { isPaused } from '../../api/pause.ts';
import type { GuardEntry } from '../../api/workspace.ts';
import { conditionOf } from '../../api/workspace.ts';
import { BusyError, StaleError, UnreachableError } from '../../errors.ts';
import type { GuardOptions, Task } from '../contract/integration.ts';
import { leaseSecondsOf, newHolder } from '../host/host.ts';
import { newerText } from '../journal/journal-format.ts';
import { conditionFor, intentPatch, type JournalWrite, outcomePatch } from '../journal/journal-patch.ts';
import { newerFormatOf } from '../journal/read-mirror.ts';
import { refuseIfOwnedByOther, type Session } from '../journal/session.ts';
import { dropFromMirror, testMirror } from '../journal/write-mirror.ts';
import { type HeldIntent, runAttempt } from './attempt.ts';
import { reportRecovery } from './instrumented-call.ts';
import { type LockState, lockStateOf } from './lock-state.ts';
import { isIntentMirrored } from './mirror-intent.ts';
import { type IntentOptions, nextIntent } from './next-intent.ts';
import { lockedReason, unknownReason } from './outcome-decision.ts';
import { recordOutcome } from './record-outcome.ts';
import { recoverFirst } from './recover-first.ts';
import { isFindable, isRecoverable, recoveryDecisionOf } from './recovery-decision.ts';
import { finishFromMirror, isRestorable, restoreJournal } from './restore-journal.ts';

/** Call of a guard. */
export interface GuardCall {
  readonly reason: string;
  readonly task: Task;
  readonly options: GuardOptions;
}

/** Conditions under which an attempt may begin. */
interface BeginConditions {
  /** The journal entry was missing though the claim is present. */
  readonly lost: boolean;
  /** Search for the result of an unresolved attempt before the task is run. */
  readonly searchFirst: boolean;
}

/** Returns the members of an entry that change while its holder is alive. */
const fingerprintOf = (entry: GuardEntry | undefined): string =>
  entry === undefined ? 'absent' : [entry.phase, entry.token, entry.holder, entry.beat, entry.ambiguous].join(' ');

/** Returns the ms since the journal entry was first observed in its state, on this process's clock. */
export function unchangedFor({ host, scope, workspace, entry }: Session): number {
  const { uid = '' } = workspace.metadata;
  return host.observedTimes.unchangedFor(keyOf(workspace.metadata), scope.type, `${uid} ${fingerprintOf(entry)}`);
}

type RequestTimes = Pick<GuardOptions, 'maxRequestMs' | 'listLagMs'>;

/** Returns the time in ms within which an abandoned request may still be carried out, including the lag of lists. */
export const requestMsOf = ({ host }: Session, { maxRequestMs = 0, listLagMs = 0 }: RequestTimes): number =>
  Math.max(host.times.maxRequest, maxRequestMs) + listLagMs;

/** Evaluates whether an attempt may begin now: see {@link lockStateOf}. */
export function currentLockState(session: Session, options: RequestTimes = {}): LockState {
  const { host, entry, mirror } = session;
  const mirrored = mirror.kind === 'own' || mirror.kind === 'predecessor' ? mirror.record.requestMs : 0;
  return lockStateOf({
    entry,
    own: entry?.holder.startsWith(`${host.holder}/`) ?? false,
    unchangedFor: unchangedFor(session),
    lease: host.times.lease,
    maxRequest: Math.max(requestMsOf(session, options), mirrored),
  });
}

/**
 * Restores a lost journal entry, or finishes the attempt of a dead holder, from the mirror. Otherwise reports in the condition that the attempt waits for
 * a person, if its holder is dead and the integration did not run its guard, or if that report was overwritten.
 */
export async function reportUnresolved(session: Session): Promise<void> {
  const { workspace, scope, entry } = session;
  if (isRestorable(session)) {
    if (currentLockState(session).kind === 'lost') await restoreJournal(session);
    return;
  }
  const isDead = entry?.phase === 'intent' && currentLockState(session).kind === 'dead';
  if (!isDead && entry?.phase !== 'unknown') return;
  if (await finishFromMirror(session)) return;
  if (isDead) return reportUnknown(session, 'its holder has died');
  if (conditionOf(workspace, scope.type).status !== 'Unknown')
    await reportUnknown(session, entry.cause ?? 'its condition was overwritten');
}

/** Reports in the condition, once, that an unresolved attempt waits for a person. Runs nothing. */
async function reportUnknown(session: Session, why: string): Promise<void> {
  const { workspace, scope, host, entry: seen } = session;
  const entry: GuardEntry = {
    ...(seen ?? nextIntent(conditionStateOf(session), { ...intentOptionsOf(session, 'task'), lost: true })),
    phase: 'unknown',
    ambiguous: true,
  };
  const reason = unknownReason(entry, why, seen === undefined ? 'missed' : 'held');
  const condition = conditionFor(session, { type: scope.type, status: 'Unknown', reason }, host.clock.now());
  const write: JournalWrite = { type: scope.type, entry, condition };
  const patch = seen === undefined ? intentPatch(session, scope.claim, write) : outcomePatch(workspace, seen, write);
  await session.patchStatus(patch);
  reportRecovery(session, 'asked');
  host.events.event(session.workspace, 'Warning', 'GuardUnknown', `${scope.type}: ${reason}`);
}

/** Describes who holds the condition, for messages. */
const holderIn = ({ entry }: Session): string =>
  entry === undefined ? 'claimed, but its journal entry is missing' : `held by ${entry.holder} since ${entry.since}`;

/** Records the outcome or the journal that the mirror holds. @throws StaleError if it has recorded anything, so that the workspace is reconciled again */
async function recoverFromMirror(session: Session, lock: LockState): Promise<void> {
  const { type } = session.scope;
  const held = holderIn(session);
  if ((lock.kind === 'dead' || lock.kind === 'unknown') && (await finishFromMirror(session)))
    throw new StaleError(`${type}: ${held} and has ended: reconciled again`);
  if (lock.kind === 'lost' && (await restoreJournal(session)))
    throw new StaleError(`${type}: its journal was restored: reconciled again`);
}

const waitsForPerson = ({ scope }: Session): BusyError => new BusyError(`${scope.type}: waits for a person`);

/**
 * Admits an attempt, or throws. An unresolved attempt is only repeated where the declared identity makes that safe, or searched for where the
 * integration can; otherwise the condition becomes `Unknown` and names its holder and the time.
 *
 * @throws BusyError
 */
async function checkMayBegin(session: Session, op: GuardEntry['op'], options: GuardOptions): Promise<BeginConditions> {
  const { host, entry, mirror } = session;
  const lock = currentLockState(session, options);
  if (lock.kind === 'busy') throw new BusyError(`${session.scope.type}: ${holderIn(session)}`, lock.retryAfter);
  await recoverFromMirror(session, lock);
  if (lock.kind === 'unknown') throw waitsForPerson(session);
  const { clock, times } = host;
  const decision = recoveryDecisionOf({ lock, entry, mirror, op, options, now: clock.now(), skew: times.skew });
  if (decision.kind === 'ask') {
    await reportUnknown(session, decision.why);
    throw waitsForPerson(session);
  }
  const searchFirst = decision.kind === 'search';
  if (lock.kind !== 'free') reportRecovery(session, searchFirst ? 'searched' : 'repeated');
  return { lost: lock.kind === 'lost', searchFirst };
}

const intentOptionsOf = ({ host }: Session, op: GuardEntry['op']): IntentOptions => ({
  op,
  input: undefined,
  holder: newHolder(host),
  leaseSeconds: leaseSecondsOf(host),
  now: host.clock.now(),
  lost: false,
});

const conditionStateOf = ({ workspace, scope, entry, late, newestToken, mirror }: Session) => ({
  ...{ workspace, type: scope.type, claim: scope.claim, entry, late, newestToken, mirror },
});

/** Makes the intent durable: the only way to a {@link HeldIntent}. @throws StaleError if any state that the decision was based on has changed */
async function writeIntent(
  session: Session,
  call: GuardCall,
  { op, lost }: { readonly op: GuardEntry['op']; readonly lost: boolean },
): Promise<HeldIntent> {
  const { host, scope, workspace } = session;
  const entry = nextIntent(conditionStateOf(session), {
    ...intentOptionsOf(session, op),
    input: call.options.input,
    lost,
  });
  const now = host.clock.now();
  const reason = lockedReason(call.reason, now + host.times.attempt);
  const condition = conditionFor(session, { type: scope.type, status: 'Locked', reason }, now);
  const acquired = host.clock.monotonic();
  try {
    const isMirrored = isIntentMirrored(session, op, isFindable(call.options)); // it records what was begun, even if an older status is restored
    const patch = intentPatch(session, scope.claim, { type: scope.type, entry, condition });
    await session.patchStatus(isMirrored ? [testMirror(workspace, scope.type), ...patch] : patch);
  } catch (error) {
    if (!(error instanceof StaleError || error instanceof UnreachableError)) throw error;
    await session.refresh();
    if (session.storedEntry?.holder !== entry.holder)
      throw new StaleError(`workspace ${keyOf(session.key)} has changed: nothing was done about ${scope.type}`, {
        cause: error,
      });
  }
  return { entry, acquired };
}

function throwIfNotAllowed(session: Session): void {
  const { workspace, scope, host } = session;
  const name = keyOf(session.key);
  if (session.guarding)
    throw new Error(
      `workspace ${name}: a guard inside the guard of ${scope.type} would wait for itself; use checkpoint() between steps`,
    );
  const newer = newerFormatOf(session.storedEntry, session.mirror);
  if (newer !== undefined) throw new BusyError(`${scope.type}: ${newerText(newer)}`);
  if (!hasFinalizer(workspace, scope.claim))
    throw new StaleError(`workspace ${name} is not claimed by ${scope.claim}: nothing outside may be touched`);
  refuseIfOwnedByOther(session);
  if (session.deleting && !scope.terminating)
    throw new StaleError(`workspace ${name} is being deleted: nothing new starts on it`);
  if (isPaused(workspace, {}, session.deleting)) throw new BusyError(`workspace ${name} is paused`);
  host.stopping.throwIfAborted();
}

/** Runs a task between its intent and its outcome; the process runs nothing else of the condition meanwhile. */
async function runGuarded(session: Session, call: GuardCall): Promise<void> {
  const { options } = call;
  const op = options.op ?? (session.scope.terminating ? 'delete' : 'task');
  const { lost, searchFirst } = await checkMayBegin(session, op, options);
  if (session.entry?.phase === 'gone') await dropFromMirror(session, () => true); // else the deleted ids would be read from the mirror again, once the entry is no longer `gone`
  const held = await writeIntent(session, call, { op, lost });
  const requestMs = requestMsOf(session, options);
  const attempt = await runAttempt(session, held, {
    task: searchFirst ? recoverFirst(session.scope, call) : call.task,
    requestMs,
    isFindable: isFindable(options),
  });
  await recordOutcome(session, held, { ...attempt, recoverable: isRecoverable(options), requestMs });
}

/**
 * Runs a task that changes the outside world while its condition is locked.
 *
 * # Expected flow
 * 1. Write the intent and `Locked` in one patch that tests everything the decision was based on.
 * 2. Run the task once, with a signal that aborts before the lease expires.
 * 3. Write the task's outcome, tested against the token.
 *
 * # Guarantees
 * No outside call before claim and intent are durable. At most one live attempt per condition. An id that the task reported is never dropped while
 * the workspace exists. An unresolved attempt is never run again silently.
 *
 * # Assumptions
 * `maxRequest` holds: no request is carried out later than that after it was abandoned. The API server is linearizable.
 *
 * # Errors
 * StaleError if the state that the decision was based on has changed: nothing has happened. BusyError if another holder is active or a person has to
 * decide. FencedError if another holder took over. Else the task's error.
 */
export async function guard(session: Session, call: GuardCall): Promise<void> {
  throwIfNotAllowed(session);
  session.guarding = true;
  try {
    await session.host.mutex.runExclusive(session.lockKey, () => runGuarded(session, call));
  } finally {
    session.guarding = false;
  }
}
