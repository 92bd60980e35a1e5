/** Write that the strategy of a kind validates and warns of. */

import type { Fields } from './object.ts';

/** Part of an object that a write may change: the whole, its `status`, or that of another subresource. */
export type Part = 'object' | 'status' | 'ephemeralcontainers' | 'resize' | 'approval' | 'finalize';

/** Accepted write. */
export interface AcceptedWrite {
  /** Object before the write; undefined for a create. */
  readonly former: Fields | undefined;
  /** Subresource of the write, if any. */
  readonly subresource: string | undefined;
}
