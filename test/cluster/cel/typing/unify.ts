/** Unifies types. */

import { visitedTypes } from '../syntax/part-limit.ts';
import { isDyn, isSame, type Type, types } from './cel-type.ts';

/** Bindings of type variables by name. */
export type Mapping = ReadonlyMap<string, Type>;

const isOpen = ({ kind }: Type): boolean => kind === 'param';
const isLoose = (type: Type): boolean => isDyn(type) || type.kind === 'error';

/** Replaces the type variables of a type; unbound ones become dyn when `closed`. */
export function substitute(mapping: Mapping, type: Type, closed = false): Type {
  if (isOpen(type)) {
    const bound = mapping.get(type.name);
    if (bound !== undefined) return substitute(mapping, bound, closed);
    return closed ? types.dyn : type;
  }
  if (type.params.length === 0) return type;
  visitedTypes.count();
  return { ...type, params: type.params.map((param) => substitute(mapping, param, closed)) };
}

/** Reports whether `a` is equal to or less specific than `b`. */
function isLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || isOpen(a)) return true;
  if (isDyn(b) || isOpen(b) || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.name !== b.name || a.params.length !== b.params.length) return false;
  if (a.params.length > 0) visitedTypes.count();
  return a.params.every((param, index) => isLessSpecific(param, b.params[index]!));
}

/** Returns the less specific of two types. */
export const mostGeneral = (a: Type, b: Type): Type => (isLessSpecific(a, b) ? a : b);

const nullable: ReadonlySet<string> = new Set(['any', 'duration', 'null', 'opaque', 'struct', 'timestamp']);

/** Attempt to unify types; its bindings are dropped when it fails. */
class Attempt {
  /** Bindings of this attempt. */
  readonly bound = new Map<string, Type>();
  readonly #known: Mapping;

  constructor(known: Mapping) {
    this.#known = known;
  }

  #boundTo({ name }: Type): Type | undefined {
    return this.bound.get(name) ?? this.#known.get(name);
  }

  #occursIn(name: Type, within: Type): boolean {
    if (within.params.length > 0) visitedTypes.count();
    if (isSame(name, within)) return true;
    if (!isOpen(within)) return within.params.some((param) => this.#occursIn(name, param));
    const bound = this.#boundTo(within);
    return bound !== undefined && this.#occursIn(name, bound);
  }

  /** Reports whether `variable` can be bound to `type`; undefined when it is already bound to another. */
  #binds(type: Type, variable: Type): boolean | undefined {
    if (isSame(type, variable)) return true;
    const known = this.#boundTo(variable);
    if (known === undefined) {
      if (this.#occursIn(variable, type)) return false;
      this.bound.set(variable.name, type);
      return true;
    }
    if (isSame(type, known)) return true;
    if (!this.assigns(type, known)) return undefined;
    const general = mostGeneral(type, known);
    if (!this.#occursIn(variable, general)) this.bound.set(variable.name, general);
    return true;
  }

  /** Reports whether type `a` is assignable to `b`. */
  assigns(a: Type, b: Type): boolean {
    if (isOpen(b)) {
      const fits = this.#binds(a, b);
      if (fits !== false) return fits === true;
    }
    return isOpen(a) ? this.#binds(b, a) === true : this.#assignsBound(a, b);
  }

  /** Reports whether type `a` is assignable to `b`; neither is a variable that can still be bound. */
  #assignsBound(a: Type, b: Type): boolean {
    if (a === b || isLoose(a) || isLoose(b)) return true;
    if (a.params.length > 0) visitedTypes.count();
    if (a.kind === 'null') return nullable.has(b.kind);
    if (b.kind === 'null') return nullable.has(a.kind);
    if (a.kind === 'type') return b.kind === 'type';
    return a.kind === b.kind && a.name === b.name && this.assignsAll(a.params, b.params);
  }

  assignsAll(list: readonly Type[], others: readonly Type[]): boolean {
    return list.length === others.length && list.every((type, index) => this.assigns(type, others[index]!));
  }
}

/** Returns the additional bindings under which types are assignable to others; undefined when they are not. */
export function unifyTypes(mapping: Mapping, list: readonly Type[], others: readonly Type[]): Mapping | undefined {
  const attempt = new Attempt(mapping);
  return attempt.assignsAll(list, others) ? attempt.bound : undefined;
}
