/** Dependencies and helpers of one ensure or destroy pass. */

import type { ExternalResource, Owner } from './external-resource.ts';
import type { GuardOptions, Outcome, Ref, Task } from './integration.ts';
import type { Session } from './session.ts';
import { asRefs, nextChange, type Slotted, type Thing } from './things.ts';

/** Runs a guard of the pass's session. */
export type RunGuard = (reason: string, task: Task, options: GuardOptions) => Promise<void>;

/** Dependencies of one ensure or destroy pass over the external objects of a condition. */
export interface Hands<Wanted, Id extends object> {
  readonly session: Session;
  readonly resource: ExternalResource<Wanted, Id>;
  readonly wanted: readonly Slotted<Wanted>[];
  /** Returns all ids known of the condition at this time. */
  refs(): readonly Ref[];
  readonly guard: RunGuard;
}

/** ms until an object that is being created or deleted is checked again. */
export const patience = 5_000;

/** Returns the owner of an object: the workspace or, after a restore from a backup, an earlier workspace of that name. */
export function ownerOf<Wanted, Id extends object>(
  { session: { workspace, scope } }: Pick<Hands<Wanted, Id>, 'session'>,
  { slot, owner }: Pick<Thing, 'slot' | 'owner'>,
): Owner {
  const { namespace = '', name } = workspace.metadata;
  const uid = owner ?? workspace.metadata.uid ?? '';
  return { uid, namespace, workspace: name, condition: scope.type, slot, mark: [uid, scope.type, slot].join('/') };
}

/** Returns all owners whose mark an object of this slot may have: the workspace, then its earlier uids. */
export const ownersOf = <Wanted, Id extends object>(
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
export function bearersOf<Wanted, Id extends object>(
  hands: Pick<Hands<Wanted, Id>, 'session' | 'resource'>,
  thing: Pick<Thing, 'slot' | 'owner'>,
): readonly Owner[] {
  if (hands.resource.remark === undefined || thing.owner === undefined) return [ownerOf(hands, thing)];
  const known = ownersOf(hands, thing.slot).toReversed();
  const bearers = known.some(({ owner }) => owner === thing.owner) ? known : [thing, ...known];
  return bearers.map((one) => ownerOf(hands, one));
}

/** Reports whether the journal entry is missing. That never proves that nothing was begun: existing objects must be searched. */
export const isLost = <Wanted, Id extends object>({ session }: Pick<Hands<Wanted, Id>, 'session'>): boolean =>
  session.entry === undefined;

/** Reports whether the journal was lost and not all objects were observed since. */
export const isFirstAfterLoss = <Wanted, Id extends object>({ session }: Pick<Hands<Wanted, Id>, 'session'>): boolean =>
  session.entry?.lost === true;

/** Names an object in messages. */
export const titled = ({ label }: { readonly label: string }, slot: string): string =>
  slot === '' ? label : `${label} ${slot}`;

/** Returns the condition's status for these objects: Completed once no change is left. */
export function outcomeOf<Wanted, Id extends object>(
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

/** Returns the request times of this resource, as options of its guards. */
export const timesOf = <Wanted, Id extends object>({
  maxRequestMs,
  listLagMs,
}: ExternalResource<Wanted, Id>): GuardOptions => ({
  ...(maxRequestMs !== undefined && { maxRequestMs }),
  ...(listLagMs !== undefined && { listLagMs }),
});
