import { paramOf, type Type } from './cel-type.ts';
import type { Overload } from './declarations.ts';
import { assigned, type Mapping, substitute } from './unify.ts';

/** What is found out of type variables while an expression is checked. */
export class Inference {
  readonly #mapping = new Map<string, Type>();
  #variables = 0;

  /** A variable of which nothing is known. */
  fresh(): Type {
    this.#variables += 1;
    return paramOf(`_var${this.#variables - 1}`);
  }

  /** A type with what is known by now. */
  resolved(type: Type): Type {
    return substitute(this.#mapping, type);
  }

  /** A type without variables: what is not known is dyn. */
  settled(type: Type): Type {
    return substitute(this.#mapping, type, true);
  }

  /** Whether the first types can be where the others are asked for; what that tells of variables is kept. */
  assigns(list: readonly Type[], others: readonly Type[]): boolean {
    const found = assigned(this.#mapping, list, others);
    for (const [name, type] of found ?? []) this.#mapping.set(name, type);
    return found !== undefined;
  }

  /** An overload with variables of its own. */
  instance({ args, result, params }: Overload): Pick<Overload, 'args' | 'result'> {
    if (params.length === 0) return { args, result };
    const own: Mapping = new Map(params.map((param) => [param, this.fresh()]));
    return { args: args.map((type) => substitute(own, type)), result: substitute(own, result) };
  }
}
