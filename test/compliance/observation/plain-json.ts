/** Returns the path of a value that does not survive JSON: the journal stores it and another process reads it. */
export function notJson(value: unknown, path: string): string | undefined {
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object') return path;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return path;
  for (const [member, part] of Object.entries(value)) {
    const where = notJson(part, `${path}.${member}`);
    if (where !== undefined) return where;
  }
  return undefined;
}
