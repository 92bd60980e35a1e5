/** Check that values are plain JSON. */

import { isPlainObject } from '../../../sdk/host/index.ts';

const isScalar = (value: unknown): boolean =>
  ['string', 'boolean', 'undefined'].includes(typeof value) || Number.isFinite(value);

/** Returns the path of a value that does not survive JSON: the journal stores it and another process reads it. */
export function notJson(value: unknown, path: string): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return isScalar(value) ? undefined : path;
  if (!Array.isArray(value) && !isPlainObject(value)) return path;
  for (const [member, part] of Object.entries(value)) {
    const where = notJson(part, `${path}.${member}`);
    if (where !== undefined) return where;
  }
  return undefined;
}
