/** Type-checks CEL expressions. */

import type { Scope } from '../scope.ts';
import { withinDepth } from '../syntax/depth.ts';
import {
  type Call,
  type Expression,
  type Fold,
  type MessageLiteral,
  qualifiedName,
  type Select,
} from '../syntax/expression.ts';
import type { Fault } from '../syntax/expression-errors.ts';
import { isDyn, listOf, mapOf, optionalOf, type Type, typeOfLiteral, types, typeText, unwrap } from './cel-type.ts';
import type { Overload } from './declarations.ts';
import { Inference } from './inference.ts';
import { chosenOverloads, fieldIn, itemTypes, signature } from './overloads.ts';
import { mostGeneral } from './unify.ts';

/** Resolution of a name or call. */
export interface Reference {
  /** Full name of the variable or function. */
  readonly name: string;
  /** Ids of a call's possible overloads. */
  readonly overloads: readonly string[];
  /** True when the apparent target is part of a qualified function name. */
  readonly qualified?: boolean;
}

/** Type-checked expression. */
export interface Checked {
  readonly expression: Expression;
  readonly types: ReadonlyMap<Expression, Type>;
  readonly references: ReadonlyMap<Expression, Reference>;
}

const plain = (name: string): string => (name.startsWith('.') ? name.slice(1) : name);

class Checker {
  readonly faults: Fault[] = [];
  readonly references = new Map<Expression, Reference>();
  readonly #scope: Scope;
  readonly #types = new Map<Expression, Type>();
  readonly #locals: (readonly [string, Type])[] = [];
  readonly #inference = new Inference();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Returns the types of all expressions, without type variables. */
  settled(): ReadonlyMap<Expression, Type> {
    return new Map([...this.#types].map(([expression, type]) => [expression, this.#inference.settled(type)] as const));
  }

  /** Checks an expression and returns its type. */
  type(expression: Expression): Type {
    const type = this.#found(expression);
    this.#types.set(expression, type);
    return type;
  }

  #found(expression: Expression): Type {
    switch (expression.kind) {
      case 'literal':
        return typeOfLiteral(expression.value);
      case 'ident':
        return this.#ident(expression, expression.name) ?? this.#undeclared(expression.at, expression.name);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return listOf(this.#joined(expression.items));
      case 'map': {
        const keys = expression.entries.map(({ key }) => ({ value: key, optional: false }));
        return mapOf(this.#joined(keys), this.#joined(expression.entries));
      }
      case 'message':
        return this.#message(expression);
      default:
        return this.#fold(expression);
    }
  }

  #fault(at: number, message: string): Type {
    this.faults.push({ at, message });
    return types.error;
  }

  #undeclared = (at: number, name: string): Type =>
    this.#fault(at, `undeclared reference to '${name}' (in container '')`);

  #mismatch(at: number, expected: Type, found: Type): Type {
    return this.#fault(at, `expected type '${typeText(expected)}' but found '${typeText(found)}'`);
  }

  #ident(expression: Expression, written: string): Type | undefined {
    const name = plain(written);
    const type = this.#locals.findLast(([local]) => local === name)?.[1] ?? this.#scope.variables.get(name);
    if (type !== undefined) this.references.set(expression, { name, overloads: [] });
    return type;
  }

  #select(expression: Select): Type {
    const name = qualifiedName(expression);
    const type = name === undefined ? undefined : this.#ident(expression, name);
    if (type !== undefined) return type;
    const field = this.#field(expression, expression.operand, { name: expression.field, optional: false });
    return expression.test ? types.bool : this.#inference.resolved(field);
  }

  #field(
    { at }: Expression,
    operand: Expression,
    { name, optional }: { readonly name: string; readonly optional: boolean },
  ): Type {
    const operandType = this.#inference.resolved(this.type(operand));
    const inside = unwrap(operandType);
    const found = fieldIn(this.#inference, this.#scope, { target: inside ?? operandType, name });
    const field = typeof found === 'string' ? this.#fault(at, found) : found;
    return inside !== undefined || optional ? optionalOf(field) : field;
  }

  #call(call: Call): Type {
    const { name, target, args, at } = call;
    if (name === '_?._') return this.#optionalField(call);
    for (const argument of args) this.type(argument);
    const prefix = target === undefined ? undefined : qualifiedName(target);
    const qualified = prefix === undefined ? undefined : this.#scope.functions.get(plain(`${prefix}.${name}`));
    if (qualified !== undefined) {
      return this.#chosen(call, { name: plain(`${prefix}.${name}`), overloads: qualified, qualified: true });
    }
    if (target !== undefined) this.type(target);
    const overloads = this.#scope.functions.get(target === undefined ? plain(name) : name);
    return overloads === undefined
      ? this.#undeclared(at, name)
      : this.#chosen(call, { name: plain(name), overloads, qualified: false });
  }

  #optionalField(call: Call): Type {
    const [operand, field] = call.args;
    const name = field?.kind === 'literal' ? String(field.value) : '';
    this.references.set(call, { name: '_?._', overloads: ['select_optional_field'] });
    return this.#inference.resolved(this.#field(call, operand!, { name, optional: true }));
  }

  /** Returns the result type of the overloads that accept a call's arguments. */
  #chosen(
    call: Call,
    {
      name,
      overloads,
      qualified,
    }: { readonly name: string; readonly overloads: readonly Overload[]; readonly qualified: boolean },
  ): Type {
    const target = qualified ? undefined : call.target;
    const given = [...(target === undefined ? [] : [target]), ...call.args].map((one) => this.#types.get(one)!);
    if (name === '_&&_' || name === '_||_') return this.#logic(call, given, overloads[0]!.id);
    const isMethod = target !== undefined;
    const choice = chosenOverloads(this.#inference, overloads, { given, isMethod });
    if (choice === undefined) {
      const shown = signature(
        given.map((type) => this.#inference.settled(type)),
        isMethod,
      );
      return this.#fault(call.at, `found no matching overload for '${name}' applied to '${shown}'`);
    }
    const { ids, result } = choice;
    this.references.set(call, { name, overloads: ids, ...(qualified && { qualified }) });
    return result;
  }

  #logic(call: Call, given: readonly Type[], id: string): Type {
    const before = this.faults.length;
    for (const [index, type] of given.entries()) {
      if (!this.#inference.assigns([type], [types.bool])) this.#mismatch(call.args[index]!.at, types.bool, type);
    }
    if (this.faults.length > before) return types.error;
    this.references.set(call, { name: call.name, overloads: [id] });
    return types.bool;
  }

  /** Returns the common type of the items of a list or map; a type variable without items. */
  #joined(parts: readonly { readonly value: Expression; readonly optional: boolean }[]): Type {
    let all: Type | undefined;
    for (const { value, optional } of parts) {
      const type = this.type(value);
      const inside = optional ? unwrap(type) : type;
      if (inside === undefined && !isDyn(type)) this.#mismatch(value.at, optionalOf(type), type);
      const part = inside ?? type;
      if (all === undefined) all = part;
      else if (this.#inference.assigns([all], [part])) all = mostGeneral(all, part);
      else all = types.dyn;
    }
    return all ?? this.#inference.fresh();
  }

  /** Reports an error: no known type can be constructed. */
  #message({ at, name, fields }: MessageLiteral): Type {
    const type = this.#scope.variables.get(plain(name));
    if (type === undefined) return this.#undeclared(at, name);
    const isType = type.kind === 'type';
    this.#fault(at, `'${typeText(type.params[0] ?? type)}' is not a ${isType ? 'message ' : ''}type`);
    for (const one of fields) {
      this.type(one.value);
      this.#fault(
        one.at,
        isType ? `undefined field '${one.field}'` : `unexpected failed resolution of '${plain(name)}'`,
      );
    }
    return types.error;
  }

  #fold(fold: Fold): Type {
    const range = this.#inference.resolved(this.type(fold.range));
    const start = this.type(fold.start);
    const [first, second] = itemTypes(this.#inference, range, fold.second !== undefined) ?? this.#noRange(fold, range);
    const depth = this.#locals.length;
    this.#locals.push([fold.accumulator, start], [fold.variable, first]);
    if (fold.second !== undefined) this.#locals.push([fold.second, second]);
    this.#assert(fold.condition, types.bool);
    this.#assert(fold.step, start);
    this.#locals.length = depth + 1;
    const result = this.type(fold.result);
    this.#locals.length = depth;
    return this.#inference.resolved(result);
  }

  #noRange({ range: { at } }: Fold, range: Type): readonly [Type, Type] {
    const cannot = 'cannot be range of a comprehension (must be list, map, or dynamic)';
    const error = this.#fault(at, `expression of type '${typeText(range)}' ${cannot}`);
    return [error, error];
  }

  #assert(expression: Expression, expected: Type): void {
    const type = this.type(expression);
    if (!this.#inference.assigns([expected], [type])) this.#mismatch(expression.at, expected, type);
  }
}

/** Checks an expression; returns its types, or errors in cel-go's words. */
export function checkAst(expression: Expression, scope: Scope): Checked | { readonly faults: readonly Fault[] } {
  const checker = new Checker(scope);
  return withinDepth(() => {
    checker.type(expression);
    if (checker.faults.length > 0) return { faults: checker.faults };
    return { expression, types: checker.settled(), references: checker.references };
  });
}
