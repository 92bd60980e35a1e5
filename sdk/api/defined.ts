/** Options without the members that are undefined. */

/** Members of an object without those that are undefined. */
export type Defined<T extends object> = { [Member in keyof T]?: Exclude<T[Member], undefined> };

/** Returns the members that are not undefined, as options that are left out. */
export const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
