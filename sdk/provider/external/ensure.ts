/** Brings the external objects of a condition to their desired state. */

import { DefiniteError } from '../../errors.ts';
import type { Result } from '../../reconcile/reconciler.ts';
import { requestMsOf } from '../guard/guard.ts';
import { reportDrift } from '../guard/instrumented-call.ts';
import { withinLease } from '../guard/lease-deadline.ts';
import { hasOpenAttempt } from '../guard/next-intent.ts';
import { recordDoubt } from '../guard/restore-journal.ts';
import {
  type ExternalObject,
  externalObjectsOf,
  isDuplicate,
  isUpToDate,
  needsObservation,
  nextChange,
  type WantedObject,
} from '../journal/external-objects.ts';
import { create, isInventoryDue, openCreation, takeInventory, waitForLists } from './creation.ts';
import { destroy } from './destroy.ts';
import {
  bearersOf,
  type EnsureContext,
  externalPollInterval,
  hasSkippedChange,
  isFirstAfterLoss,
  isJournalLost,
  outcomeOf,
  ownerOf,
  timesOf,
  titleOf,
} from './ensure-context.ts';
import { foreignObjectAdvice, isForeign } from './foreign-objects.ts';
import { isMarkingOpen, replaceMarks } from './replace-marks.ts';
import { restoreMirror } from './restore-mirror.ts';
import { isSecretGone, recoverSecret, restoreSecret } from './secret.ts';
import { updateOrDelete } from './update-or-delete.ts';

const isGoing = <Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): boolean =>
  externalObjectsOf(context.refs()).some(({ state }) => state === 'going');

/** Reports a duplicate by an event before it is deleted. */
function reportDuplicate<Wanted, Id extends object>(
  { session, resource, refs }: EnsureContext<Wanted, Id>,
  object: ExternalObject,
): void {
  if (object.state === 'going' || !isDuplicate(object, externalObjectsOf(refs()))) return;
  const what = `${titleOf(resource, object.slot)} existed twice: ${JSON.stringify(object.id)} is deleted`;
  session.host.events.event(session.workspace, 'Warning', 'Duplicate', what);
}

/** Replaces the marks of earlier uids, then executes changes in order. @returns whether a deletion must be waited for */
async function applyChanges<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<boolean> {
  const canUpdate = context.resource.update !== undefined;
  await replaceMarks(context);
  for (;;) {
    const change = nextChange(context.wanted, externalObjectsOf(context.refs()), canUpdate);
    if (change === undefined) return false;
    if (change.op === 'delete') reportDuplicate(context, change.object);
    await (change.op === 'create' ? create(context, change.target) : updateOrDelete(context, change));
    if (change.op === 'delete' && isGoing(context)) return true;
  }
}

/** Requests a secret whose Secret was deleted, a new one if need be, in one guarded attempt: a later holder that finds it open misses the Secret again. */
async function renewSecret<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
): Promise<void> {
  const { resource, session, refs } = context;
  const title = titleOf(resource, object.slot);
  if (resource.secretOf === undefined || !(await isSecretGone(session, object.slot))) return;
  session.host.events.event(
    session.workspace,
    'Warning',
    'SecretGone',
    `the Secret of ${title} was deleted: it is renewed`,
  );
  await context.guard(
    `renewing the secret of ${title}`,
    async ({ signal }) => {
      await recoverSecret(context, { ...object, id: object.id as Id, signal });
      return outcomeOf(context, externalObjectsOf(refs()), `the secret of ${title} was renewed`);
    },
    { op: 'update', identity: 'name', input: { slot: object.slot }, ...timesOf(resource) },
  );
}

/** Reports whether an object is to be observed again before it counts. */
const isPending = (object: ExternalObject): boolean => object.state === 'making' || needsObservation(object);

/** Observes one object and corrects drift. @returns whether it is ready */
async function checkDrift<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
  target: WantedObject<Wanted>,
): Promise<boolean> {
  const { resource, session } = context;
  const { events } = session.host;
  const owner = ownerOf(context, object);
  if (needsObservation(object))
    waitForLists(context, `${titleOf(resource, object.slot)} may be there or gone: it is read again`);
  const seen = await withinLease(session.host, async (signal) =>
    resource.observe?.(object.id as Id, { owner, signal }),
  );
  const tell = (what: string): void => {
    if (object.state === 'found') return; // it has never counted
    reportDrift(session);
    events.event(session.workspace, 'Warning', 'Drifted', `${titleOf(resource, object.slot)} was ${what} outside`);
  };
  if (isForeign(seen, ...bearersOf(context, object)))
    throw new DefiniteError(
      `${titleOf(resource, object.slot)} bears the mark of ${seen?.mark}: it is neither changed nor deleted; ${foreignObjectAdvice}`,
    );
  if (seen === undefined) {
    waitForLists(context, `${titleOf(resource, object.slot)} was not found, and is searched for again`);
    tell('removed');
    await create(context, { ...target, instead: object });
    return !externalObjectsOf(context.refs()).some((one) => one.slot === object.slot && isPending(one));
  }
  if (seen.ready !== false && !isUpToDate(target.wanted, seen.state)) {
    tell('changed');
    await updateOrDelete(
      context,
      resource.update === undefined ? { op: 'delete', object } : { op: 'update', object, target },
    );
  }
  const isReady = seen.ready !== false;
  if (isReady && (needsObservation(object) || object.state === 'named'))
    await withinLease(session.host, async (signal) =>
      recoverSecret(context, { ...object, id: object.id as Id, signal }),
    );
  else if (isReady && object.state === undefined) await renewSecret(context, object);
  return isReady;
}

/**
 * Retries to store secrets. An object whose secret cannot be obtained any more is recreated, once the Secret can be written.
 * @returns whether a deletion must be waited for. @throws the error for which a secret cannot be stored
 */
async function restoreSecrets<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<boolean> {
  const isWanted = ({ slot }: ExternalObject): boolean => context.wanted.some((target) => target.slot === slot);
  for (const object of externalObjectsOf(context.refs())) {
    if (object.state !== 'secretless' || !isWanted(object)) continue;
    const id = object.id as Id;
    const isKept = await withinLease(context.session.host, (signal) =>
      restoreSecret(context, { ...object, id, signal }),
    );
    if (isKept) continue;
    await updateOrDelete(context, { op: 'delete', object });
    if (await applyChanges(context)) return true;
  }
  return false;
}

/** Completes an unresolved update or deletion by repeating it, whatever is desired or has failed since. @returns whether a deletion must be waited for */
async function resolveChange<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<boolean> {
  const { entry } = context.session;
  if (isMarkingOpen(entry)) return replaceMarks(context);
  if (!hasOpenAttempt(entry) || (entry.op !== 'update' && entry.op !== 'delete')) return false;
  const slot = (entry.input as { readonly slot?: string } | undefined)?.slot;
  if (slot === undefined) return (await destroy(context)).requeueAfter !== undefined;
  const object = externalObjectsOf(context.refs()).find((one) => one.slot === slot);
  const target = context.wanted.find((one) => one.slot === slot);
  if (object === undefined) return false;
  if (entry.op === 'delete' || target === undefined || context.resource.update === undefined)
    await updateOrDelete(context, { op: 'delete', object });
  else await updateOrDelete(context, { op: 'update', object, target });
  return isGoing(context);
}

/** Reports whether the journal was lost and not all known objects were observed since. */
const isInDoubt = <Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): boolean =>
  isJournalLost(context) || isFirstAfterLoss(context);

/** Objects to observe beside those that are pending or due. */
type Suspects = 'all' | 'recorded as wanted' | 'none';

/** Reports whether an object is observed before its drift check is due. */
const isSuspect = (object: ExternalObject, suspects: Suspects, hash: string | undefined): boolean =>
  suspects === 'all' || (suspects === 'recorded as wanted' && object.hash === hash) || object.state !== undefined;

/**
 * Observes objects that are being created or were named by a person, all after a lost journal, and periodically if the resource asks for it.
 * @returns whether all are ready
 */
async function checkAll<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  suspects: Suspects,
): Promise<boolean> {
  const { resource, session, wanted } = context;
  const { driftChecks, clock, random } = session.host;
  if (resource.observe === undefined) return true;
  let ready = true;
  for (const object of externalObjectsOf(context.refs())) {
    const target = wanted.find(({ slot }) => slot === object.slot);
    const name = `${session.lockKey}/${object.slot}`;
    const now = clock.monotonic();
    const due =
      isSuspect(object, suspects, target?.hash) ||
      (resource.driftInterval !== undefined && now >= (driftChecks.get(name) ?? now));
    if (!due || target === undefined) continue;
    ready = (await checkDrift(context, object, target)) && ready;
    if (resource.driftInterval !== undefined)
      driftChecks.set(name, now + resource.driftInterval * (0.75 + random() / 4));
  }
  return ready;
}

/** Returns an object that may have been created without a journal entry; it is resolved before any other change. */
function unknownCreation<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
): WantedObject<Wanted> | undefined {
  if (!isJournalLost(context)) return undefined;
  const objects = externalObjectsOf(context.refs());
  return context.wanted.find(({ slot }) => !objects.some((object) => object.slot === slot));
}

/** Returns the requeue for the next observation, at most an interval after the last one. */
function nextDriftCheck<Wanted, Id extends object>({ resource, session, wanted }: EnsureContext<Wanted, Id>): Result {
  if (resource.driftInterval === undefined) return {};
  const { driftChecks, clock } = session.host;
  const due = wanted.flatMap(({ slot }) => driftChecks.get(`${session.lockKey}/${slot}`) ?? []);
  const wait = Math.ceil(Math.min(...due) - clock.monotonic());
  return { requeueAfter: due.length === 0 ? resource.driftInterval : Math.max(0, wait) };
}

/**
 * Brings the external objects of a condition to the desired state: resolves an unresolved creation first, then makes one guarded change at a time.
 * @returns the requeue: while an object is being created or deleted, and for the next drift check
 */
export async function ensure<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  settled: (ready: boolean) => Promise<void>,
): Promise<Result> {
  if (isInventoryDue(context)) await takeInventory(context);
  const open = openCreation<Wanted>(context.session) ?? unknownCreation(context);
  if (open !== undefined) await create(context, open);
  if (await resolveChange(context)) return { requeueAfter: externalPollInterval };
  await recordDoubt(context.session);
  if (isInDoubt(context)) await checkAll(context, 'all');
  else if (hasSkippedChange(context)) await checkAll(context, 'recorded as wanted');
  if (await applyChanges(context)) return { requeueAfter: externalPollInterval };
  const ready = await checkAll(context, isInDoubt(context) ? 'all' : 'none');
  if (await restoreSecrets(context)) return { requeueAfter: externalPollInterval };
  await settled(ready);
  await restoreMirror(context.session, requestMsOf(context.session, context.resource));
  const goesOn = !ready || (await applyChanges(context));
  return goesOn ? { requeueAfter: externalPollInterval } : nextDriftCheck(context);
}
