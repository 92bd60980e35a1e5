import type { FieldError } from '../field-error.ts';
import type { Resource } from '../registry.ts';
import type { ApiObject, Draft } from './object.ts';

/** A draft after defaults and checks. */
export interface Conformed {
  readonly draft: Draft;
  readonly errors: readonly FieldError[];
}

/** Applies the kind's defaults and rules to a draft; `current` is what it replaces. */
export function conform(_resource: Resource, draft: Draft, _current: ApiObject | undefined): Conformed {
  return { draft, errors: [] };
}
