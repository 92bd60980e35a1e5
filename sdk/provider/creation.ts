import { orStale } from '../client/stale.ts';
import { DefiniteError } from '../errors.ts';
import { ThereAlreadyError } from './external-resource.ts';
import { type Hands, isFirstAfterLoss, isLost, outcomeOf, ownerOf, timesOf, titled } from './hands.ts';
import type { Outcome, Ref, TaskContext } from './integration.ts';
import { entryOf } from './journal.ts';
import { mirrored, mirrorPatch } from './mirror.ts';
import { keepSecret, regainSecret } from './secret.ts';
import type { Session } from './session.ts';
import { type Slotted, type Thing, thingsOf, withoutThing, withThing } from './things.ts';

/** What is to be made. */
export interface Creation<Wanted> extends Slotted<Wanted> {
  /** The thing in whose stead it is made, which is not there any more. */
  readonly instead?: Pick<Thing, 'slot' | 'id'> | undefined;
}

/** What a creation is journalled with: enough to repeat it. */
const inputOf = <Wanted>({ slot, wanted, hash, instead }: Creation<Wanted>): Ref => ({
  slot,
  wanted,
  hash,
  ...(instead !== undefined && { instead: { slot: instead.slot, id: instead.id } }),
});

/** The creation that came to no end, as it was journalled. */
export function openCreation<Wanted>({ workspace, scope }: Session): Creation<Wanted> | undefined {
  const entry = entryOf(workspace, scope.type);
  if (entry?.phase !== 'intent' || entry.op !== 'create' || entry.input === undefined) return undefined;
  return entry.input as unknown as Creation<Wanted>;
}

/**
 * The hash of a thing that was found: its maker's, which is this very operation; but where the journal was lost it may be older, so that it counts
 * as different from everything that is wanted, and is updated.
 */
function foundHash<Wanted, Id extends Ref>(hands: Hands<Wanted, Id>, hash: string): string {
  return isFirstAfterLoss(hands) && hands.resource.update !== undefined ? '' : hash;
}

/** A thing that was found: nobody knows how far its maker came. */
async function regained<Wanted, Id extends Ref>(
  hands: Hands<Wanted, Id>,
  { slot, hash }: Pick<Thing, 'slot' | 'hash'>,
  found: { readonly id: Id; readonly signal: AbortSignal },
): Promise<Thing<Id>> {
  const { id, signal } = found;
  await regainSecret(hands, slot, found);
  const seen = await hands.resource.observe?.(id, { owner: ownerOf(hands, slot), signal });
  return { slot, id, hash: foundHash(hands, hash), ...(seen?.ready === false && { state: 'making' }) };
}

/** All that is known, without the thing in whose stead another one is made. */
function standing<Wanted, Id extends Ref>(hands: Hands<Wanted, Id>, { instead }: Creation<Wanted>): readonly Thing[] {
  const things = thingsOf(hands.refs());
  return instead === undefined ? things : withoutThing(things, instead);
}

/**
 * Finds what an unresolved creation made; after a lost journal every other wanted thing of which nothing is known too, since later creations do not
 * look any more. @returns all that is known then; undefined when nothing was found
 */
async function findAgain<Wanted, Id extends Ref>(
  hands: Hands<Wanted, Id>,
  begun: Creation<Wanted>,
  signal: AbortSignal,
): Promise<readonly Thing[] | undefined> {
  const before = standing(hands, begun);
  const others = hands.wanted.filter(({ slot }) => slot !== begun.slot && !before.some((one) => one.slot === slot));
  let things = before;
  for (const { slot, hash } of [begun, ...(isFirstAfterLoss(hands) ? others : [])]) {
    const id = await hands.resource.find?.(ownerOf(hands, slot), { signal });
    if (id !== undefined) things = withThing(things, await regained(hands, { slot, hash }, { id, signal }));
  }
  return things === before ? undefined : things;
}

/** Whether the journal was lost, and the third party has not yet been asked for everything of ours. */
export function isStockDue<Wanted, Id extends Ref>(hands: Hands<Wanted, Id>): boolean {
  const entry = entryOf(hands.session.workspace, hands.session.scope.type);
  const isOpen = entry?.op === 'task' && (entry.phase === 'intent' || entry.phase === 'failed');
  return hands.resource.findAll !== undefined && (isOpen || isLost(hands));
}

/**
 * Looks, after a lost journal, for everything of ours that the third party has, whatever the spec names by now: a guarded attempt like any other, once
 * nobody who knew more can be at work.
 */
export function takeStock<Wanted, Id extends Ref>(hands: Hands<Wanted, Id>): Promise<void> {
  const { resource, wanted } = hands;
  return hands.guard(
    `looking for every ${resource.label} of ours`,
    async ({ signal }) => {
      const found = (await resource.findAll?.(ownerOf(hands, ''), { signal })) ?? [];
      const things: Thing[] = [];
      for (const { slot, id } of found) {
        const target = wanted.find((one) => one.slot === slot);
        things.push(target === undefined ? { slot, id, hash: '' } : await regained(hands, target, { id, signal }));
      }
      const all = things.reduce(withThing, thingsOf(hands.refs()));
      return { ...outcomeOf(hands, all, `${things.length} times ${resource.label} found`), status: 'In Progress' };
    },
    { op: 'task', identity: 'name', ...timesOf(resource) },
  );
}

/** Asks for the thing, and takes what is there already only if it is ours. */
async function createOrAdopt<Wanted, Id extends Ref>(
  hands: Hands<Wanted, Id>,
  target: Slotted<Wanted>,
  { key, signal }: TaskContext,
): Promise<Thing<Id>> {
  const { resource, session } = hands;
  const { slot, hash } = target;
  const owner = ownerOf(hands, slot);
  try {
    const { id, secret, ready = true } = await resource.create(target.wanted, { key, owner, signal });
    if (secret !== undefined) await keepSecret(session, slot, secret);
    return { slot, id, hash, ...(!ready && { state: 'making' as const }) };
  } catch (error) {
    if (!(error instanceof ThereAlreadyError)) throw error;
    const id = await resource.find?.(owner, { signal });
    if (id === undefined)
      throw new DefiniteError(`${titled(resource, slot)} exists and belongs to somebody else: ${error.message}`, {
        cause: error,
      });
    return regained(hands, { slot, hash }, { id, signal });
  }
}

/**
 * The mirror may still name a thing of this slot that is gone. It must not while another one is made: were the journal lost then, it would look as if
 * nothing had been under way. @throws StaleError if somebody else has written it meanwhile
 */
async function forgetFormer<Wanted, Id extends Ref>({ session }: Hands<Wanted, Id>, slot: string): Promise<void> {
  const { workspace, scope } = session;
  const { type } = scope;
  const phase = entryOf(workspace, type)?.phase;
  const all = mirrored(workspace, type);
  const refs = all.filter((ref) => ref.slot !== slot);
  if (phase === undefined || phase === 'intent' || refs.length === all.length) return;
  await orStale(session.key, session.patchMain({ type: 'json', operations: mirrorPatch(workspace, { type, refs }) }));
}

/** Creates one thing under guard; an attempt that came to no end is resolved as the resource's identity allows. */
export async function create<Wanted, Id extends Ref>(
  hands: Hands<Wanted, Id>,
  target: Creation<Wanted>,
): Promise<void> {
  const { resource } = hands;
  await forgetFormer(hands, target.slot);
  const begun = ({ input }: TaskContext): Creation<Wanted> => (input ?? inputOf(target)) as unknown as Creation<Wanted>;
  const made = (things: readonly Thing[], slot: string): Outcome =>
    outcomeOf(hands, things, `${titled(resource, slot)} was made`);
  const recover = async (context: TaskContext): Promise<Outcome | undefined> => {
    const things = await findAgain(hands, begun(context), context.signal);
    return things && made(things, begun(context).slot);
  };
  return hands.guard(
    `creating ${titled(resource, target.slot)}`,
    async (context) => {
      const thing = await createOrAdopt(hands, begun(context), context);
      return made(withThing(standing(hands, begun(context)), thing), thing.slot);
    },
    {
      op: 'create',
      input: inputOf(target),
      ...timesOf(resource),
      ...(resource.identity === 'name' && { identity: resource.identity }),
      ...(resource.identity === 'key' && { identity: resource.identity, validForMs: resource.validForMs }),
      ...(resource.identity === 'tag' && { recover }),
    },
  );
}
