/** Resolves overloads, loop variables and fields while type-checking. */

import type { Scope } from '../scope.ts';
import { isDyn, isSame, type Type, types, typeText } from './cel-type.ts';
import type { Overload } from './declarations.ts';
import type { Inference } from './inference.ts';

/** Argument types of a call; for methods the first is the target's. */
export interface CallArguments {
  readonly given: readonly Type[];
  readonly isMethod: boolean;
}

/** Returns the overloads that accept the arguments, and their common result type; undefined when none does. */
export function chosenOverloads(
  inference: Inference,
  overloads: readonly Overload[],
  { given, isMethod }: CallArguments,
): { readonly ids: readonly string[]; readonly result: Type } | undefined {
  const ids: string[] = [];
  let result: Type | undefined;
  for (const overload of overloads) {
    if (overload.member !== isMethod) continue;
    const taken = inference.instance(overload);
    if (!inference.assigns(given, taken.args)) continue;
    ids.push(overload.id);
    const type = inference.resolved(taken.result);
    if (result === undefined) result = type;
    else if (!isDyn(result) && !isSame(type, result)) result = types.dyn;
  }
  return result && { ids, result };
}

/** Formats argument types as messages do: `(int, string)` or `string.(int)`. */
export function signature(given: readonly Type[], isMethod: boolean): string {
  const [first, ...rest] = given.map(typeText);
  return isMethod ? `${first}.(${rest.join(', ')})` : `(${given.map(typeText).join(', ')})`;
}

/** Returns the types of the variables of a loop over a range, two of them when `isPair`; undefined when the type cannot be iterated. */
export function itemTypes(inference: Inference, range: Type, isPair: boolean): readonly [Type, Type] | undefined {
  const [first, second] = range.params;
  if (range.kind === 'list') return isPair ? [types.int, first!] : [first!, types.dyn];
  if (range.kind === 'map') return [first!, second!];
  if (range.kind !== 'param' && range.kind !== 'error' && !isDyn(range)) return undefined;
  inference.assigns([types.dyn], [range]);
  return [types.dyn, types.dyn];
}

/** Returns the type of a field, or the error of selecting it. */
export function fieldIn(
  inference: Inference,
  scope: Scope,
  { target, name }: { readonly target: Type; readonly name: string },
): Type | string {
  if (target.kind === 'map') return target.params[1]!;
  if (target.kind === 'struct') {
    const fields = scope.fieldsOf(target.name);
    if (fields === undefined) return `unexpected failed resolution of '${target.name}'`;
    return fields(name) ?? `undefined field '${name}'`;
  }
  if (target.kind === 'param') inference.assigns([types.dyn], [target]);
  else if (target.kind !== 'error' && !isDyn(target))
    return `type '${typeText(target)}' does not support field selection`;
  return types.dyn;
}
