import test from 'ava';
import { scrollTo, visibleRange } from '../../../../../../sequencer/page/browser/model/visible-range.ts';

test('of 2 000 rows those in sight are drawn, and some around them', (t) => {
  t.deepEqual(visibleRange(2000, { top: 0, height: 600, rowHeight: 60 }), { first: 0, end: 22 });
  t.deepEqual(visibleRange(2000, { top: 60_000, height: 600, rowHeight: 60 }), { first: 988, end: 1022 });
  t.deepEqual(visibleRange(2000, { top: 119_400, height: 600, rowHeight: 60 }), { first: 1978, end: 2000 });
  t.deepEqual(visibleRange(0, { top: 500, height: 600, rowHeight: 60 }), { first: 0, end: 0 });
  t.deepEqual(visibleRange(3, { top: 9000, height: 600, rowHeight: 60 }), { first: 3, end: 3 });
});

test('a row out of sight is scrolled to, just far enough', (t) => {
  const place = { top: 600, height: 600, rowHeight: 60 };
  t.is(scrollTo(12, place), undefined);
  t.is(scrollTo(9, place), 540);
  t.is(scrollTo(20, place), 660);
});
