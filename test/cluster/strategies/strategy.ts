import type { User } from '../http/message.ts';
import type { Machinery } from '../machinery.ts';
import type { DeleteOptions } from '../objects/delete-options.ts';
import type { ApiObject, Draft } from '../objects/object.ts';
import type { Resource } from '../registry.ts';

/** What one kind does in its own way; everything is optional. Drafts may be written to at their top level and in their metadata. */
export interface Strategy {
  /** Whether a create keeps the status it came with. */
  readonly keepsStatus?: boolean;
  /** Writes down who asked for an object, before anything else is done with it. */
  readonly noteRequester?: (draft: Draft, user: User) => void;
  /** Before defaults and rules. */
  readonly prepareForCreate?: (machinery: Machinery, draft: Draft) => void;
  /** Before defaults and rules; `current` is the stored object. */
  readonly prepareForUpdate?: (draft: Draft, current: ApiObject, subresource: string | undefined) => void;
  /** Takes what the cluster hands out, just before the write. */
  readonly allocate?: (machinery: Machinery, draft: Draft, current: ApiObject | undefined) => void;
  /** Called with what is about to be stored, when it is no dry run. */
  readonly granted?: (machinery: Machinery, draft: Draft, current: ApiObject | undefined) => void;
  /** Refuses a deletion by throwing. */
  readonly refuseDelete?: (current: ApiObject) => void;
  /** Whether deletions of what is being deleted change nothing, until it is released. */
  readonly isDeletedOnce?: boolean;
  /** Refuses a deletion of another uid or version than was asked for, by throwing; all other kinds do it in the same words. */
  readonly checkPreconditions?: (resource: Resource, current: ApiObject, options: DeleteOptions) => void;
  /** What a deletion changes besides metadata, such as a phase. */
  readonly markDeleted?: (machinery: Machinery, draft: Draft) => void;
  /** Whether a deleted object without finalizers in its metadata may go. */
  readonly isReleased?: (draft: Draft | ApiObject) => boolean;
  /** Called when an object is gone for good. */
  readonly released?: (machinery: Machinery, last: ApiObject) => void;
  /** Fields that a create fills in when the managers of all others are written down already: nobody manages them unless they were sent. */
  readonly filledLate?: readonly (readonly string[])[];
  /** New objects are stored without all of their defaults: the first write to one adds these, and counts even without a change. */
  readonly completedLater?: boolean;
  /** Generation stays what it was. */
  readonly keepsGeneration?: boolean;
  /** Generation also rises with labels. */
  readonly countsLabels?: boolean;
  /** Generation also rises with annotations. */
  readonly countsAnnotations?: boolean;
}
