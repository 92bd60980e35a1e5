/** Things that exist beside the one in hand: of the same workspace and of others. */

import type { Owner, Ref } from '../../sdk/index.ts';
import { type Hand, ownerOf, strangerTo } from './hand.ts';

/** Thing that a function of the resource has made, and its owner. */
export interface Neighbour {
  readonly owner: Owner;
  readonly id: Ref;
}

/** Returns the desired state with each text in it changed, and with it the name. */
export const renamed = (wanted: object, change: (text: string) => string): object =>
  Object.fromEntries(
    Object.entries(wanted).map(([member, value]) => [member, typeof value === 'string' ? change(value) : value]),
  );

/** Returns the owner of another workspace, by number. */
export const nthStranger = ({ made: { owner } }: Hand, nth: number): Owner =>
  ownerOf(owner, `${strangerTo(owner).uid.slice(0, -3)}${100 + nth}`);

/** Creates a thing for an owner. @returns undefined when the third party refuses it */
export async function neighbourOf(
  hand: Hand,
  owner: Owner,
  [wanted, key]: readonly [object, string],
): Promise<Neighbour | undefined> {
  const outcome = await hand.create(owner, `${hand.made.key}-${key}`, wanted);
  return 'error' in outcome ? undefined : { owner, id: outcome.answer.id };
}

/** Creates another thing of the same workspace. @returns undefined where names cannot be changed so, or the third party refuses it */
export async function siblingOf(hand: Hand, change: (text: string) => string): Promise<Neighbour | undefined> {
  const { resource, wanted, owner } = hand.made;
  const other = renamed(wanted, change);
  const slot = resource.nameOf?.(other) ?? owner.slot;
  if (slot === owner.slot) return undefined;
  return neighbourOf(hand, ownerOf(owner, owner.uid, slot), [other, slot]);
}
