/** Syntax tree of CEL expressions. */

import { copiedParts } from './part-limit.ts';

/** Literal value. */
export interface Literal {
  readonly kind: 'literal';
  readonly at: number;
  readonly value: null | boolean | bigint | number | string | Uint8Array | UintLiteral;
}

/** Unsigned integer literal, such as `1u`. */
export interface UintLiteral {
  readonly uint: bigint;
}

/** Name. */
export interface Ident {
  readonly kind: 'ident';
  readonly at: number;
  readonly name: string;
}

/** Selection `operand.field`, or the test of its presence. */
export interface Select {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expression;
  readonly field: string;
  readonly test: boolean;
}

/** Call of a function or operator; with a target, of a method. */
export interface Call {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly target?: Expression;
  readonly args: readonly Expression[];
}

/** List literal: `[a, ?b]`. */
export interface ListLiteral {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly { readonly value: Expression; readonly optional: boolean }[];
}

/** Entry `key: value` of a map. */
export interface Entry {
  readonly at: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** Map literal: `{a: b}`. */
export interface MapLiteral {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly Entry[];
}

/** Field `field: value` of a message. */
export interface FieldInit {
  readonly at: number;
  readonly field: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** Message literal: `Type{field: value}`. */
export interface MessageLiteral {
  readonly kind: 'message';
  readonly at: number;
  readonly name: string;
  readonly fields: readonly FieldInit[];
}

/** Loop (comprehension), from a macro. */
export interface Fold {
  readonly kind: 'fold';
  readonly at: number;
  readonly range: Expression;
  readonly variable: string;
  /** Second variable of loops over keys and values, or indices and items. */
  readonly second?: string;
  readonly accumulator: string;
  readonly start: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** Expression; `at` is its position for errors, in characters. Each node occurs once. */
export type Expression = Literal | Ident | Select | Call | ListLiteral | MapLiteral | MessageLiteral | Fold;

/** Returns the direct children of an expression in visiting order. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'select':
      return [expression.operand];
    case 'call':
      return [...(expression.target === undefined ? [] : [expression.target]), ...expression.args];
    case 'list':
      return expression.items.map(({ value }) => value);
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'message':
      return expression.fields.map(({ value }) => value);
    case 'fold':
      return [expression.range, expression.start, expression.condition, expression.step, expression.result];
    default:
      return [];
  }
}

/** Returns `a.b.c` as one name; undefined for other expressions. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'ident') return expression.name;
  if (expression.kind !== 'select' || expression.test) return undefined;
  const before = qualifiedName(expression.operand);
  return before === undefined ? undefined : `${before}.${expression.field}`;
}

/** Deeply copies an expression. Throws a DepthExceeded for more copies than an expression may have. */
export function copyExpression<E extends Expression>(expression: E): E {
  const copy = (value: unknown): unknown => {
    copiedParts.count();
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
  };
  return copy(expression) as E;
}
