/** Type inference: substitution of type variables. */

import { visitedTypes } from '../syntax/part-limit.ts';
import { paramOf, type Type } from './cel-type.ts';
import type { Overload } from './declarations.ts';
import { type Mapping, substitute, unifyTypes } from './unify.ts';

/** Type variables of an expression while it is checked. */
export class Inference {
  readonly #mapping = new Map<string, Type>();
  #variables = 0;

  constructor() {
    visitedTypes.start();
  }

  /** Creates an unbound type variable. */
  fresh(): Type {
    this.#variables += 1;
    return paramOf(`_var${this.#variables - 1}`);
  }

  /** Returns a type with its bound variables replaced. */
  resolved(type: Type): Type {
    return substitute(this.#mapping, type);
  }

  /** Returns a type without variables: unbound ones become dyn. */
  settled(type: Type): Type {
    return substitute(this.#mapping, type, true);
  }

  /** Reports whether types are assignable to others, and keeps the bindings. */
  assigns(list: readonly Type[], others: readonly Type[]): boolean {
    const found = unifyTypes(this.#mapping, list, others);
    for (const [name, type] of found ?? []) this.#mapping.set(name, type);
    return found !== undefined;
  }

  /** Instantiates an overload with fresh type variables. */
  instance({ args, result, params }: Overload): Pick<Overload, 'args' | 'result'> {
    if (params.length === 0) return { args, result };
    const own: Mapping = new Map(params.map((param) => [param, this.fresh()]));
    return { args: args.map((type) => substitute(own, type)), result: substitute(own, result) };
  }
}
