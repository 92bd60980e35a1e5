/** Creates external objects exactly once. */

import type { GuardEntry } from '../../api/workspace.ts';
import { BusyError, DefiniteError } from '../../errors.ts';
import { ExternalAlreadyExistsError } from '../contract/external-resource.ts';
import type { Outcome, Ref, TaskContext } from '../contract/integration.ts';
import { unchangedFor } from '../guard/guard.ts';
import { hasOpenAttempt } from '../guard/next-intent.ts';
import { rateLimitedGuard } from '../guard/rate-limited-guard.ts';
import { recordDoubt } from '../guard/restore-journal.ts';
import { type ExternalObject, type WantedObject, withObject, withoutObject } from '../journal/external-objects.ts';
import type { Session } from '../journal/session.ts';
import { dropFromMirror } from '../journal/write-mirror.ts';
import { changeOutcome } from './change-outcome.ts';
import { saveCreatedSecret } from './connection-secret.ts';
import {
  type EnsureContext,
  isJournalLost,
  isUnverifiedSinceLoss,
  knownObjects,
  requestTimesOf,
  titleOf,
} from './ensure-context.ts';
import { findAllOwned, findOwn, recoverObject } from './find-owned.ts';
import { foreignObjectAdvice } from './foreign-objects.ts';
import { ownerOf } from './object-owners.ts';

/** Object to create. */
export interface Creation<Wanted> extends WantedObject<Wanted> {
  /** Former object that it replaces, which does not exist any more. */
  readonly instead?: Pick<ExternalObject, 'slot' | 'id'> | undefined;
}

/** Returns the input to journal for a creation, from which it can be repeated. */
const inputOf = <Wanted>({ slot, wanted, hash, instead }: Creation<Wanted>): Ref => ({
  slot,
  wanted,
  hash,
  ...(instead !== undefined && { instead: { slot: instead.slot, id: instead.id } }),
});

/** Returns the unresolved creation from the journal. */
export function openCreation<Wanted>({ entry }: Session): Creation<Wanted> | undefined {
  if (entry?.phase !== 'intent' || entry.op !== 'create' || entry.input === undefined) return undefined;
  return entry.input as unknown as Creation<Wanted>;
}

/** Returns the known objects without the replaced one. */
function remainingObjects<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  { instead }: Creation<Wanted>,
): readonly ExternalObject[] {
  const objects = knownObjects(context);
  return instead === undefined ? objects : withoutObject(objects, instead);
}

/**
 * Finds the object of an unresolved creation; after a lost journal, also those of all other wanted objects without a known id, since later creations
 * do not look for them. @returns all objects known then; undefined when none was found
 */
async function findAgain<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  begun: Creation<Wanted>,
  signal: AbortSignal,
): Promise<readonly ExternalObject[] | undefined> {
  const before = remainingObjects(context, begun);
  const others = context.wanted.filter(({ slot }) => slot !== begun.slot && !before.some((one) => one.slot === slot));
  let objects = before;
  for (const target of [begun, ...(isUnverifiedSinceLoss(context) ? others : [])]) {
    const found = await findOwn(context, target.slot, signal);
    if (found !== undefined) objects = withObject(objects, await recoverObject(context, target, { ...found, signal }));
  }
  return objects === before ? undefined : objects;
}

/** Reports whether, after a lost or doubtful journal or a restored workspace, the third party has not been searched for owned objects yet. */
export function isInventoryDue<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): boolean {
  const { entry, mirror, formerUids } = context.session;
  const { find, findAll } = context.resource;
  if (mirror.kind === 'predecessor' && entry !== undefined) return find !== undefined || findAll !== undefined;
  if (findAll === undefined) return find !== undefined && isUnfinishedTask(entry) && formerUids.length > 0;
  return isUnfinishedTask(entry) || isUntriedSinceLoss(entry) || isOpenInDoubt(entry) || isJournalLost(context);
}

/** Reports whether an entry is that of a task that has begun or failed. */
const isUnfinishedTask = (entry: GuardEntry | undefined): boolean =>
  entry?.op === 'task' && (entry.phase === 'intent' || entry.phase === 'failed');

/** Reports whether an entry of a lost journal has an open attempt at one object. */
const isOpenInDoubt = (entry: GuardEntry | undefined): boolean =>
  hasOpenAttempt(entry) && entry.lost === true && entry.op !== 'task';

/** Reports whether an entry that is restored or in doubt has had no attempt since. */
const isUntriedSinceLoss = (entry: GuardEntry | undefined): boolean =>
  entry?.op === 'task' && entry.lost === true && entry.attempt === undefined;

/**
 * Searches the third party, after a lost journal, for all owned objects, regardless of the current spec. Runs as a guarded attempt, once no process
 * with more knowledge can be active, and lists are up to date.
 */
export async function takeInventory<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<void> {
  const { resource, wanted, session } = context;
  const { entry } = session;
  await recordDoubt(session);
  if (entry !== undefined && entry.phase !== 'intent')
    requireFreshLists(context, `every ${resource.label} of this workspace is searched for`);
  return rateLimitedGuard(session, {
    reason: `searching for every ${resource.label} of this workspace`,
    task: async ({ signal }) => {
      const objects: ExternalObject[] = [];
      for (const found of await findAllOwned(context, signal)) {
        const target = wanted.find(({ slot }) => slot === found.slot);
        objects.push(
          target === undefined ? { ...found, hash: '' } : await recoverObject(context, target, { ...found, signal }),
        );
      }
      const all = objects.reduce(withObject, knownObjects(context));
      return { ...changeOutcome(context, all, `found ${objects.length} × ${resource.label}`), status: 'In Progress' };
    },
    options: { op: 'task', identity: 'name', ...requestTimesOf(resource) },
  });
}

/** Creates the object, or adopts an existing one if it has the workspace's owner mark. */
async function createOrAdopt<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  target: WantedObject<Wanted>,
  { key, signal }: TaskContext,
): Promise<ExternalObject<Id>> {
  const { resource, session } = context;
  const { slot, hash } = target;
  const owner = ownerOf(context, { slot });
  try {
    const { id, secret, ready = true, upToDate = true } = await resource.create(target.wanted, { key, owner, signal });
    const object = { slot, id, hash: upToDate ? hash : '', ...(!ready && { state: 'making' as const }) };
    if (secret !== undefined) return await saveCreatedSecret(session, object, secret);
    return ready && resource.secretOf !== undefined ? { ...object, state: 'secretless' } : object;
  } catch (error) {
    if (!(error instanceof ExternalAlreadyExistsError)) throw error;
    const found = await findOwn(context, slot, signal);
    if (found === undefined)
      throw new DefiniteError(
        `${titleOf(resource, slot)} exists and has another owner: ${error.message}; ${foreignObjectAdvice}`,
        {
          cause: error,
        },
      );
    return recoverObject(context, target, { ...found, signal });
  }
}

/**
 * Removes a deleted object of this slot from the mirror before its successor is created: if the journal were lost then, the mirror would look as if
 * no creation had been in progress. @throws StaleError if a concurrent writer has changed it
 */
async function forgetFormer<Wanted, Id extends object>(
  { session }: EnsureContext<Wanted, Id>,
  slot: string,
): Promise<void> {
  const phase = session.entry?.phase;
  if (phase !== undefined && phase !== 'intent') await dropFromMirror(session, (ref) => ref.slot === slot);
}

/**
 * Requires that lists are up to date: a deleted object may still be listed, and a new one not yet, so a list is only trusted when there was no write for
 * as long as it may lag. Does not wait. @throws BusyError with the remaining time
 */
export function requireFreshLists<Wanted, Id extends object>(
  { session, resource }: EnsureContext<Wanted, Id>,
  what: string,
): void {
  const left = (resource.listLagMs ?? 0) - unchangedFor(session);
  if (left > 0) throw new BusyError(`${session.scope.type}: ${what} once lists are up to date again`, Math.ceil(left));
}

/** Creates one object under guard; an unresolved attempt is resolved as the resource's identity allows. */
export async function create<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  target: Creation<Wanted>,
): Promise<void> {
  const { resource, session } = context;
  await forgetFormer(context, target.slot);
  if (resource.find !== undefined && (session.entry?.op === 'delete' || isUntriedSinceLoss(session.entry)))
    requireFreshLists(context, `${titleOf(resource, target.slot)} is made`);
  const begun = ({ input }: TaskContext): Creation<Wanted> => (input ?? inputOf(target)) as unknown as Creation<Wanted>;
  const made = (objects: readonly ExternalObject[], slot: string): Outcome =>
    changeOutcome(context, objects, `${titleOf(resource, slot)} was made`);
  let hasLooked = false;
  const recover = async (taskContext: TaskContext): Promise<Outcome | undefined> => {
    if (hasLooked) return undefined;
    hasLooked = true;
    const objects = await findAgain(context, begun(taskContext), taskContext.signal);
    return objects && made(objects, begun(taskContext).slot);
  };
  const create = async (taskContext: TaskContext): Promise<Outcome> => {
    const there = resource.identity === 'tag' ? await recover(taskContext) : undefined;
    if (there !== undefined) return there;
    const object = await createOrAdopt(context, begun(taskContext), taskContext);
    return made(withObject(remainingObjects(context, begun(taskContext)), object), object.slot);
  };
  return rateLimitedGuard(session, {
    reason: `creating ${titleOf(resource, target.slot)}`,
    task: create,
    options: {
      op: 'create',
      input: inputOf(target),
      ...requestTimesOf(resource),
      ...(resource.identity === 'name' && { identity: resource.identity }),
      ...(resource.identity === 'key' && { identity: resource.identity, validForMs: resource.validForMs }),
      ...(resource.identity === 'tag' && { recover }),
    },
  });
}
