/** Context of writes, with the steps that all writes share. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { type ApiObject, type Draft, type DraftMeta, type Fields, freeze } from '../apimachinery/object.ts';
import { invalid } from '../apimachinery/status.ts';
import type { Resource } from '../resources/registry.ts';
import type { KindRules } from '../server/kind-rules.ts';
import type { ServerContext } from '../server/server-context.ts';

/** Write, as field management sees it. */
export interface Managing {
  /** Object before the write; undefined for a new one. */
  readonly live: ApiObject | undefined;
  /** Object after the write, without its `metadata.managedFields`. */
  readonly next: Draft;
  /** `metadata.managedFields` as sent. */
  readonly sent: unknown;
  /** Sent parts of a custom resource that this write does not change; fields are unmanaged if they do not fit its type. */
  readonly ignored?: Fields | undefined;
}

/** Computes the `metadata.managedFields` of an object to be stored; undefined when no field is managed. */
export type ManagedFields = (write: Managing) => readonly Fields[] | undefined;

/** Context of a write. */
export interface WriteScope {
  readonly server: ServerContext;
  readonly resource: Resource;
  /** Defaults and validation of the kind; controllers write without them. */
  readonly rules?: KindRules;
  readonly dryRun?: boolean;
  /** Field manager, as webhooks see it. */
  readonly fieldManager?: string;
  /** Computes the field managers after the write. @default the object's managers stay */
  readonly managedFields?: ManagedFields;
  /** Collects warnings for the client. */
  readonly warnings?: string[];
  /** Subresource that an update writes to. */
  readonly subresource?: string;
}

/** Returns the draft with its kind's defaults. */
export function withDefaults(rules: KindRules | undefined, draft: Draft): Draft {
  if (rules === undefined) return draft;
  const filled = rules.defaults(draft);
  return { ...filled, metadata: { ...(filled.metadata as DraftMeta) } } as Draft;
}

/** Freezes a draft that is not stored: the answer to a dry run. */
export const dryRunResult = (draft: Draft): ApiObject => freeze(draft) as unknown as ApiObject;

/** Rejects a draft that has errors. Throws the server's 422. */
export function refuse({ info: { kind }, collection }: Resource, draft: Draft, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  // Errors name the kind by its storage group.
  throw invalid({ kind, group: collection.slice(0, collection.indexOf('/')) }, draft.metadata.name ?? '', errors);
}
