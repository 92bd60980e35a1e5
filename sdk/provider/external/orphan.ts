/** The orphan policy: external objects are released instead of deleted. */

import { isSameJson } from '../../api/json.ts';
import type { GuardEntry } from '../../api/workspace.ts';
import { cutText, maxReasonLength } from '../../cut-text.ts';
import { BusyError, GiveUpError } from '../../errors.ts';
import type { Ref } from '../contract/integration.ts';
import { currentLockState } from '../guard/guard.ts';
import type { WantedObject } from '../journal/external-objects.ts';
import { conditionFor, conditionPatch, outcomePatch } from '../journal/journal-patch.ts';
import { type Mirror, ownRefs } from '../journal/read-mirror.ts';
import { isLocked } from '../journal/recorded-claim.ts';
import { unionOf } from '../journal/ref-sets.ts';
import { refuseIfOwnedByOther, type Session } from '../journal/session.ts';
import { type EnsureContext, knownObjects, titleOf } from './ensure-context.ts';

/**
 * Applies policy `orphan`: an object that is not wanted is orphaned instead of deleted, and an event names it. A wanted object that could only be
 * changed by deleting it stays as it is, with a GiveUpError. Under any other policy the context is returned as it is.
 */
export function withOrphanPolicy<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  wanted: readonly WantedObject<Wanted>[],
): EnsureContext<Wanted, Id> {
  const { session, resource } = context;
  const { host, scope } = session;
  if (scope.policy !== 'orphan') return context;
  const release: typeof resource.delete = async (id, { owner: { slot } }) => {
    const what = titleOf(resource, slot);
    const first = knownObjects(context).find((object) => object.slot === slot);
    if (isSameJson(first?.id, id) && wanted.some((target) => target.slot === slot))
      throw new GiveUpError(`${what} would have to be deleted to become as wanted, which policy orphan does not allow`);
    const message = `${scope.type}: ${what} is no longer desired, and stays outside: ${JSON.stringify(id)}`;
    host.events.event(session.workspace, 'Normal', 'Orphaned', message);
    return 'gone';
  };
  return { ...context, resource: { ...resource, delete: release } };
}

/** Limit of the ids that an event names. */
const maxNamed = 10;

function listed(refs: readonly Ref[]): string {
  const named = refs.slice(0, maxNamed).map((ref) => JSON.stringify(ref.id ?? ref));
  return refs.length > maxNamed ? `${named.join(', ')} and ${refs.length - maxNamed} more` : named.join(', ');
}

/** Describes all objects that a condition may have at the third party. */
function describedObjects(mirror: Mirror, seen: GuardEntry | undefined): string {
  const { refs = [], late = [] } = seen ?? {};
  const known = unionOf(unionOf(refs as readonly Ref[], late as readonly Ref[]), ownRefs(mirror, seen));
  const doubt = seen !== undefined && isLocked(seen) ? `, and whatever came of "${seen.op}" (key ${seen.key})` : '';
  return `${known.length === 0 ? 'nothing known' : listed(known)}${doubt}`;
}

const withoutObjects = ({ refs: _, late: __, ambiguous: ___, lost: ____, dropped: _____, ...rest }: GuardEntry) => rest;

/**
 * Orphans all external objects of a condition, without a call to the third party: the journal becomes `gone`, the condition `Terminated`, and an
 * event names the objects.
 * @throws BusyError while an attempt is active, whose objects would not be named; StaleError if the workspace has changed
 */
export async function orphanAll(session: Session): Promise<void> {
  refuseIfOwnedByOther(session);
  const { scope, host, workspace, entryOfOtherClaim } = session;
  const seen = entryOfOtherClaim ?? session.entry;
  const { type, claim, policy = 'orphan' } = scope;
  const lock = currentLockState(session);
  if (seen?.phase === 'intent' && lock.kind === 'busy')
    throw new BusyError(`${type}: held by ${seen.holder}; nothing is given up before it has ended`, lock.retryAfter);
  const what = describedObjects(session.mirror, seen);
  const reason = cutText(`policy ${policy}: what is outside stays there: ${what}`, maxReasonLength);
  const condition = conditionFor(session, { type, status: 'Terminated', reason }, host.clock.now());
  const patch =
    seen === undefined
      ? conditionPatch(workspace, condition)
      : outcomePatch(workspace, seen, { type, entry: { ...withoutObjects(seen), claim, phase: 'gone' }, condition });
  await session.patchStatus(patch);
  for (const name of host.driftChecks.keys()) if (name.startsWith(`${session.lockKey}/`)) host.driftChecks.delete(name);
  host.events.event(session.workspace, 'Normal', 'Orphaned', `${type}: ${reason}`);
}
