/** Compares external objects with their desired state. */

import { isDeepStrictEqual } from 'node:util';
import type { Observed, ThingContext } from './external-resource.ts';
import { type Hands, ownerOf, titled } from './hands.ts';
import { isMarkDue } from './remark.ts';
import type { Step } from './step.ts';
import { type Slotted, type Thing, thingsOf } from './things.ts';

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** Describes the differing members, such as `size is 7, wanted 1`; undefined when all read ones are as desired. */
function unlike(wanted: unknown, state: object): string | undefined {
  const members = wanted as Readonly<Record<string, unknown>>;
  const different = Object.entries(state).filter(([name, value]) => !isDeepStrictEqual(value, members[name]));
  if (different.length === 0) return undefined;
  return different.map(([name, value]) => `${name} is ${short(value)}, wanted ${short(members[name])}`).join(', ');
}

/** Reports whether all desired members could be read. */
const covers = (state: object, wanted: unknown): boolean =>
  Object.keys(wanted as object).every((name) => name in state);

type Seen<Wanted> = Observed<Wanted> | undefined | 'unseen';

/** Returns the steps for one known object. */
function stepsFor<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  { thing, target }: { readonly thing: Thing; readonly target: Slotted<Wanted> },
  seen: Seen<Wanted>,
): readonly Step[] {
  const { resource } = hands;
  const what = titled(resource, thing.slot);
  if (seen === undefined) return [{ op: 'create', what, why: 'it was removed outside' }];
  if (thing.state === 'going') return [{ op: 'delete', what, why: 'it is going' }];
  const state = seen === 'unseen' ? {} : seen.state;
  const isNew = thing.hash !== target.hash && !covers(state, target.wanted);
  const why = unlike(target.wanted, state) ?? (isNew ? 'something else is wanted of it' : undefined);
  if (why === undefined)
    return isMarkDue(hands, thing) ? [{ op: 'update', what, why: 'it bears the mark of an earlier uid' }] : [];
  if (resource.update !== undefined) return [{ op: 'update', what, why }];
  return [
    { op: 'delete', what, why: `${why}, and it cannot be changed` },
    { op: 'create', what },
  ];
}

/** Steps that would be done, and whether an object is still being created. */
export interface Sight {
  readonly steps: Step[];
  readonly making: boolean;
}

/** Returns the deletions of unwanted and duplicate objects, the last created first. */
function leaving<Wanted, Id extends object>({ resource, wanted }: Hands<Wanted, Id>, known: readonly Thing[]): Step[] {
  const isWanted = ({ slot }: Thing) => wanted.some((target) => target.slot === slot);
  const isSecond = (thing: Thing) => known.find(({ slot }) => slot === thing.slot) !== thing;
  return known
    .filter((thing) => !isWanted(thing) || isSecond(thing))
    .reverse()
    .map((thing) => ({
      op: 'delete',
      what: titled(resource, thing.slot),
      why: isWanted(thing) ? 'it is there twice' : 'nobody wants it any more',
    }));
}

/**
 * Reads the external objects of a condition and returns the steps that `ensure` would take: deletions of unwanted ones first, then updates and
 * creations, in the order of the desired ones. Calls only `find` and `observe`.
 */
export async function differencesOf<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  signal: AbortSignal,
): Promise<Sight> {
  const { resource, wanted } = hands;
  const known = thingsOf(hands.refs());
  const context = (thing: Thing): ThingContext => ({ owner: ownerOf(hands, thing), signal });
  const observe = async (thing: Thing): Promise<Seen<Wanted>> =>
    resource.observe === undefined ? 'unseen' : resource.observe(thing.id as Id, context(thing));
  const steps = leaving(hands, known);
  let making = false;
  for (const target of wanted) {
    const { slot } = target;
    let thing = known.find((one) => one.slot === slot);
    if (thing === undefined) {
      const id = await resource.find?.(ownerOf(hands, { slot }), { signal });
      steps.push({ op: id === undefined ? 'create' : 'adopt', what: titled(resource, slot) });
      if (id === undefined) continue;
      thing = { slot, id, hash: target.hash };
    }
    const seen = await observe(thing);
    making ||= seen !== 'unseen' && seen?.ready === false;
    steps.push(...stepsFor(hands, { thing, target }, seen));
  }
  return { steps, making };
}
