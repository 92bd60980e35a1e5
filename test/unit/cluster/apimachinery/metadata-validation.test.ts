import test from 'ava';
import { finalizerWarnings } from '../../../cluster/apimachinery/metadata-validation.ts';
import { excessiveGrowth, items, workOn } from '../../growth.ts';

test('the time of warnings grows as the number of finalizers', async (t) => {
  const warn = workOn(
    (size) => items(size, 8, (index) => `a/${index}`),
    (finalizers) => {
      const object = { metadata: { finalizers } };
      t.deepEqual(finalizerWarnings(object, { former: object, subresource: undefined }), []);
    },
  );
  t.is(await excessiveGrowth(warn), undefined);
});
