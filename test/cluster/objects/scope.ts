import type { FieldError } from '../field-error.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Machinery } from '../machinery.ts';
import type { Resource } from '../registry.ts';
import { invalid } from '../status.ts';
import { type ApiObject, type Draft, type DraftMeta, freeze } from './object.ts';

/** Where and how a write happens. */
export interface WriteScope {
  readonly machinery: Machinery;
  readonly resource: Resource;
  /** The kind's defaults and checks; controllers, which know what they write, go without. */
  readonly rules?: KindRules;
  readonly dryRun?: boolean;
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
export function refuse({ info }: Resource, draft: Draft, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(info, draft.metadata.name ?? '', errors);
}
