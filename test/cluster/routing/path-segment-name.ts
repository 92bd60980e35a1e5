/** Checks the names in paths, as upstream's storage does. */

import { badRequest } from '../apimachinery/status.ts';
import type { ResourcePath } from '../requests/routes.ts';

/** Returns the error of a text that cannot be a path segment; undefined for a valid one (IsValidPathSegmentName). */
function faultOf(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  const faults = ['/', '%'].filter((one) => name.includes(one)).map((one) => `may not contain '${one}'`);
  return faults.length === 0 ? undefined : faults.join(';');
}

/** Throws the server's 400 for a name that no object can have. */
export function checkPathSegmentName({ name = '' }: ResourcePath): void {
  const fault = faultOf(name);
  if (fault !== undefined) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${fault}`);
}
