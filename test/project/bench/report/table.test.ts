import test from 'ava';
import { median, medianRatio, percentile } from './figures.ts';
import { cellText, isMet, tableText } from './table.ts';

test('figures are printed as far as they say something', (t) => {
  t.deepEqual([undefined, 'name', 3, 12_345, 1234.5, 12.34, 0.1234].map(cellText), [
    '-',
    'name',
    '3',
    '12 345',
    '1 235',
    '12.3',
    '0.12',
  ]);
});

test('a table names its rows to the left and lines its figures up to the right', (t) => {
  const table = {
    title: 'speed',
    columns: ['run', 'per s'],
    rows: [
      ['hare', 1000],
      ['tortoise', undefined],
    ],
    targets: [{ what: 'steps', value: 3, atMost: 2 }],
    notes: ['on grass'],
  };
  t.is(
    tableText(table),
    [
      'speed',
      '',
      'run       per s',
      '---------------',
      'hare      1 000',
      'tortoise      -',
      'target MISSED: steps: 3, at most 2',
      'on grass',
    ].join('\n'),
  );
});

test('a target is met by what it allows at most', (t) => {
  t.true(isMet({ what: 'memory', value: 85, atMost: 85 }));
  t.false(isMet({ what: 'memory', value: 85.1, atMost: 85 }));
});

test('a percentile is one of the values', (t) => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  t.is(percentile(values, 0.5), 50);
  t.is(percentile(values, 0.99), 99);
  t.is(percentile([7], 0.99), 7);
  t.is(percentile([], 0.5), undefined);
});

test('ratios are taken pair by pair before their median', (t) => {
  t.is(median([3, 1, 2]), 2);
  t.is(median([4, 1, 2, 3]), 2.5);
  t.throws(() => median([]), { instanceOf: RangeError });
  t.is(medianRatio([1, 20, 3], [2, 10, 6]), 0.5);
});
