/** Limits on the depth of expressions. */

import type { Expression } from './expression.ts';
import { type Fault, nowhere } from './expression-errors.ts';
import type { Token } from './tokens.ts';

/** Limit of nested expressions. */
const maxDepth = 250;

/** Error for a too deeply nested expression. */
export class DepthExceeded extends Error {}

/** Returns a result, or the fault of a too deeply nested expression. */
export function withinDepth<T>(make: () => T): T | { readonly faults: readonly Fault[] } {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DepthExceeded)) throw error;
    return { faults: [{ at: nowhere, message: error.message }] };
  }
}

/** Checks the nesting depth. Throws a DepthExceeded. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw new DepthExceeded(`expression recursion limit exceeded: ${maxDepth}`);
}

/** Checks the length of chains such as `a.b.c` or `1 + 2 + 3`, each part of which is nested in the next. Throws a DepthExceeded. */
export function checkLength(parts: number): void {
  if (parts > maxDepth) throw new DepthExceeded('max recursion depth exceeded');
}

const callOf = ({ at, kind }: Token, args: readonly Expression[]): Expression => ({
  kind: 'call',
  at,
  name: kind === 'in' ? '@in' : `_${kind}_`,
  args,
});

/** Builds a balanced tree of terms. */
function balancedTree(signs: readonly Token[], terms: readonly Expression[]): Expression {
  if (terms.length === 1) return terms[0]!;
  const middle = Math.floor(signs.length / 2);
  const left = balancedTree(signs.slice(0, middle), terms.slice(0, middle + 1));
  return callOf(signs[middle]!, [left, balancedTree(signs.slice(middle + 1), terms.slice(middle + 1))]);
}

/** Builds a chain of binary operators: balanced for logic, as in cel-go, left-associative otherwise. */
export function operatorChain(signs: readonly Token[], terms: readonly Expression[]): Expression {
  if (signs[0]?.kind === '&&' || signs[0]?.kind === '||') return balancedTree(signs, terms);
  checkLength(terms.length);
  return terms.reduce((left, right, index) => callOf(signs[index - 1]!, [left, right]));
}
