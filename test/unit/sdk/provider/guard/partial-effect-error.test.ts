import test from 'ava';
import { DefiniteError } from '../../../../../sdk/index.ts';
import { PartialEffectError, taskErrorOf } from '../../../../../sdk/provider/guard/partial-effect-error.ts';

test('the failure of a part of an operation is its cause; any other one is itself', (t) => {
  const cause = new DefiniteError('in use');
  t.is(taskErrorOf(new PartialEffectError(cause)), cause);
  t.is(taskErrorOf(cause), cause);
  t.is(taskErrorOf(undefined), undefined);
});
