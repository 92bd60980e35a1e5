import test from 'ava';
import { mergeApplied } from '../../../cluster/managed-fields/merge.ts';
import type { MergeType } from '../../../cluster/managed-fields/merge-type.ts';
import { excessiveGrowth, items, workOn } from '../../growth.ts';

const set: MergeType = { list: { relation: 'set', keys: [], of: () => ({ scalar: 'string' }) } };
const type: MergeType = { map: { atomic: false, field: () => ({ type: set }), others: undefined, isFree: false } };

test('the time of a merge grows as the number of items', async (t) => {
  const merge = workOn(
    (size) => items(size, 8, (index) => `item ${index}`),
    (list) => t.deepEqual(Object.keys(mergeApplied(type, { list }, { list: [...list] })), ['list']),
  );
  t.is(await excessiveGrowth(merge, { size: 1 << 22 }), undefined);
});
