/** A value that is written out. */
export interface Literal {
  readonly kind: 'literal';
  readonly at: number;
  readonly value: null | boolean | bigint | number | string | Uint8Array | UintLiteral;
}

/** A whole number without a sign, `1u`. */
export interface UintLiteral {
  readonly uint: bigint;
}

/** A name. */
export interface Ident {
  readonly kind: 'ident';
  readonly at: number;
  readonly name: string;
}

/** `operand.field`, or the test whether it is there. */
export interface Select {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expression;
  readonly field: string;
  readonly test: boolean;
}

/** A function or an operator; with a target, a method. */
export interface Call {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly target?: Expression;
  readonly args: readonly Expression[];
}

/** `[a, ?b]`. */
export interface ListLiteral {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly { readonly value: Expression; readonly optional: boolean }[];
}

/** One `key: value` of a map. */
export interface Entry {
  readonly at: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `{a: b}`. */
export interface MapLiteral {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly Entry[];
}

/** One `field: value` of a message. */
export interface FieldInit {
  readonly at: number;
  readonly field: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `Type{field: value}`. */
export interface MessageLiteral {
  readonly kind: 'message';
  readonly at: number;
  readonly name: string;
  readonly fields: readonly FieldInit[];
}

/** A loop, as macros make them. */
export interface Fold {
  readonly kind: 'fold';
  readonly at: number;
  readonly range: Expression;
  readonly variable: string;
  /** Of loops over keys and values, or over indices and items. */
  readonly second?: string;
  readonly accumulator: string;
  readonly start: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** An expression; `at` is where errors point to, in characters from the start. Each one is there once. */
export type Expression = Literal | Ident | Select | Call | ListLiteral | MapLiteral | MessageLiteral | Fold;

/** Everything directly below an expression, in the order in which it is visited. */
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

/** `a.b.c` as one name; undefined for what is no chain of names. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'ident') return expression.name;
  if (expression.kind !== 'select' || expression.test) return undefined;
  const before = qualifiedName(expression.operand);
  return before === undefined ? undefined : `${before}.${expression.field}`;
}

/** A copy of an expression, of other identity. */
export function copied<E extends Expression>(expression: E): E {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
  };
  return copy(expression) as E;
}
