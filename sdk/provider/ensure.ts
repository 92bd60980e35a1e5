import { DefiniteError } from '../errors.ts';
import type { Result } from '../reconcile/reconciler.ts';
import { create, isStockDue, openCreation, takeStock, waitForLists } from './creation.ts';
import { destroy } from './destroy.ts';
import { isForeign, withoutForeign } from './foreign-thing.ts';
import {
  bearersOf,
  type Hands,
  isFirstAfterLoss,
  isLost,
  outcomeOf,
  ownerOf,
  patience,
  timesOf,
  titled,
} from './hands.ts';
import { inTime } from './in-time.ts';
import type { GuardOptions } from './integration.ts';
import { isMarkingOpen, isOpen, markAnew, markedToGo } from './remark.ts';
import { mendSecret, regainSecret } from './secret.ts';
import {
  type Change,
  isAsWanted,
  isDuplicate,
  nextChange,
  type Slotted,
  type Thing,
  thingsOf,
  withoutThing,
  withThing,
} from './things.ts';

/** Updates an object. @returns false when it does not exist any more: an id from the mirror may be outdated */
async function updated<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  { thing, wanted }: { readonly thing: Thing; readonly wanted: Wanted },
  signal: AbortSignal,
): Promise<boolean> {
  const { resource } = hands;
  const context = { owner: ownerOf(hands, thing), signal };
  try {
    await resource.update?.(thing.id as Id, wanted, context);
    return true;
  } catch (error) {
    if (!(error instanceof DefiniteError) || resource.observe === undefined) throw error;
    if ((await resource.observe(thing.id as Id, context)) !== undefined) throw error;
    return false;
  }
}

/** Returns the object as it is after an update to the desired state. */
const changed = ({ slot, id, owner }: Thing, hash: string): Thing => ({
  slot,
  id,
  hash,
  ...(owner !== undefined && { owner }),
});

/** Updates or deletes an object under guard. Both are idempotent, by the object's id, regardless of the identity. */
function alter<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  change: Exclude<Change<Wanted>, { op: 'create' }>,
): Promise<void> {
  const { resource, guard } = hands;
  const { thing } = change;
  const title = titled(resource, thing.slot);
  const options: GuardOptions = { op: change.op, identity: 'name', input: { slot: thing.slot }, ...timesOf(resource) };
  if (change.op === 'update') {
    const { wanted, hash } = change.target;
    return guard(
      `changing ${title}`,
      async ({ signal }) => {
        const things = () => thingsOf(hands.refs());
        if (!(await updated(hands, { thing, wanted }, signal)))
          return outcomeOf(hands, withoutThing(things(), thing), `${title} was removed outside`);
        return outcomeOf(hands, withThing(things(), changed(thing, hash)), `${title} was changed`);
      },
      options,
    );
  }
  return guard(
    `deleting ${title}`,
    async ({ signal }) => {
      const [ours] = await withoutForeign(hands, [thing], signal);
      const leaving = ours && (await markedToGo(hands, ours, signal));
      const owner = ownerOf(hands, leaving ?? thing);
      const going = leaving && (await resource.delete(leaving.id as Id, { owner, signal })) === 'deleting';
      const things = thingsOf(hands.refs());
      return outcomeOf(
        hands,
        going ? withThing(things, { ...(leaving ?? thing), state: 'going' }) : withoutThing(things, thing),
        `${title} is ${going ? 'going' : 'gone'}`,
      );
    },
    options,
  );
}

const isGoing = <Wanted, Id extends object>(hands: Hands<Wanted, Id>): boolean =>
  thingsOf(hands.refs()).some(({ state }) => state === 'going');

/** Reports a duplicate by an event before it is deleted. */
function tellDuplicate<Wanted, Id extends object>({ session, resource, refs }: Hands<Wanted, Id>, thing: Thing): void {
  if (thing.state === 'going' || !isDuplicate(thing, thingsOf(refs()))) return;
  const what = `${titled(resource, thing.slot)} was there twice: ${JSON.stringify(thing.id)} is taken away`;
  session.host.events.event(session.workspace, 'Warning', 'Duplicate', what);
}

/** Marks what is taken over, then executes changes in order. @returns whether a deletion must be waited for */
async function carryOut<Wanted, Id extends object>(hands: Hands<Wanted, Id>): Promise<boolean> {
  const canUpdate = hands.resource.update !== undefined;
  await markAnew(hands);
  for (;;) {
    const change = nextChange(hands.wanted, thingsOf(hands.refs()), canUpdate);
    if (change === undefined) return false;
    if (change.op === 'delete') tellDuplicate(hands, change.thing);
    await (change.op === 'create' ? create(hands, change.target) : alter(hands, change));
    if (change.op === 'delete' && isGoing(hands)) return true;
  }
}

/** Observes one object and corrects drift. @returns whether it is ready */
async function look<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  thing: Thing,
  target: Slotted<Wanted>,
): Promise<boolean> {
  const { resource, session } = hands;
  const { events } = session.host;
  const owner = ownerOf(hands, thing);
  const seen = await inTime(session.host, async (signal) => resource.observe?.(thing.id as Id, { owner, signal }));
  const tell = (what: string) =>
    events.event(session.workspace, 'Warning', 'Drifted', `${titled(resource, thing.slot)} was ${what} outside`);
  if (isForeign(seen, ...bearersOf(hands, thing)))
    throw new DefiniteError(
      `${titled(resource, thing.slot)} bears the mark of ${seen?.mark}: it is neither changed nor deleted`,
    );
  if (seen === undefined) {
    waitForLists(hands, `${titled(resource, thing.slot)} is not to be seen, and looked for again`);
    tell('removed');
    await create(hands, { ...target, instead: thing });
  } else if (seen.ready !== false && !isAsWanted(target.wanted, seen.state)) {
    tell('changed');
    await alter(hands, resource.update === undefined ? { op: 'delete', thing } : { op: 'update', thing, target });
  }
  const isReady = seen?.ready !== false;
  if (isReady && thing.state === 'named')
    await inTime(session.host, async (signal) => regainSecret(hands, { ...thing, id: thing.id as Id, signal }));
  return isReady;
}

/**
 * Retries to store secrets. An object whose secret cannot be obtained any more is recreated, once the Secret can be written.
 * @returns whether a deletion must be waited for. @throws the error for which a secret cannot be stored
 */
async function mendSecrets<Wanted, Id extends object>(hands: Hands<Wanted, Id>): Promise<boolean> {
  const isWanted = ({ slot }: Thing): boolean => hands.wanted.some((target) => target.slot === slot);
  for (const thing of thingsOf(hands.refs())) {
    if (thing.state !== 'secretless' || !isWanted(thing)) continue;
    const id = thing.id as Id;
    const isKept = await inTime(hands.session.host, (signal) => mendSecret(hands, { ...thing, id, signal }));
    if (isKept) continue;
    await alter(hands, { op: 'delete', thing });
    if (await carryOut(hands)) return true;
  }
  return false;
}

/** Completes an unresolved update or deletion by repeating it, whatever is desired or has failed since. @returns whether a deletion must be waited for */
async function resolveChange<Wanted, Id extends object>(hands: Hands<Wanted, Id>): Promise<boolean> {
  const { entry } = hands.session;
  if (isMarkingOpen(entry)) return markAnew(hands);
  if (!isOpen(entry) || (entry.op !== 'update' && entry.op !== 'delete')) return false;
  const slot = (entry.input as { readonly slot?: string } | undefined)?.slot;
  if (slot === undefined) return (await destroy(hands)).requeueAfter !== undefined;
  const thing = thingsOf(hands.refs()).find((one) => one.slot === slot);
  const target = hands.wanted.find((one) => one.slot === slot);
  if (thing === undefined) return false;
  if (entry.op === 'delete' || target === undefined || hands.resource.update === undefined)
    await alter(hands, { op: 'delete', thing });
  else await alter(hands, { op: 'update', thing, target });
  return isGoing(hands);
}

/** Reports whether the journal was lost and not all known objects were observed since. */
const isInDoubt = <Wanted, Id extends object>(hands: Hands<Wanted, Id>): boolean =>
  isLost(hands) || isFirstAfterLoss(hands);

/**
 * Observes objects that are being created or were named by a person, all after a lost journal, and periodically if the resource asks for it.
 * @returns whether all are ready
 */
async function lookAround<Wanted, Id extends object>(hands: Hands<Wanted, Id>, doubtful: boolean): Promise<boolean> {
  const { resource, session, wanted } = hands;
  const { looks, clock, random } = session.host;
  if (resource.observe === undefined) return true;
  let ready = true;
  for (const thing of thingsOf(hands.refs())) {
    const target = wanted.find(({ slot }) => slot === thing.slot);
    const name = `${session.slot}/${thing.slot}`;
    const now = clock.monotonic();
    const due =
      doubtful ||
      thing.state !== undefined ||
      (resource.driftInterval !== undefined && now >= (looks.get(name) ?? now));
    if (!due || target === undefined) continue;
    ready = (await look(hands, thing, target)) && ready;
    if (resource.driftInterval !== undefined) looks.set(name, now + resource.driftInterval * (0.75 + random() / 4));
  }
  return ready;
}

/** Returns an object that may have been created without a journal entry; it is resolved before any other change. */
function unknownCreation<Wanted, Id extends object>(hands: Hands<Wanted, Id>): Slotted<Wanted> | undefined {
  if (!isLost(hands)) return undefined;
  const things = thingsOf(hands.refs());
  return hands.wanted.find(({ slot }) => !things.some((thing) => thing.slot === slot));
}

/** Returns the requeue for the next observation, at most an interval after the last one. */
function nextLook<Wanted, Id extends object>({ resource, session, wanted }: Hands<Wanted, Id>): Result {
  if (resource.driftInterval === undefined) return {};
  const { looks, clock } = session.host;
  const due = wanted.flatMap(({ slot }) => looks.get(`${session.slot}/${slot}`) ?? []);
  const wait = Math.ceil(Math.min(...due) - clock.monotonic());
  return { requeueAfter: due.length === 0 ? resource.driftInterval : Math.max(0, wait) };
}

/**
 * Brings the external objects of a condition to the desired state: resolves an unresolved creation first, then makes one guarded change at a time.
 * @returns the requeue: while an object is being created or deleted, and for the next drift check
 */
export async function ensure<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  settled: (ready: boolean) => Promise<void>,
): Promise<Result> {
  if (isStockDue(hands)) await takeStock(hands);
  const open = openCreation<Wanted>(hands.session) ?? unknownCreation(hands);
  if (open !== undefined) await create(hands, open);
  if (await resolveChange(hands)) return { requeueAfter: patience };
  if (isInDoubt(hands)) await lookAround(hands, true);
  if (await carryOut(hands)) return { requeueAfter: patience };
  if (await mendSecrets(hands)) return { requeueAfter: patience };
  const ready = await lookAround(hands, isInDoubt(hands));
  await settled(ready);
  const goesOn = !ready || (await carryOut(hands));
  return goesOn ? { requeueAfter: patience } : nextLook(hands);
}
