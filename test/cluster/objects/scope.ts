import type { FieldError } from '../field-error.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Machinery } from '../machinery.ts';
import type { Resource } from '../registry.ts';
import { invalid } from '../status.ts';
import { type ApiObject, type Draft, type DraftMeta, type Fields, freeze } from './object.ts';

/** A write as its managers of fields see it. */
export interface Managing {
  /** The object as it was; undefined when there was none. */
  readonly live: ApiObject | undefined;
  /** The object as it is to be, its `metadata.managedFields` aside. */
  readonly next: Draft;
  /** The `metadata.managedFields` that were sent. */
  readonly sent: unknown;
  /** What was sent of a custom resource where this write cannot change it: managers give up when it does not fit the type. */
  readonly ignored?: Fields | undefined;
}

/** Tells the `metadata.managedFields` of an object that is about to be stored; undefined when nobody manages anything. */
export type ManagedFields = (write: Managing) => readonly Fields[] | undefined;

/** Where and how a write happens. */
export interface WriteScope {
  readonly machinery: Machinery;
  readonly resource: Resource;
  /** The kind's defaults and checks; controllers, which know what they write, go without. */
  readonly rules?: KindRules;
  readonly dryRun?: boolean;
  /** Who writes, as webhooks are told. */
  readonly fieldManager?: string;
  /** Who owns which fields after the write; without it the object's managers stay as they were. */
  readonly managedFields?: ManagedFields;
  /** Takes what the writer is to be warned of. */
  readonly warnings?: string[];
  /** Only for updates: the subresource written to. */
  readonly subresource?: string;
}

/** The draft with its kind's defaults. */
export function filledBy(rules: KindRules | undefined, draft: Draft): Draft {
  if (rules === undefined) return draft;
  const filled = rules.defaults(draft);
  return { ...filled, metadata: { ...(filled.metadata as DraftMeta) } } as Draft;
}

/** The frozen form of a draft that is not stored: what a dry run answers. */
export const unsaved = (draft: Draft): ApiObject => freeze(draft) as unknown as ApiObject;

/** Throws the server's 422 when there is anything wrong. */
export function refuse({ info: { kind }, collection }: Resource, draft: Draft, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  // The kind is told as it is stored.
  throw invalid({ kind, group: collection.slice(0, collection.indexOf('/')) }, draft.metadata.name ?? '', errors);
}
