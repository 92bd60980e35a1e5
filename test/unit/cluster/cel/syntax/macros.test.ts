import test from 'ava';
import type { Expression } from '../../../../cluster/cel/syntax/expression.ts';
import { expandMacro } from '../../../../cluster/cel/syntax/macros.ts';

const ident = (name: string): Expression => ({ kind: 'ident', at: 0, name }) as Expression;

test('a macro is a method: a function of that name with a leading dot is none', (t) => {
  const args = [ident('i'), ident('self')];
  t.is(expandMacro('all', { at: 0, target: ident('list'), args }).kind, 'fold');
  for (const name of ['.all', '.exists', 'all'])
    t.is(expandMacro(name, { at: 0, target: undefined, args }).kind, 'call');
});
