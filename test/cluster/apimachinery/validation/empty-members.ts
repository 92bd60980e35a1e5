/** Keeps members that were sent as empty lists or maps until the object is stored. */

import { emptyMembers, type Fields } from '../object.ts';

/** Object with its empty lists and maps as sent. Go's `omitempty` drops them, but error messages distinguish them from absent ones. */
interface WithEmptyMembers {
  [emptyMembers]?: Fields;
}

const isEmptyCollection = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Notes a member that was sent as an empty list or map. */
export function keepEmptyMember(read: Fields & WithEmptyMembers, name: string, given: unknown): void {
  if (isEmptyCollection(given)) read[emptyMembers] = { ...read[emptyMembers], [name]: given };
}

/** Returns a member as it was sent, including a dropped empty list or map. */
export const memberAsSent = (object: Fields & WithEmptyMembers, name: string): unknown =>
  object[name] ?? object[emptyMembers]?.[name];

/** Returns the object without the note of an empty member, which then counts as absent. */
export function withoutEmptyMember(object: Fields & WithEmptyMembers, name: string): Fields {
  const notes = object[emptyMembers];
  if (notes?.[name] === undefined) return object;
  const { [name]: _forgotten, ...others } = notes;
  return { ...object, [emptyMembers]: others } as Fields;
}
