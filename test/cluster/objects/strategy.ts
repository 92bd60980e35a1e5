import type { Machinery } from '../machinery.ts';
import type { ApiObject, Draft } from './object.ts';

/** What one kind does in its own way; everything is optional. Drafts may be written to at their top level and in their metadata. */
export interface Strategy {
  /** Whether a create keeps the status it came with. */
  readonly keepsStatus?: boolean;
  readonly prepareForCreate?: (machinery: Machinery, draft: Draft) => void;
  readonly prepareForUpdate?: (
    machinery: Machinery,
    draft: Draft,
    current: ApiObject,
    subresource: string | undefined,
  ) => void;
  /** Takes and gives back what the cluster hands out, just before the write. */
  readonly allocate?: (machinery: Machinery, draft: Draft, current: ApiObject | undefined, dryRun: boolean) => void;
  /** What a deletion changes besides metadata, such as a phase. */
  readonly markDeleted?: (machinery: Machinery, draft: Draft) => void;
  /** Called when an object is gone for good. */
  readonly released?: (machinery: Machinery, last: ApiObject) => void;
  /** Whether a deleted object without finalizers in its metadata may go. */
  readonly isReleased?: (draft: Draft | ApiObject) => boolean;
}

const plain: Strategy = {};

const strategies: Readonly<Record<string, Strategy>> = {
  '/nodes': { keepsStatus: true },
};

/** The strategy of a collection. */
export const strategyOf = (collection: string): Strategy => strategies[collection] ?? plain;
