/** Steps that patch. */

import type { Step } from '../../runner/scenario.ts';

const patchOf =
  (contentType: string) =>
  (path: string, body: unknown): Step => ({ method: 'PATCH', path, body, contentType });

/** A merge patch. */
export const merge = patchOf('application/merge-patch+json');
/** A JSON patch: a list of operations. */
export const json = patchOf('application/json-patch+json');
/** A strategic merge patch. */
export const strategic = patchOf('application/strategic-merge-patch+json');
/** A server-side apply. */
export const apply = patchOf('application/apply-patch+yaml');
