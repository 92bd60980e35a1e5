/** Facts about expressions that cost estimates use. */

import { fixed, type Range, sumOf, unionOf } from '../functions/size-ranges.ts';
import type { Expression, Fold } from '../syntax/expression.ts';
import { accumulator } from '../syntax/macros.ts';
import { type Type, unwrap } from '../typing/cel-type.ts';

/** Path from a variable: names of fields, `@items`, `@keys`, `@values`. */
export type Path = readonly string[];

/** Sizes of the keys and values of a list or map. */
export interface Contents {
  readonly kind: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** Known properties of an expression's value. */
export interface ValueFacts {
  readonly path?: Path;
  readonly size?: Range | undefined;
  readonly contents?: Contents | undefined;
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** Reports whether all values of a type have one size. */
export function isScalar(type: Type): boolean {
  const inside = unwrap(type);
  return inside === undefined ? scalars.has(type.kind) : isScalar(inside);
}

/** Returns the size of a literal; undefined for other expressions. */
export function writtenSize(expression: Expression): Range | undefined {
  if (expression.kind === 'list') return fixed(expression.items.length);
  if (expression.kind === 'map') return fixed(expression.entries.length);
  if (expression.kind !== 'literal') return undefined;
  const { value } = expression;
  if (typeof value === 'string') return fixed([...value].length);
  return fixed(value instanceof Uint8Array ? value.length : 1);
}

/** Returns the contents of two joined lists or maps; undefined unless both are known. */
export const bothOf = (a: Contents | undefined, b: Contents | undefined): Contents | undefined =>
  a && b && { kind: a.kind, key: unionOf(a.key, b.key), value: unionOf(a.value, b.value) };

/** Returns the union of all ranges; zero without any. */
export const unionsOf = (ranges: readonly Range[]): Range => (ranges.length === 0 ? fixed(0) : ranges.reduce(unionOf));

/** Kinds of types whose field selection has a cost. */
export const withFields: ReadonlySet<string> = new Set(['map', 'param', 'struct']);

/** Reports whether a loop only binds a variable: its range is empty. */
export const isBinding = ({ range, accumulator: name }: Fold): boolean =>
  range.kind === 'list' && range.items.length === 0 && name !== accumulator;

/** Returns the value of an integer literal. */
export function wholeIn(expression: Expression): { readonly literal?: number } {
  const value = expression.kind === 'literal' ? expression.value : undefined;
  return typeof value === 'bigint' ? { literal: Number(value) } : {};
}

/** Returns the cost of a call's operands; conditional operators do not evaluate all of them. */
export function operandsCost(name: string, costs: readonly Range[]): Range {
  const [first = fixed(0), second = fixed(0), third = fixed(0)] = costs;
  if (name === '_&&_' || name === '_||_') return { min: first.min, max: sumOf(first, second).max };
  return name === '_?_:_' ? sumOf(first, unionOf(second, third)) : sumOf(...costs);
}
