/** Static cost estimate of CEL expressions. */

import { fixed, productOf, type Range, sumOf, unionOf, unknownRange, unlimited } from '../functions/size-ranges.ts';
import type { Call, Entry, Expression, Fold, ListLiteral, MapLiteral, Select } from '../syntax/expression.ts';
import { accumulator } from '../syntax/macros.ts';
import { type Type, types } from '../typing/cel-type.ts';
import type { Checked } from '../typing/check.ts';
import type { SizedType } from '../typing/decl-types.ts';
import { callEstimate, type Estimate, type Operand } from './estimate-call-cost.ts';
import {
  bothOf,
  type Contents,
  isBinding,
  isScalar,
  operandsCost,
  type Path,
  unionsOf,
  type ValueFacts,
  wholeIn,
  withFields,
  writtenSize,
} from './estimate-facts.ts';

/** Estimates the worst case of an expression, recording known properties of its parts. */
class Estimator {
  readonly #checked: Checked;
  readonly #root: SizedType | undefined;
  readonly #known = new Map<Expression, ValueFacts>();
  readonly #locals: (readonly [string, ValueFacts])[] = [];

  constructor(checked: Checked, root: SizedType | undefined) {
    this.#checked = checked;
    this.#root = root;
  }

  /** Estimates the cost of an expression. */
  cost(expression: Expression): Range {
    switch (expression.kind) {
      case 'ident':
        return this.#variable(expression);
      case 'select':
        if (this.#checked.references.has(expression)) return this.#variable(expression);
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'message':
        return sumOf(fixed(40), ...expression.fields.map(({ value }) => this.cost(value)));
      case 'fold':
        return isBinding(expression) ? this.#binding(expression) : this.#fold(expression);
      default:
        return fixed(0);
    }
  }

  #typeOf = (expression: Expression): Type => this.#checked.types.get(expression) ?? types.dyn;

  #learn(expression: Expression, known: ValueFacts): void {
    this.#known.set(expression, { ...this.#known.get(expression), ...known });
  }

  #local(expression: Expression): ValueFacts | undefined {
    if (expression.kind !== 'ident') return undefined;
    return this.#locals.findLast(([name]) => name === expression.name)?.[1];
  }

  #variable(expression: Expression): Range {
    const name = this.#checked.references.get(expression)?.name ?? '';
    this.#learn(expression, { path: this.#local(expression)?.path ?? [name] });
    return fixed(1);
  }

  #pathOf = (expression: Expression): Path => this.#local(expression)?.path ?? this.#known.get(expression)?.path ?? [];

  /** Returns the size of the value at a path; undefined where it is unknown. */
  #sizeAt(path: Path): Range | undefined {
    if (path.length === 0 || path[0] === accumulator) return undefined;
    let at = this.#root;
    for (const name of path.slice(1)) {
      if (name === '@items' || name === '@values') at = at?.element;
      else at = name === '@keys' ? at?.key : at?.fields?.get(name);
    }
    return at && { min: 0, max: at.max };
  }

  #sizeOf(expression: Expression): Range | undefined {
    const known = this.#known.get(expression)?.size ?? writtenSize(expression);
    const size = known ?? this.#sizeAt(this.#pathOf(expression));
    if (size !== undefined) return size;
    return isScalar(this.#typeOf(expression)) ? fixed(1) : this.#local(expression)?.size;
  }

  #sizeOrUnknown = (expression: Expression): Range => this.#sizeOf(expression) ?? unknownRange;

  #contentsOf = (expression: Expression): Contents | undefined =>
    this.#known.get(expression)?.contents ?? this.#local(expression)?.contents;

  #copy(from: Expression, to: Expression): void {
    this.#learn(to, { size: this.#sizeOf(from), contents: this.#contentsOf(from) });
  }

  #select(expression: Select): Range {
    const cost = this.cost(expression.operand);
    if (expression.test) return cost;
    this.#learn(expression, { path: [...this.#pathOf(expression.operand), expression.field] });
    return withFields.has(this.#typeOf(expression.operand).kind) ? sumOf(cost, fixed(1)) : cost;
  }

  #list(list: ListLiteral): Range {
    const items = list.items.map(({ value }) => value);
    const cost = sumOf(fixed(10), ...items.map((item) => this.cost(item)));
    const value = unionsOf(items.map(this.#sizeOrUnknown));
    this.#learn(list, { contents: { kind: 'list', key: fixed(1), value } });
    return cost;
  }

  #map(map: MapLiteral): Range {
    const cost = sumOf(fixed(30), ...map.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]));
    const sizes = (part: 'key' | 'value') =>
      unionsOf(map.entries.map((entry: Entry) => this.#sizeOrUnknown(entry[part])));
    this.#learn(map, { contents: { kind: 'map', key: sizes('key'), value: sizes('value') } });
    return cost;
  }

  #operand(expression: Expression): Operand {
    const path = this.#pathOf(expression);
    const itemSize = path.length === 0 ? undefined : this.#sizeAt([...path, '@items']);
    const { literal } = wholeIn(expression);
    return {
      type: this.#typeOf(expression),
      size: this.#sizeOf(expression),
      itemSize,
      ...(literal !== undefined && { literal }),
    };
  }

  #call(call: Call): Range {
    const { name, overloads, qualified = false } = this.#checked.references.get(call)!;
    const costs = call.args.map((argument) => this.cost(argument));
    if (name === 'dyn') {
      this.#copy(call.args[0]!, call);
      return sumOf(fixed(1), costs[0]!);
    }
    const args = call.args.map((argument) => this.#operand(argument));
    const target = qualified ? undefined : call.target;
    const targetCost = target === undefined ? fixed(0) : this.cost(target);
    const operands = { args, target: target && this.#operand(target) };
    const estimates = overloads.map((overload) => callEstimate(name, overload, operands));
    this.#remember(call, overloads, estimates);
    const own = estimates.map(({ cost }) => cost).reduce(unionOf, { min: unlimited, max: 0 });
    return sumOf(targetCost, own, operandsCost(name, costs));
  }

  /** Records the known properties of a call's result. */
  #remember(call: Call, overloads: readonly string[], estimates: readonly Estimate[]): void {
    const [first, second, third] = call.args;
    const sizes = estimates.map(({ size }) => size).filter((size) => size !== undefined);
    let size = sizes.length === 0 ? undefined : unionsOf(sizes);
    for (const [id, step] of [
      ['index_list', '@items'],
      ['index_map', '@values'],
    ] as const) {
      if (!overloads.includes(id)) continue;
      size = this.#contentsOf(first!)?.value;
      this.#learn(call, { path: [...this.#pathOf(first!), step] });
    }
    if (call.name === '_?_:_')
      this.#learn(call, { contents: bothOf(this.#contentsOf(second!), this.#contentsOf(third!)) });
    if (overloads.some((id) => /^add_(?:list|string|bytes)$/.test(id))) {
      const contents = bothOf(this.#contentsOf(first!), this.#contentsOf(second!));
      if (contents !== undefined) this.#learn(call, { contents });
    }
    const known = size ?? this.#sizeOf(call);
    if (known !== undefined) this.#learn(call, { size: known });
  }

  /** Returns the known properties of a loop variable: a key or a value. */
  #item(range: Expression, part: 'key' | 'value'): ValueFacts {
    const contents = this.#contentsOf(range);
    const isList = (contents?.kind ?? this.#typeOf(range).kind) === 'list';
    const steps = isList ? { key: '@indices', value: '@items' } : { key: '@keys', value: '@values' };
    return { path: [...this.#pathOf(range), steps[part]], size: contents?.[part] };
  }

  #fold(fold: Fold): Range {
    const { range, start, second } = fold;
    const before = sumOf(this.cost(range), this.cost(start));
    const depth = this.#locals.length;
    this.#locals.push([fold.accumulator, this.#whole(start)]);
    const isList = (this.#contentsOf(range)?.kind ?? this.#typeOf(range).kind) === 'list';
    this.#locals.push([fold.variable, this.#item(range, second === undefined && isList ? 'value' : 'key')]);
    if (second !== undefined) this.#locals.push([second, this.#item(range, 'value')]);
    const once = sumOf(this.cost(fold.condition), this.cost(fold.step));
    this.#locals.length = depth + 1;
    const after = this.cost(fold.result);
    this.#locals.length = depth;
    const count = this.#sizeOrUnknown(range);
    if (start.kind === 'literal') this.#learn(fold, { size: this.#sizeOf(start) });
    else if (start.kind === 'list' || start.kind === 'map') {
      this.#learn(fold, { size: count, contents: this.#contentsOf(fold.step) });
    }
    return sumOf(before, after, productOf(count, once));
  }

  /** Returns the known properties of an expression that is bound to a name. */
  #whole = (expression: Expression): ValueFacts => ({
    path: this.#pathOf(expression),
    size: this.#sizeOf(expression),
    contents: this.#contentsOf(expression),
  });

  #binding(fold: Fold): Range {
    const before = sumOf(this.cost(fold.range), this.cost(fold.start));
    this.#locals.push([fold.accumulator, this.#whole(fold.start)]);
    const after = this.cost(fold.result);
    this.#locals.pop();
    this.#copy(fold.result, fold);
    return sumOf(before, after);
  }
}

/** Estimates the cost of an expression, at least and at most; `self` has a type with sizes. */
export const estimateCost = (checked: Checked, self: SizedType | undefined): Range =>
  new Estimator(checked, self).cost(checked.expression);
