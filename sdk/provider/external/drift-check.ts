/** Observes external objects and corrects their drift. */

import { DefiniteError } from '../../errors.ts';
import type { Result } from '../../reconcile/reconciler.ts';
import type { Observed } from '../contract/external-resource.ts';
import { reportDrift } from '../guard/instrumented-call.ts';
import { rateLimitedGuard } from '../guard/rate-limited-guard.ts';
import { withReadDeadline } from '../guard/read-deadline.ts';
import { type ExternalObject, needsObservation, type WantedObject } from '../journal/external-objects.ts';
import { isUpToDate } from '../journal/next-object-change.ts';
import { changeOutcome } from './change-outcome.ts';
import { isSecretGone, recoverSecret } from './connection-secret.ts';
import { create, requireFreshLists } from './creation.ts';
import { type EnsureContext, knownObjects, requestTimesOf, titleOf } from './ensure-context.ts';
import { foreignObjectAdvice, isForeign } from './foreign-objects.ts';
import { ownerOf, possibleMarkOwners } from './object-owners.ts';
import { updateOrDelete } from './update-or-delete.ts';

/** Renews the secret of an object whose Secret was deleted, in one guarded attempt. After a lost attempt the Secret is still missing. */
async function renewSecret<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
): Promise<void> {
  const { resource, session } = context;
  const title = titleOf(resource, object.slot);
  if (resource.secretOf === undefined || !(await isSecretGone(session, object.slot))) return;
  session.host.events.event(
    session.workspace,
    'Warning',
    'SecretGone',
    `the Secret of ${title} was deleted: it is renewed`,
  );
  await rateLimitedGuard(session, {
    reason: `renewing the secret of ${title}`,
    task: async ({ signal }) => {
      await recoverSecret(context, { ...object, id: object.id as Id, signal });
      return changeOutcome(context, knownObjects(context), `the secret of ${title} was renewed`);
    },
    options: { op: 'update', identity: 'name', input: { slot: object.slot }, ...requestTimesOf(resource) },
  });
}

/** Reports whether an object is to be observed again before it counts. */
const isPending = (object: ExternalObject): boolean => object.state === 'making' || needsObservation(object);

/** Reports drift of an object by an event; not that of a `found` one, which was never confirmed. */
function reportDrifted<Wanted, Id extends object>(
  { session, resource }: EnsureContext<Wanted, Id>,
  object: ExternalObject,
  what: 'removed' | 'changed',
): void {
  if (object.state === 'found') return;
  reportDrift(session);
  const message = `${titleOf(resource, object.slot)} was ${what} outside`;
  session.host.events.event(session.workspace, 'Warning', 'Drifted', message);
}

/** Reads one object. @throws DefiniteError for one with another owner's mark */
async function observe<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
): Promise<Observed<Wanted> | undefined> {
  const { resource, session } = context;
  const owner = ownerOf(context, object);
  const seen = await withReadDeadline(session.host, `${titleOf(resource, object.slot)}: observe`, async (signal) =>
    resource.observe?.(object.id as Id, { owner, signal }),
  );
  if (isForeign(seen, ...possibleMarkOwners(context, object)))
    throw new DefiniteError(
      `${titleOf(resource, object.slot)} bears the mark of ${seen?.mark}: it is neither changed nor deleted; ${foreignObjectAdvice}`,
    );
  return seen;
}

/** Creates an object again that was removed. @returns whether it is ready */
async function recreate<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
  target: WantedObject<Wanted>,
): Promise<boolean> {
  requireFreshLists(context, `${titleOf(context.resource, object.slot)} was not found, and is searched for again`);
  reportDrifted(context, object, 'removed');
  await create(context, { ...target, instead: object });
  return !knownObjects(context).some((one) => one.slot === object.slot && isPending(one));
}

/** Obtains the secret of an object that was found or named, and renews one whose Secret was deleted. */
async function keepSecret<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
): Promise<void> {
  if (needsObservation(object) || object.state === 'named')
    await withReadDeadline(
      context.session.host,
      `${titleOf(context.resource, object.slot)}: secretOf`,
      async (signal) => recoverSecret(context, { ...object, id: object.id as Id, signal }),
    );
  else if (object.state === undefined) await renewSecret(context, object);
}

/** Observes one object and corrects drift. @returns whether it is ready */
async function checkDrift<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
  target: WantedObject<Wanted>,
): Promise<boolean> {
  const { resource } = context;
  if (needsObservation(object))
    requireFreshLists(context, `${titleOf(resource, object.slot)} may be there or gone: it is read again`);
  const seen = await observe(context, object);
  if (seen === undefined) return recreate(context, object, target);
  if (seen.ready === false) return false;
  if (!isUpToDate(target.wanted, seen.state)) {
    reportDrifted(context, object, 'changed');
    await updateOrDelete(
      context,
      resource.update === undefined ? { op: 'delete', object } : { op: 'update', object, target },
    );
  }
  await keepSecret(context, object);
  return true;
}

/** Objects to observe besides those that are pending or due. */
type Suspects = 'all' | 'recorded as wanted' | 'none';

/** Reports whether an object is observed before its drift check is due. */
const isSuspect = (object: ExternalObject, suspects: Suspects, hash: string | undefined): boolean =>
  suspects === 'all' || (suspects === 'recorded as wanted' && object.hash === hash) || object.state !== undefined;

/**
 * Observes objects that are being created or were named by a person, all after a lost journal, and periodically if the resource asks for it.
 * @returns whether all are ready
 */
export async function observeAll<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  suspects: Suspects,
): Promise<boolean> {
  const { resource, session, wanted } = context;
  const { driftChecks, clock, random } = session.host;
  if (resource.observe === undefined) return true;
  let ready = true;
  for (const object of knownObjects(context)) {
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

/** Returns the requeue for the next observation, at most an interval after the last one. */
export function nextDriftCheck<Wanted, Id extends object>({
  resource,
  session,
  wanted,
}: EnsureContext<Wanted, Id>): Result {
  if (resource.driftInterval === undefined) return {};
  const { driftChecks, clock } = session.host;
  const due = wanted.flatMap(({ slot }) => driftChecks.get(`${session.lockKey}/${slot}`) ?? []);
  const wait = Math.ceil(Math.min(...due) - clock.monotonic());
  return { requeueAfter: due.length === 0 ? resource.driftInterval : Math.max(0, wait) };
}
