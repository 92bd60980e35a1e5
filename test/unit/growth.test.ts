import test from 'ava';
import { excessiveGrowth, items, repeated, workOn } from './growth.ts';

const indexes = (size: number) => items(size, 4, (index) => index);
const found = /^one input took [\d.]+ times as long as the same in 64 parts$/;

test('what looks at each item once grows as its input', async (t) => {
  t.is(await excessiveGrowth(workOn(indexes, (list) => new Set(list).size)), undefined);
});

test('what copies all items for each item is found out', async (t) => {
  const work = (list: readonly number[]) => list.reduce<number[]>((all, one) => all.concat(one), []);
  t.regex((await excessiveGrowth(workOn(indexes, work), { size: 1 << 16 })) ?? '', found);
});

test('an expression that begins anew at each place is found out', async (t) => {
  const work = (text: string) => text.replaceAll(/\$\{a::([^}]*)\}/g, '');
  const make = (size: number) => repeated('${a::', size);
  t.regex((await excessiveGrowth(workOn(make, work), { size: 1 << 16 })) ?? '', found);
});

test('what looks through all items for each item is found out, beside a fixed cost', async (t) => {
  const work = (list: readonly number[]) => {
    new Set(Array.from({ length: 1000 }, (_, index) => index));
    return list.filter((item) => list.lastIndexOf(item) < 0).length;
  };
  const growth = await excessiveGrowth(workOn(indexes, work), { size: 1 << 17, shares: 16 });
  t.regex(growth ?? '', /in 16 parts$/);
});
