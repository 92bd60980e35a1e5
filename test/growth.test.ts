import test from 'ava';
import { excessiveGrowth, items, repeated } from './growth.ts';

test('what looks at each item once grows as its input', (t) => {
  const work = (list: readonly number[]) => new Set(list).size;
  t.is(
    excessiveGrowth((size) => items(size, 4, (index) => index), work),
    undefined,
  );
});

test('what copies all items for each item is found out', (t) => {
  const work = (list: readonly number[]) => list.reduce<number[]>((all, one) => all.concat(one), []);
  t.regex(
    excessiveGrowth((size) => items(size, 64, (index) => index), work) ?? '',
    /^\d+ times the input took [\d.]+ times as long$/,
  );
});

test('an expression that begins anew at each place is found out', (t) => {
  const work = (text: string) => text.replaceAll(/\$\{a::([^}]*)\}/g, '');
  t.truthy(excessiveGrowth((size) => repeated('${a::', size / 16), work));
});
