import test from 'ava';
import { excerpt } from '../../../../integrations/components/validation-result.ts';

test('a message repeats 140 characters of a text at most', (t) => {
  t.is(excerpt('short'), 'short');
  t.is(excerpt('x'.repeat(140)), 'x'.repeat(140));
  t.is(excerpt('x'.repeat(141)), `${'x'.repeat(140)}…`);
});
