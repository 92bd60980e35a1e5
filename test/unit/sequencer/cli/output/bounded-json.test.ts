import test from 'ava';
import { boundedJson as boundedBy } from '../../../../../sequencer/cli/output/bounded-json.ts';

const boundedJson = (value: unknown) => boundedBy(value, (text) => text);

test('what is within the bounds stays as it is', (t) => {
  for (const value of [null, 1, true, '', 'a', [], {}, { a: [{ b: 'c' }, null] }, JSON.parse('{"__proto__":{"a":1}}')])
    t.deepEqual(boundedJson(value), value);
});

test('a long text is cut, and says how much is missing', (t) => {
  t.is(boundedJson('a'.repeat(20_000)), `${'a'.repeat(16_384)}… and 3616 more`);
});

test('of a long list and of an object with many members the first are kept', (t) => {
  const list = boundedJson(Array.from({ length: 50_000 }, (_, index) => index)) as readonly unknown[];
  t.is(list.length, 201);
  t.is(list.at(-1), '… and 49800 more');
  const object = boundedJson(Object.fromEntries(list.map((_, index) => [`m${index}`, index]))) as object;
  t.deepEqual(Object.entries(object).slice(199), [
    ['m199', 199],
    ['…', 'and 1 more'],
  ]);
});

test('however a value is built, it is bounded as a whole', (t) => {
  const wide = Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 'x'.repeat(5_000)));
  const named = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${'n'.repeat(5_000)}${index}`, wide]));
  for (const value of [wide, named, Array.from({ length: 200 }, () => named)])
    t.true(JSON.stringify(boundedJson(value)).length < 300_000);
});
