/** Compares external objects with their desired state. */

import { cutWithEllipsis } from '../../cut-text.ts';
import { nodeUtil } from '../../node-builtins.ts';
import type { ExternalCallContext, Observed } from '../contract/external-resource.ts';
import type { ExternalObject, WantedObject } from '../journal/external-objects.ts';
import { type EnsureContext, knownObjects, titleOf } from './ensure-context.ts';
import { ownerOf } from './object-owners.ts';
import type { PlannedChange } from './planned-change.ts';
import { isMarkDue } from './replace-owner-marks.ts';

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return cutWithEllipsis(text, 60);
};

/** Describes the differing members, such as `size is 7, wanted 1`; undefined when all read ones are as desired. */
function mismatchText(wanted: unknown, state: object): string | undefined {
  const members = wanted as Readonly<Record<string, unknown>>;
  const different = Object.entries(state).filter(
    ([name, value]) => !nodeUtil().isDeepStrictEqual(value, members[name]),
  );
  if (different.length === 0) return undefined;
  return different.map(([name, value]) => `${name} is ${short(value)}, wanted ${short(members[name])}`).join(', ');
}

/** Reports whether all desired members could be read. */
const covers = (state: object, wanted: unknown): boolean =>
  Object.keys(wanted as object).every((name) => name in state);

type ObservationResult<Wanted> = Observed<Wanted> | undefined | 'unseen';

/** Returns the steps for one known object. */
function stepsFor<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  { object, target }: { readonly object: ExternalObject; readonly target: WantedObject<Wanted> },
  seen: ObservationResult<Wanted>,
): readonly PlannedChange[] {
  const { resource } = context;
  const what = titleOf(resource, object.slot);
  if (seen === undefined) return [{ op: 'create', what, why: 'it was removed outside' }];
  if (object.state === 'going') return [{ op: 'delete', what, why: 'it is being deleted' }];
  const state = seen === 'unseen' ? {} : seen.state;
  const isNew = object.hash !== target.hash && !covers(state, target.wanted);
  const why = mismatchText(target.wanted, state) ?? (isNew ? 'its spec has changed' : undefined);
  if (why === undefined)
    return isMarkDue(context, object) ? [{ op: 'update', what, why: 'it has the mark of an earlier uid' }] : [];
  if (resource.update !== undefined) return [{ op: 'update', what, why }];
  return [
    { op: 'delete', what, why: `${why}, and it cannot be changed` },
    { op: 'create', what },
  ];
}

/** Steps that would be done, and whether an object is still being created. */
export interface EnsurePlan {
  readonly steps: PlannedChange[];
  readonly making: boolean;
}

/** Returns the deletions of unwanted and duplicate objects, the last created first. */
function deletionsFor<Wanted, Id extends object>(
  { resource, wanted }: EnsureContext<Wanted, Id>,
  known: readonly ExternalObject[],
): PlannedChange[] {
  const isWanted = ({ slot }: ExternalObject) => wanted.some((target) => target.slot === slot);
  const isSecond = (object: ExternalObject) => known.find(({ slot }) => slot === object.slot) !== object;
  return known
    .filter((object) => !isWanted(object) || isSecond(object))
    .reverse()
    .map((object) => ({
      op: 'delete',
      what: titleOf(resource, object.slot),
      why: isWanted(object) ? 'it exists twice' : 'it is no longer wanted',
    }));
}

/**
 * Reads the external objects of a condition and returns the steps that `ensure` would take: deletions of unwanted ones first, then updates and
 * creations, in the order of the desired ones. Calls only `find` and `observe`.
 */
export async function readDryRunChanges<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  signal: AbortSignal,
): Promise<EnsurePlan> {
  const { resource, wanted } = context;
  const known = knownObjects(context);
  const callContext = (object: ExternalObject): ExternalCallContext => ({ owner: ownerOf(context, object), signal });
  const observe = async (object: ExternalObject): Promise<ObservationResult<Wanted>> =>
    resource.observe === undefined ? 'unseen' : resource.observe(object.id as Id, callContext(object));
  const steps = deletionsFor(context, known);
  let making = false;
  for (const target of wanted) {
    const { slot } = target;
    let object = known.find((one) => one.slot === slot);
    if (object === undefined) {
      const id = await resource.find?.(ownerOf(context, { slot }), { signal });
      steps.push({ op: id === undefined ? 'create' : 'adopt', what: titleOf(resource, slot) });
      if (id === undefined) continue;
      object = { slot, id, hash: target.hash };
    }
    const seen = await observe(object);
    making ||= seen !== 'unseen' && seen?.ready === false;
    steps.push(...stepsFor(context, { object, target }, seen));
  }
  return { steps, making };
}
