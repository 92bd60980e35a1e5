/** Brings the external objects of a condition to their desired state. */

import type { Result } from '../../reconcile/reconciler.ts';
import { requestMsOf } from '../guard/guard.ts';
import { hasOpenAttempt } from '../guard/next-intent.ts';
import { withReadDeadline } from '../guard/read-deadline.ts';
import { recordDoubt } from '../guard/restore-journal.ts';
import { type ExternalObject, isDuplicate, type WantedObject } from '../journal/external-objects.ts';
import { nextChange } from '../journal/next-object-change.ts';
import { recreateMirror } from '../journal/recreate-mirror.ts';
import { restoreSecret } from './connection-secret.ts';
import { create, isInventoryDue, openCreation, takeInventory } from './creation.ts';
import { destroy } from './destroy.ts';
import { nextDriftCheck, observeAll } from './drift-check.ts';
import {
  type EnsureContext,
  externalPollInterval,
  hasSkippedChange,
  isJournalLost,
  isUnverifiedSinceLoss,
  knownObjects,
  titleOf,
} from './ensure-context.ts';
import { isMarkingOpen, replaceMarks } from './replace-owner-marks.ts';
import { settleCondition } from './settle-condition.ts';
import { updateOrDelete } from './update-or-delete.ts';

const isGoing = <Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): boolean =>
  knownObjects(context).some(({ state }) => state === 'going');

/** Reports a duplicate by an event before it is deleted. */
function reportDuplicate<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>, object: ExternalObject): void {
  const { session, resource } = context;
  if (object.state === 'going' || !isDuplicate(object, knownObjects(context))) return;
  const what = `${titleOf(resource, object.slot)} existed twice: ${JSON.stringify(object.id)} is deleted`;
  session.host.events.event(session.workspace, 'Warning', 'Duplicate', what);
}

/** Replaces the marks of earlier uids, then executes changes in order. @returns whether a deletion must be waited for */
async function applyChanges<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<boolean> {
  const canUpdate = context.resource.update !== undefined;
  await replaceMarks(context);
  for (;;) {
    const change = nextChange(context.wanted, knownObjects(context), canUpdate);
    if (change === undefined) return false;
    if (change.op === 'delete') reportDuplicate(context, change.object);
    await (change.op === 'create' ? create(context, change.target) : updateOrDelete(context, change));
    if (change.op === 'delete' && isGoing(context)) return true;
  }
}

/**
 * Retries to store secrets. An object whose secret cannot be obtained any more is recreated, once the Secret can be written.
 * @returns whether a deletion must be waited for. @throws the error for which a secret cannot be stored
 */
async function restoreSecrets<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<boolean> {
  const isWanted = ({ slot }: ExternalObject): boolean => context.wanted.some((target) => target.slot === slot);
  for (const object of knownObjects(context)) {
    if (object.state !== 'secretless' || !isWanted(object)) continue;
    const id = object.id as Id;
    const isKept = await withReadDeadline(
      context.session.host,
      `${titleOf(context.resource, object.slot)}: secretOf`,
      (signal) => restoreSecret(context, { ...object, id, signal }),
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
  if (isMarkingOpen(entry)) {
    await replaceMarks(context);
    return false;
  }
  if (!hasOpenAttempt(entry) || (entry.op !== 'update' && entry.op !== 'delete')) return false;
  const slot = (entry.input as { readonly slot?: string } | undefined)?.slot;
  if (slot === undefined) return (await destroy(context)).requeueAfter !== undefined;
  const object = knownObjects(context).find((one) => one.slot === slot);
  const target = context.wanted.find((one) => one.slot === slot);
  if (object === undefined) return false;
  if (entry.op === 'delete' || target === undefined || context.resource.update === undefined)
    await updateOrDelete(context, { op: 'delete', object });
  else await updateOrDelete(context, { op: 'update', object, target });
  return isGoing(context);
}

/** Reports whether the journal was lost and not all known objects were observed since. */
const isUnverified = <Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): boolean =>
  isJournalLost(context) || isUnverifiedSinceLoss(context);

/** Returns an object that may have been created without a journal entry; it is resolved before any other change. */
function unknownCreation<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
): WantedObject<Wanted> | undefined {
  if (!isJournalLost(context)) return undefined;
  const objects = knownObjects(context);
  return context.wanted.find(({ slot }) => !objects.some((object) => object.slot === slot));
}

/** Resolves what is unresolved, then makes the changes that are due, one by one. @returns whether a deletion must be waited for */
async function converge<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<boolean> {
  if (isInventoryDue(context)) await takeInventory(context);
  const open = openCreation<Wanted>(context.session) ?? unknownCreation(context);
  if (open !== undefined) await create(context, open);
  if (await resolveChange(context)) return true;
  await recordDoubt(context.session);
  if (isUnverified(context)) await observeAll(context, 'all');
  else if (hasSkippedChange(context)) await observeAll(context, 'recorded as wanted');
  return applyChanges(context);
}

/**
 * Brings the external objects of a condition to the desired state: resolves an unresolved creation first, then makes one guarded change at a time.
 * @returns the requeue: while an object is being created or deleted, and for the next drift check
 */
export async function ensure<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<Result> {
  const again = { requeueAfter: externalPollInterval };
  if (await converge(context)) return again;
  const ready = await observeAll(context, isUnverified(context) ? 'all' : 'none');
  if (await restoreSecrets(context)) return again;
  await settleCondition(context, ready);
  await recreateMirror(context.session, requestMsOf(context.session, context.resource));
  return !ready || (await applyChanges(context)) ? again : nextDriftCheck(context);
}
