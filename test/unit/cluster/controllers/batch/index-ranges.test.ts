import test from 'ava';
import { IndexRanges } from '../../../../cluster/controllers/batch/index-ranges.ts';

const endless = IndexRanges.parse('0-2147483646');

test('indexes are written as ranges', (t) => {
  for (const text of ['', '0', '0,1', '0-2', '0-2,4,7-9']) t.is(String(IndexRanges.parse(text)), text);
});

test('indexes are added to the ranges that they touch', (t) => {
  t.is(String(IndexRanges.parse('0-2,4,9').with([3, 7, 0])), '0-4,7,9');
  t.is(String(IndexRanges.parse('4').with([])), '4');
});

test('a set tells what it contains, up to where, and how much of another one', (t) => {
  const some = IndexRanges.parse('1-3,7');
  t.deepEqual(
    [0, 1, 3, 4, 7, 8].map((index) => some.endOfRange(index)),
    [undefined, 3, 3, undefined, 7, undefined],
  );
  t.is(some.size, 4);
  t.is(some.countIn(IndexRanges.parse('0,2-5,7-9')), 3);
  t.is(String(some.below(3)), '1,2');
});

test('two billion indexes take no more work than one', (t) => {
  t.is(endless.size, 2_147_483_647);
  t.is(endless.countIn(IndexRanges.parse('5,1000000000')), 2);
  t.is(String(endless.with([7])), '0-2147483646');
  t.is(endless.endOfRange(12), 2_147_483_646);
});
