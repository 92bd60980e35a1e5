/** Remembers members that were sent as empty lists or maps until the object is stored. */

import { emptied, type Fields } from '../object.ts';

/** Empty lists and maps as sent: they are dropped, but messages distinguish them from absent ones. */
interface Noting {
  [emptied]?: Fields;
}

const isEmptyCollection = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Notes a member that was sent as an empty list or map. */
export function noteEmpty(read: Fields & Noting, name: string, given: unknown): void {
  if (isEmptyCollection(given)) read[emptied] = { ...read[emptied], [name]: given };
}

/** Returns a member as it was sent, including a dropped empty list or map. */
export const asGiven = (object: Fields & Noting, name: string): unknown => object[name] ?? object[emptied]?.[name];

/** Returns the object without the note of an empty member, which then counts as absent. */
export function forgetEmpty(object: Fields & Noting, name: string): Fields {
  const notes = object[emptied];
  if (notes?.[name] === undefined) return object;
  const { [name]: _forgotten, ...others } = notes;
  return { ...object, [emptied]: others } as Fields;
}
