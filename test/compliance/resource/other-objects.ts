/** Objects other than the one under test: of the same workspace and of others. */

import type { Owner, Ref } from '../../../sdk/index.ts';
import type { AnyResource } from '../observation/observations.ts';
import { anotherOwner, ownerOf, type ResourceCaller } from './resource-caller.ts';

/** Created object and its owner. */
export interface OtherObject {
  readonly owner: Owner;
  readonly id: Ref;
}

type NamedBy = Pick<AnyResource, 'nameOf'>;

/** Returns the desired state with another name: texts that `nameOf` depends on are changed, or all texts where there are none. */
export function renamed(wanted: object, change: (text: string) => string, { nameOf }: NamedBy): object {
  const changed = (of: (member: string) => boolean): object =>
    Object.fromEntries(
      Object.entries(wanted).map(([member, value]) =>
        typeof value === 'string' && of(member) ? [member, change(value)] : [member, value],
      ),
    );
  const isNaming = (member: string): boolean => nameOf?.(changed((one) => one === member)) !== nameOf?.(wanted);
  const other = nameOf === undefined ? wanted : changed(isNaming);
  return other === wanted || nameOf?.(other) === nameOf?.(wanted) ? changed(() => true) : other;
}

/** Returns the owner of another workspace, by number. */
export const nthOtherOwner = ({ made: { owner } }: ResourceCaller, nth: number): Owner =>
  ownerOf(owner, `${anotherOwner(owner).uid.slice(0, -3)}${100 + nth}`);

/** Creates an object for an owner. @returns undefined when the third party refuses it */
export async function createObjectFor(
  caller: ResourceCaller,
  owner: Owner,
  [wanted, key]: readonly [object, string],
): Promise<OtherObject | undefined> {
  const outcome = await caller.create(owner, `${caller.made.key}-${key}`, wanted);
  return 'error' in outcome ? undefined : { owner, id: outcome.answer.id };
}

/** Creates another object of the same workspace. @returns undefined where its name cannot be changed, or the third party refuses it */
export async function siblingOf(
  caller: ResourceCaller,
  change: (text: string) => string,
): Promise<OtherObject | undefined> {
  const { resource, wanted, owner } = caller.made;
  const other = renamed(wanted, change, resource);
  const slot = resource.nameOf?.(other) ?? owner.slot;
  if (slot === owner.slot) return undefined;
  return createObjectFor(caller, ownerOf(owner, owner.uid, slot), [other, slot]);
}
