/** Compiles checked CEL expressions into programs. */

import { callCost } from './cost/runtime-call-cost.ts';
import type { Evaluate } from './frame.ts';
import { implementationOf } from './functions/implementations.ts';
import { lookUp } from './functions/operators.ts';
import { specialCalls } from './functions/special-calls.ts';
import {
  type Call,
  childrenOf,
  type Expression,
  type Fold,
  type ListLiteral,
  type Literal,
  type MapLiteral,
  type Select,
} from './syntax/expression.ts';
import type { Checked } from './typing/check.ts';
import { isEqual, noOverload, placesOf } from './values/compare.ts';
import {
  CelError,
  List,
  MapValue,
  type Members,
  mapOfEntries,
  Optional,
  typeNameOf,
  Uint,
  type Value,
} from './values/values.ts';

const isError = (value: unknown): value is CelError => value instanceof CelError;

const goTypes: Readonly<Record<string, string>> = {
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  bool: 'types.Bool',
  string: 'types.String',
  bytes: 'types.Bytes',
  null_type: 'types.Null',
};

function literal({ value }: Literal): Evaluate {
  const constant = typeof value === 'object' && value !== null && 'uint' in value ? new Uint(value.uint) : value;
  return () => constant;
}

/** Compiles a checked expression to functions. */
class Compiler {
  readonly #checked: Checked;
  readonly #locals: string[] = [];

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  compile(expression: Expression): Evaluate {
    switch (expression.kind) {
      case 'literal':
        return literal(expression);
      case 'ident':
        return this.#variable(expression);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'fold':
        return this.#fold(expression);
      default:
        return () => noOverload;
    }
  }

  #variable(expression: Expression): Evaluate {
    const { name } = this.#checked.references.get(expression)!;
    const slot = this.#locals.lastIndexOf(name);
    if (slot !== -1) {
      return (frame) => {
        frame.charge(1);
        return frame.locals[slot]!;
      };
    }
    return (frame) => {
      frame.charge(1);
      const value = frame.variables(name);
      return value === undefined ? new CelError(`no such attribute(s): ${name}`) : value;
    };
  }

  #select(select: Select): Evaluate {
    if (this.#checked.references.has(select)) return this.#variable(select);
    const operand = this.compile(select.operand);
    const { field, test } = select;
    const cost = (isAttribute(select.operand) ? 1 : 2) - (test ? 1 : 0);
    return (frame) => {
      const value = operand(frame);
      if (isError(value)) return value;
      frame.charge(cost);
      return test ? isThere(value, field) : selectField(value, field);
    };
  }

  #call(call: Call): Evaluate {
    const { name, qualified = false, overloads } = this.#checked.references.get(call)!;
    const written = call.target === undefined || qualified ? call.args : [call.target, ...call.args];
    const special = specialCalls[name];
    const args = written.map((argument) => this.compile(argument));
    if (special !== undefined) return special(...args);
    if (name === '@in' && isConstantList(written[1]!)) return membership(args);
    const overload = overloads.length === 1 ? overloads[0] : undefined;
    const run = implementationOf(name, overload);
    return (frame) => {
      const values: Value[] = [];
      for (const argument of args) {
        const value = argument(frame);
        if (isError(value)) return value;
        values.push(value);
      }
      frame.charge(callCost({ name, overload }, values));
      return run(...values);
    };
  }

  #list(list: ListLiteral): Evaluate {
    const items = list.items.map(({ value, optional }) => ({ evaluate: this.compile(value), optional }));
    const cost = isConstantList(list) ? 0 : 10;
    return (frame) => {
      const values: Value[] = [];
      for (const { evaluate, optional } of items) {
        const value = evaluate(frame);
        if (isError(value)) return value;
        const kept = optional && value instanceof Optional ? value.value : value;
        if (kept !== undefined) values.push(kept);
      }
      frame.charge(cost);
      return new List(values);
    };
  }

  #map({ entries }: MapLiteral): Evaluate {
    const parts = entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      value: this.compile(value),
      optional,
    }));
    return (frame) => {
      const values: (readonly [Value, Value])[] = [];
      for (const part of parts) {
        const key = part.key(frame);
        if (isError(key)) return key;
        const value = part.value(frame);
        if (isError(value)) return value;
        const kept = part.optional && value instanceof Optional ? value.value : value;
        if (kept !== undefined) values.push([key, kept]);
      }
      frame.charge(30);
      return mapOfEntries(values);
    };
  }

  #fold(fold: Fold): Evaluate {
    const range = this.compile(fold.range);
    const start = this.compile(fold.start);
    const depth = this.#locals.length;
    this.#locals.push(fold.accumulator, fold.variable);
    if (fold.second !== undefined) this.#locals.push(fold.second);
    const condition = this.compile(fold.condition);
    const step = this.compile(fold.step);
    this.#locals.length = depth + 1;
    const result = this.compile(fold.result);
    this.#locals.length = depth;
    const isPair = fold.second !== undefined;
    return (frame) => {
      const items = itemsOf(range(frame), isPair);
      if (isError(items)) return items;
      frame.locals[depth] = start(frame);
      for (const [first, second] of items) {
        frame.locals[depth + 1] = first;
        if (isPair) frame.locals[depth + 2] = second;
        if (condition(frame) === false) break;
        frame.locals[depth] = step(frame);
      }
      return result(frame);
    };
  }
}

/** Returns the range of a loop in pairs: index and item, or key and value; without `isPair` the item or key comes first. */
function itemsOf(range: Value, isPair: boolean): Iterable<readonly [Value, Value]> | CelError {
  if (isError(range)) return range;
  if (range instanceof List) return pairsOf(range.items, isPair);
  if (range instanceof MapValue) return membersOf(range.members, isPair);
  const name = typeNameOf(range);
  return new CelError(`got '${goTypes[name] ?? name}', expected iterable type`);
}

function* pairsOf(items: readonly Value[], isPair: boolean): Iterable<readonly [Value, Value]> {
  for (const [index, item] of items.entries()) yield isPair ? [BigInt(index), item] : [item, null];
}

function* membersOf(members: Members, isPair: boolean): Iterable<readonly [Value, Value]> {
  for (const key of members.keys()) yield [key, isPair ? members.get(key)! : null];
}

const isAttribute = (expression: Expression): boolean =>
  expression.kind === 'ident' ||
  expression.kind === 'select' ||
  (expression.kind === 'call' && ['_[_]', '_[?_]', '_?._'].includes(expression.name));

const isConstantList = (expression: Expression): boolean =>
  expression.kind === 'list' && childrenOf(expression).every(({ kind }) => kind === 'literal');

/** Returns a function that looks up values in a list of constants. */
function constantsOf(list: Value): (value: Value) => boolean {
  const { items } = list as List;
  const places = placesOf(items, (item) => item);
  return (value) => places.find(value, (place) => isEqual(items[place]!, value)) !== undefined;
}

/** Compiles `x in [1, 2]` with a constant list, which has no cost. */
const membership = ([item, list]: readonly Evaluate[]): Evaluate => {
  let constants: ReturnType<typeof constantsOf> | undefined;
  return (frame) => {
    const value = item!(frame);
    if (isError(value)) return value;
    constants ??= constantsOf(list!(frame));
    return constants(value);
  };
};

function selectField(value: Value, field: string): Value {
  if (value instanceof Optional)
    return new Optional(value.value === undefined ? undefined : lookUp(value.value, field));
  return (value instanceof MapValue ? value.members.get(field) : undefined) ?? new CelError(`no such key: ${field}`);
}

function isThere(value: Value, field: string): Value {
  const inside = value instanceof Optional ? value.value : value;
  return inside instanceof MapValue && inside.members.get(field) !== undefined;
}

/** Compiles a checked expression; its errors are values. */
export const compileExpression = (checked: Checked): Evaluate => new Compiler(checked).compile(checked.expression);
