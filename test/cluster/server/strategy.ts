/** Behaviour of kinds that differs from the usual one. */

import type { ApiObject, Draft } from '../apimachinery/object.ts';
import type { ValidationPasses } from '../apimachinery/validation-passes.ts';
import type { FieldSet } from '../managed-fields/field-set.ts';
import type { User } from '../requests/message.ts';
import type { Resource } from '../resources/registry.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { ServerContext } from './server-context.ts';

/** Fields that writes cannot change or own (the strategy's reset fields), where they are not the usual ones. */
export interface ResetFields {
  /** In writes to the object. @default its status */
  readonly object?: FieldSet;
  /** In writes to `/status`. @default the spec */
  readonly status?: FieldSet;
}

/** Behaviour of one kind; all members are optional. Drafts may be changed at their top level and in their metadata. */
export interface Strategy {
  /** True when a create keeps the given status. */
  readonly keepsStatus?: boolean;
  /** Records the user who creates an object, before anything else. */
  readonly recordRequester?: (draft: Draft, user: User) => void;
  /** Prepares a new object, before defaults and validation. */
  readonly prepareForCreate?: (server: ServerContext, draft: Draft) => void;
  /** Prepares an update, before defaults and validation; `current` is the stored object. */
  readonly prepareForUpdate?: (draft: Draft, current: ApiObject, subresource: string | undefined) => void;
  /** Allocates cluster resources, just before the write. */
  readonly allocate?: (server: ServerContext, draft: Draft, current: ApiObject | undefined) => void;
  /** Gives back what the dry run of an update has allocated. */
  readonly releaseDryRun?: (server: ServerContext, draft: Draft, current: ApiObject) => void;
  /** Called before storing an object, unless it is a dry run. */
  readonly beforeStore?: (server: ServerContext, draft: Draft, current: ApiObject | undefined) => void;
  /** Refuses a deletion by throwing. */
  readonly validateDelete?: (current: ApiObject) => void;
  /** True when repeated deletions change nothing until the object is released. */
  readonly ignoresRepeatedDelete?: boolean;
  /** Checks the preconditions of a deletion and throws; all other kinds share the same check. */
  readonly checkPreconditions?: (resource: Resource, current: ApiObject, options: DeleteOptions) => void;
  /** Changes an object that is being deleted, besides its metadata, such as its phase. */
  readonly markDeleted?: (server: ServerContext, draft: Draft) => void;
  /** Reports whether a deleted object without finalizers in its metadata can be removed. */
  readonly canRemove?: (draft: Draft | ApiObject) => boolean;
  /** Called after an object is removed. */
  readonly afterDelete?: (server: ServerContext, last: ApiObject) => void;
  /** Fields that a create defaults after field managers are determined: they are unmanaged unless sent. */
  readonly unmanagedDefaults?: readonly (readonly string[])[];
  /** True when new objects are stored without all defaults: the first write adds them and counts even without a change. */
  readonly storedWithoutDefaults?: boolean;
  /** True when the generation never changes. */
  readonly keepsGeneration?: boolean;
  /** True when a deletion that has to wait does not increment the generation. */
  readonly deletionKeepsGeneration?: boolean;
  /** True when changes of labels increment the generation. */
  readonly labelsIncrementGeneration?: boolean;
  /** True when changes of annotations increment the generation. */
  readonly annotationsIncrementGeneration?: boolean;
  /** Number of times that the server validates metadata, where it is not the usual one. */
  readonly validationPasses?: Partial<ValidationPasses>;
  readonly resetFields?: ResetFields;
}
