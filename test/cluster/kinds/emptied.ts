import { emptied, type Fields } from '../objects/object.ts';

/** Which lists and maps were given without anything in them: they are not kept, but messages tell them from absent ones. */
interface Noting {
  [emptied]?: Fields;
}

const isEmptyCollection = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Notes that a member was given as an empty list or map, if it was. */
export function noteEmpty(read: Fields & Noting, name: string, given: unknown): void {
  if (isEmptyCollection(given)) read[emptied] = { ...read[emptied], [name]: given };
}

/** A member as it was given: an empty list or map that has been dropped since is there again. */
export const asGiven = (object: Fields & Noting, name: string): unknown => object[name] ?? object[emptied]?.[name];

/** An object in which an empty list or map counts as absent: the server has made it anew. */
export function forgetEmpty(object: Fields & Noting, name: string): Fields {
  const notes = object[emptied];
  if (notes?.[name] === undefined) return object;
  const { [name]: _forgotten, ...others } = notes;
  return { ...object, [emptied]: others } as Fields;
}
