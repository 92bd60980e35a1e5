/** Removes undefined members of options. */

/** `T` with optional members that are never undefined. */
export type Defined<T extends object> = { [Member in keyof T]?: Exclude<T[Member], undefined> };

/** Returns an object without its undefined members. */
export const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
