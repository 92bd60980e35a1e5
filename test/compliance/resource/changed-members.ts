/** Desired states that differ in one member. */

import { isDeepStrictEqual } from 'node:util';
import type { Ref } from '../../../sdk/index.ts';
import { expectCompleted, withSecondScenario } from '../scenario/case.ts';
import type { Subject } from '../subject/subject.ts';
import type { ResourceCaller } from './resource-caller.ts';

/** Returns variants of an object's desired state: each member in turn as the edited spec wants it. */
export async function changedMembers(
  { scenario, made: { resource, wanted } }: ResourceCaller,
  subject: Subject,
): Promise<readonly { member: string; other: object }[]> {
  if (subject.edited === undefined) return [];
  const edited = await withSecondScenario(scenario, async (other) => {
    await other.create(subject.edited);
    await expectCompleted(other);
    return other.record.wanted;
  });
  const nameOf = (one: object): string => resource.nameOf?.(one) ?? '';
  const target = edited.find((one) => nameOf(one) === nameOf(wanted));
  return Object.entries(target ?? {})
    .filter(([member, value]) => !isDeepStrictEqual(value, (wanted as Ref)[member]))
    .map(([member, value]) => ({ member, other: { ...wanted, [member]: value } }))
    .filter(({ other }) => nameOf(other) === nameOf(wanted));
}
