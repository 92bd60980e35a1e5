import type { ExternalResource, Owner } from './external-resource.ts';
import type { GuardOptions, Outcome, Ref, Task } from './integration.ts';
import type { Session } from './session.ts';
import { asRefs, nextChange, type Slotted, type Thing } from './things.ts';

/** Runs a guard of the session that hands belong to. */
export type RunGuard = (reason: string, task: Task, options: GuardOptions) => Promise<void>;

/** All that it takes to bring the things of one condition nearer to what is wanted. */
export interface Hands<Wanted, Id extends Ref> {
  readonly session: Session;
  readonly resource: ExternalResource<Wanted, Id>;
  readonly wanted: readonly Slotted<Wanted>[];
  /** Every id known of the condition, as of now. */
  refs(): readonly Ref[];
  readonly guard: RunGuard;
}

/** ms until a thing that is being made or going is asked for again. */
export const patience = 5_000;

/** Whose a thing of this condition is: the workspace's, or, after a restore from a backup, an earlier one's of that name. */
export function ownerOf<Wanted, Id extends Ref>(
  { session: { workspace, scope } }: Pick<Hands<Wanted, Id>, 'session'>,
  { slot, owner }: Pick<Thing, 'slot' | 'owner'>,
): Owner {
  const { namespace = '', name } = workspace.metadata;
  const uid = owner ?? workspace.metadata.uid ?? '';
  return { uid, namespace, workspace: name, condition: scope.type, slot, mark: [uid, scope.type, slot].join('/') };
}

/** Everybody whose mark a thing of this slot may bear: the workspace, then its earlier uids. */
export const ownersOf = <Wanted, Id extends Ref>(
  { session }: Pick<Hands<Wanted, Id>, 'session'>,
  slot: string,
): readonly Pick<Thing, 'slot' | 'owner'>[] => [
  { slot },
  ...session.formerly.toReversed().map((owner) => ({ slot, owner })),
];

/**
 * Everybody whose mark a thing may bear: its owner, and where a resource marks anew the workspace and each of its earlier uids too, the latest last,
 * since nobody knows how far an attempt to do so came.
 */
export function bearersOf<Wanted, Id extends Ref>(
  hands: Pick<Hands<Wanted, Id>, 'session' | 'resource'>,
  thing: Pick<Thing, 'slot' | 'owner'>,
): readonly Owner[] {
  if (hands.resource.remark === undefined || thing.owner === undefined) return [ownerOf(hands, thing)];
  const known = ownersOf(hands, thing.slot).toReversed();
  const bearers = known.some(({ owner }) => owner === thing.owner) ? known : [thing, ...known];
  return bearers.map((one) => ownerOf(hands, one));
}

/** Whether the journal of this condition is missing, which never means "never": what there is has to be looked for. */
export const isLost = <Wanted, Id extends Ref>({ session }: Pick<Hands<Wanted, Id>, 'session'>): boolean =>
  session.entry === undefined;

/** Whether the journal was lost before, and not all that there is has been looked at since. */
export const isFirstAfterLoss = <Wanted, Id extends Ref>({ session }: Pick<Hands<Wanted, Id>, 'session'>): boolean =>
  session.entry?.lost === true;

/** A thing in words. */
export const titled = ({ label }: { readonly label: string }, slot: string): string =>
  slot === '' ? label : `${label} ${slot}`;

/** What the condition says of these things: Completed once nothing is left to be done about them. */
export function outcomeOf<Wanted, Id extends Ref>(
  { resource, wanted }: Hands<Wanted, Id>,
  things: readonly Thing[],
  doing: string,
): Outcome {
  const rest = nextChange(wanted, things, resource.update !== undefined);
  const arrived = rest === undefined && things.every(({ state }) => state === undefined);
  return {
    status: arrived ? 'Completed' : 'In Progress',
    reason: arrived ? arrivedReason(resource.label, things) : doing,
    refs: asRefs(things),
  };
}

const arrivedReason = (label: string, things: readonly Thing[]): string => {
  if (things.length === 0) return `no ${label} is wanted`;
  return things.length === 1
    ? `${titled({ label }, things[0]!.slot)} is there`
    : `${things.length} times ${label}: ${things.map(({ slot }) => slot).join(', ')}`;
};

/** How long requests of this resource may live, for its guards. */
export const timesOf = <Wanted, Id extends Ref>({
  maxRequestMs,
  listLagMs,
}: ExternalResource<Wanted, Id>): GuardOptions => ({
  ...(maxRequestMs !== undefined && { maxRequestMs }),
  ...(listLagMs !== undefined && { listLagMs }),
});
