import test from 'ava';
import { ListMap } from '../../../../../sdk/operator/engine/list-map.ts';

test('GRAF-T23: items are removed by what they are, in order, as many as asked for', (t) => {
  const map = new ListMap<string, number>();
  map.addItem('a', 1, 2, 3);
  const isOdd = (n: number) => n % 2 === 1;
  t.is(map.removeItems('a', isOdd, 1), 1);
  t.deepEqual(map.items('a'), [2, 3]);
  map.addItem('a', 5, 7);
  t.is(map.removeItems('a', isOdd), 3);
  t.deepEqual(map.items('a'), [2]);
  t.false(map.removeItem('a', isOdd));
  t.false(map.removeItem('unknown', isOdd));
  t.true(map.removeItem('a', () => true));
  t.is(map.keySize('a'), 0);
  t.is(map.keySize('unknown'), 0);
});

test('GRAF-T23: removing while ranging skips nothing', (t) => {
  const map = new ListMap<string, number>();
  map.addItem('a', 1, 2, 3);
  map.addItem('b', 4);
  const seen: string[] = [];
  map.rangeAll((key, index, value) => {
    seen.push(`${key}${index}${value}`);
    map.removeItem('a', (item) => item === value);
    if (value === 1) map.addItem('a', 9);
  });
  t.deepEqual(seen, ['a01', 'a12', 'a23', 'b04']);
  t.deepEqual(map.items('a'), [9]);
});

test('places, keys and sizes', (t) => {
  const map = new ListMap<string, number>();
  map.addItem('a', 1, 2, 3);
  map.addItem('b', 4);
  t.deepEqual([map.itemAt('a', 1), map.itemAt('a', 9), map.itemAt('c', 0)], [2, undefined, undefined]);
  t.deepEqual([map.size, map.keys()], [2, ['a', 'b']]);
  map.removeItemAt('a', 1);
  for (const nowhere of [-1, 7]) map.removeItemAt('a', nowhere);
  map.removeItemAt('c', 0);
  t.deepEqual(map.items('a'), [1, 3]);
  map.removeKey('a');
  t.deepEqual(map.keys(), ['b']);
});

test('GRAF-T23: a hundred thousand keys that came and went leave nothing', (t) => {
  const map = new ListMap<number, string>();
  for (let i = 0; i < 100_000; i += 1) map.addItem(i, 'x');
  t.is(map.size, 100_000);
  for (let i = 0; i < 100_000; i += 1) map.removeItem(i, () => true);
  t.is(map.size, 0);
});
