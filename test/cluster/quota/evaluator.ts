/** Interface of quota evaluators, as upstream's `quota.Evaluator`. */

import type { Fields } from '../apimachinery/object.ts';
import type { Operation } from '../server/admission.ts';
import type { Amounts } from './resource-lists.ts';
import type { ScopeSelector } from './scopes.ts';

/** Write that a quota may be charged for. */
export interface QuotaWrite {
  readonly operation: Operation;
  readonly subresource: string | undefined;
  readonly object: Fields;
  readonly oldObject: Fields | undefined;
}

/** Counts the usage of objects of one kind. */
export interface Evaluator {
  /** Reports whether a name in a quota applies to this kind. */
  matchesResource(name: string): boolean;
  /** Reports whether a write can change the usage. */
  handles(write: QuotaWrite): boolean;
  /** Returns the usage of an object at a time, in ms since the epoch. */
  usage(object: Fields, now: number): Amounts;
  isInScope(selector: ScopeSelector, object: Fields): boolean;
  /** Returns the error for an object that lacks a value required by one of these names; undefined when it is complete. */
  constraintError(names: readonly string[], object: Fields): string | undefined;
}
