import { type Type, unwrapped } from './cel-type.ts';
import type { Expression, Fold } from './expression.ts';
import { accumulator } from './macros.ts';
import { fixed, type Range, sumOf, unionOf } from './ranges.ts';

/** Where something is, from a variable on: names of fields, `@items`, `@keys`, `@values`. */
export type Path = readonly string[];

/** What is known of the keys and values of a list or map. */
export interface Contents {
  readonly kind: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** What is known of what an expression will be. */
export interface Known {
  readonly path?: Path;
  readonly size?: Range | undefined;
  readonly contents?: Contents | undefined;
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** Whether values of a type are all of one size. */
export function isScalar(type: Type): boolean {
  const inside = unwrapped(type);
  return inside === undefined ? scalars.has(type.kind) : isScalar(inside);
}

/** The size of a value that is written out; undefined for others. */
export function writtenSize(expression: Expression): Range | undefined {
  if (expression.kind === 'list') return fixed(expression.items.length);
  if (expression.kind === 'map') return fixed(expression.entries.length);
  if (expression.kind !== 'literal') return undefined;
  const { value } = expression;
  if (typeof value === 'string') return fixed([...value].length);
  return fixed(value instanceof Uint8Array ? value.length : 1);
}

/** What is known of two lists or maps that become one; undefined unless both are known. */
export const bothOf = (a: Contents | undefined, b: Contents | undefined): Contents | undefined =>
  a && b && { kind: a.kind, key: unionOf(a.key, b.key), value: unionOf(a.value, b.value) };

/** What all ranges are within; nothing at all without any. */
export const unionsOf = (ranges: readonly Range[]): Range => (ranges.length === 0 ? fixed(0) : ranges.reduce(unionOf));

/** Types of which selecting a field costs something. */
export const withFields: ReadonlySet<string> = new Set(['map', 'param', 'struct']);

/** A loop over nothing, which only gives a name to a value. */
export const isBinding = ({ range, accumulator: name }: Fold): boolean =>
  range.kind === 'list' && range.items.length === 0 && name !== accumulator;

/** A whole number that is written out. */
export function wholeIn(expression: Expression): { readonly literal?: number } {
  const value = expression.kind === 'literal' ? expression.value : undefined;
  return typeof value === 'bigint' ? { literal: Number(value) } : {};
}

/** What the operands of a call cost: not all of them are always evaluated. */
export function operandsCost(name: string, costs: readonly Range[]): Range {
  const [first = fixed(0), second = fixed(0), third = fixed(0)] = costs;
  if (name === '_&&_' || name === '_||_') return { min: first.min, max: sumOf(first, second).max };
  return name === '_?_:_' ? sumOf(first, unionOf(second, third)) : sumOf(...costs);
}
