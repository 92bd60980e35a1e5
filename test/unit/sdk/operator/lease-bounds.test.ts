import test from 'ava';
import { nextTransitions } from '../../../../sdk/operator/lease-bounds.ts';

test('transitions stay an int32', (t) => {
  t.deepEqual([undefined, 0, 2 ** 31 - 2, 2 ** 31 - 1].map(nextTransitions), [1, 1, 2 ** 31 - 1, 0]);
});
