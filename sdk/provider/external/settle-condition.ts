/** Sets the condition after a pass that brought external objects to their desired state. */

import type { GuardEntry } from '../../api/workspace.ts';
import type { Ref } from '../contract/integration.ts';
import { updateCondition } from '../guard/update-condition.ts';
import { asRefs, type ExternalObject } from '../journal/external-objects.ts';
import { conditionFor, outcomePatch } from '../journal/journal-patch.ts';
import { mirroredToken } from '../journal/read-mirror.ts';
import { isLocked } from '../journal/recorded-claim.ts';
import type { Session } from '../journal/session.ts';
import { completionOutcome } from './change-outcome.ts';
import { type EnsureContext, knownObjects } from './ensure-context.ts';

/** Reports whether an entry already records this generation, with all objects settled and no lost journal. */
const isSettledFor = (generation: number | undefined, entry: GuardEntry, objects: readonly ExternalObject[]): boolean =>
  (entry.generation === undefined || entry.generation === generation) &&
  objects.every(({ state }) => state === undefined) &&
  entry.lost !== true;

/** Returns an entry with all objects settled, for the generation that the session acts on. */
function settledEntry(
  { generation, mirror, newestToken }: Session,
  entry: GuardEntry,
  refs: readonly Ref[],
): GuardEntry {
  const { lost: _, mirrored: before, ...rest } = entry;
  const mirrored = mirroredToken(mirror) ?? before;
  return {
    ...rest,
    token: newestToken,
    refs: refs as GuardEntry['refs'],
    ...(mirrored !== undefined && { mirrored }),
    ...(generation !== undefined && { generation }),
  };
}

/** Sets the condition to its final or pending status, where no guard has done so. */
export async function settleCondition<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  ready: boolean,
): Promise<void> {
  const { session } = context;
  const { workspace, scope, host, entry } = session;
  const objects = knownObjects(context);
  if (!ready) return updateCondition(session, 'In Progress', `${context.resource.label} is being made`);
  const made = objects.map(({ state: _, ...object }) => object);
  const { status, reason } = completionOutcome(context, made, `not every ${context.resource.label} is as wanted yet`);
  if (entry === undefined || isLocked(entry) || isSettledFor(session.generation, entry, objects))
    return updateCondition(session, status, reason);
  const condition = conditionFor(session, { type: scope.type, status, reason }, host.clock.now());
  const settled = settledEntry(session, entry, asRefs(made));
  await session.patchStatus(outcomePatch(workspace, entry, { type: scope.type, entry: settled, condition }));
}
