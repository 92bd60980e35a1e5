import test from 'ava';
import fc from 'fast-check';
import { SortedKeys } from '../../../cluster/storage/sorted-keys.ts';

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/'), maxLength: 6 });
const between = (keys: readonly string[], first: string, stop: string) =>
  keys.filter((one) => one >= first && one < stop);

test('keys come and go, and are always in order', (t) => {
  const step = fc.record({ key, isAdded: fc.boolean() });
  const holds = fc.property(fc.array(step, { maxLength: 200 }), key, key, (steps, first, stop) => {
    const keys = new SortedKeys();
    const model = new Set<string>();
    for (const { key: one, isAdded } of steps) {
      if (isAdded === model.has(one)) continue;
      if (isAdded) keys.add(one);
      else keys.delete(one);
      model[isAdded ? 'add' : 'delete'](one);
    }
    const sorted = [...model].sort();
    t.deepEqual(keys.all(), sorted);
    t.is(keys.size, sorted.length);
    t.is(keys.rank(first), sorted.filter((one) => one < first).length);
    t.deepEqual([...keys.between(first, stop)], between(sorted, first, stop));
  });
  fc.assert(holds, { seed: 1, numRuns: 100 });
});

test('thousands of keys in any order make many blocks, which empty again', (t) => {
  const names = Array.from({ length: 5_000 }, (_, index) => `n/${(index * 7_919) % 5_000}`);
  const sorted = [...names].sort();
  const keys = new SortedKeys(sorted.slice(0, 1_000));
  for (const name of names) if (!sorted.slice(0, 1_000).includes(name)) keys.add(name);
  t.deepEqual(keys.all(), sorted);
  t.is(keys.rank('n/2500'), sorted.indexOf('n/2500'));
  t.deepEqual([...keys.between('n/24', 'n/26')], between(sorted, 'n/24', 'n/26'));
  for (const name of names.slice(1)) keys.delete(name);
  t.deepEqual(keys.all(), ['n/0']);
  keys.delete('n/0');
  t.deepEqual([...keys.between('', '~')], []);
});
