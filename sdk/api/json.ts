/** Comparison and copies of JSON values. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Reports whether a value is a JSON object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);

/** Reports whether an object is plain, not an instance of a class. */
export const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const textOf = (scalar: unknown): string => JSON.stringify(scalar) ?? 'null';

const isIncluded = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean => {
  for (const name in a)
    if (a[name] !== undefined && !(Object.hasOwn(b, name) && b[name] !== undefined && isSameJson(a[name], b[name])))
      return false;
  return true;
};

const sizeOf = (value: Readonly<Record<string, unknown>>): number => {
  let size = 0;
  for (const name in value) if (value[name] !== undefined) size += 1;
  return size;
};

/** Reports whether two values are equal as JSON: the order of members is ignored, an undefined member counts as absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return !isObject(a) && !isObject(b) && textOf(a) === textOf(b);
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b);
  return !Array.isArray(b) && sizeOf(a) === sizeOf(b) && isIncluded(a, b);
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, at) => isSameJson(item, b[at]));

/** Returns a deep copy of a JSON value; nothing in it is frozen. */
export function copyOf<T>(value: T): T {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = { ...(value as Readonly<Record<string, unknown>>) };
  for (const name in copy) if (isObject(copy[name])) copy[name] = copyOf(copy[name]);
  return copy as T;
}
