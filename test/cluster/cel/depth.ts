import type { Expression } from './expression.ts';
import type { Token } from './tokens.ts';

/** How deep expressions may be nested. */
const deepest = 250;

/** Stops at expressions that are too deep. */
export class DepthExceeded extends Error {}

/** Stops at too many expressions inside each other. */
export function checkDepth(depth: number): void {
  if (depth > deepest) throw new DepthExceeded(`expression recursion limit exceeded: ${deepest}`);
}

/** Stops at chains such as `a.b.c` or `1 + 2 + 3`, each part of which is nested in the next one, that are too long. */
export function checkLength(parts: number): void {
  if (parts > deepest) throw new DepthExceeded('max recursion depth exceeded');
}

const callOf = ({ at, kind }: Token, args: readonly Expression[]): Expression => ({
  kind: 'call',
  at,
  name: kind === 'in' ? '@in' : `_${kind}_`,
  args,
});

/** Terms as a tree of little depth, whatever their number. */
function balanced(signs: readonly Token[], terms: readonly Expression[]): Expression {
  if (terms.length === 1) return terms[0]!;
  const middle = Math.floor(signs.length / 2);
  const left = balanced(signs.slice(0, middle), terms.slice(0, middle + 1));
  return callOf(signs[middle]!, [left, balanced(signs.slice(middle + 1), terms.slice(middle + 1))]);
}

/** Terms with the binary operators between them: logic as cel-go balances it, all else from the left. */
export function chained(signs: readonly Token[], terms: readonly Expression[]): Expression {
  if (signs[0]?.kind === '&&' || signs[0]?.kind === '||') return balanced(signs, terms);
  checkLength(terms.length);
  return terms.reduce((left, right, index) => callOf(signs[index - 1]!, [left, right]));
}
