import type { Operation } from '../admission/matching.ts';
import type { Fields } from '../objects/object.ts';
import type { Amounts } from './amounts.ts';
import type { ScopeSelector } from './scopes.ts';

/** A write as quotas see it. */
export interface Written {
  readonly operation: Operation;
  readonly subresource: string | undefined;
  readonly object: Fields;
  readonly oldObject: Fields | undefined;
}

/** How objects of one kind count against quotas. */
export interface Evaluator {
  /** Whether a name in a quota speaks of this kind. */
  counts(name: string): boolean;
  /** Whether a write may change how much is used. */
  handles(write: Written): boolean;
  /** What an object uses at a time, in ms. */
  usage(object: Fields, now: number): Amounts;
  isInScope(selector: ScopeSelector, object: Fields): boolean;
  /** What an object fails to say although a quota has one of these names; undefined when nothing is missing. */
  missing(names: readonly string[], object: Fields): string | undefined;
}
