import test from 'ava';
import { mistakeText, verdictOn } from '../../../../sequencer/admission/verdict.ts';

test('mistakes refuse unless they were there before', (t) => {
  const [old, fresh] = [
    { field: 'spec.a', message: 'is wrong' },
    { field: 'spec.b', message: 'is wrong' },
  ];
  t.deepEqual(verdictOn([old, fresh], [old]), { errors: [fresh], warnings: [mistakeText(old)] });
  t.deepEqual(verdictOn([], [old]), { errors: [], warnings: [] });
});
