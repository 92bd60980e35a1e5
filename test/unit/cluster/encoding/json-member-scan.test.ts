import test from 'ava';
import { emptyScan, repeatsMembers, scanJson } from '../../../cluster/encoding/json-member-scan.ts';

const read = (text: string) => scanJson(text, JSON.parse(text));

test('repeated members are found at every depth, in the order of the text', (t) => {
  const { members } = read('{"a":{"b":1,"c":2,"b":3},"l":[{"x":1},{"x":1,"x":2}],"a":1}');
  t.deepEqual(
    members.filter(({ isRepeated }) => isRepeated).map(({ path }) => path),
    ['a.b', 'l[1].x', 'a'],
  );
  t.deepEqual(
    members.map(({ path }) => path),
    ['a', 'a.b', 'a.c', 'a.b', 'l', 'l[0].x', 'l[1].x', 'l[1].x', 'a'],
  );
});

test('members of the same path are no repetition', (t) => {
  t.false(repeatsMembers('{"a.b":1,"a":{"b":2}}', { 'a.b': 1, a: { b: 2 } }));
});

test('numbers are reported with fractions, exponents and many digits, by path', (t) => {
  const { numbers } = read('{"a":1.0,"b":[1,2e2, -3.5],"c":9007199254740993,"d":7,"e":"1.5","f":"[1.5,\\"x\\":2.5"}');
  t.deepEqual(
    [...numbers],
    [
      ['a', '1.0'],
      ['b[1]', '2e2'],
      ['b[2]', '-3.5'],
      ['c', '9007199254740993'],
    ],
  );
});

test('of a repeated number the last one counts', (t) => {
  t.deepEqual([...read('{"a":1.0,"a":2}').numbers], []);
});

test('texts with neither are not walked', (t) => {
  t.is(read('{"a":1,"image":"x:1.25","t":"a 1.2.3, b"}'), emptyScan);
});

test('deep texts are walked without recursion', (t) => {
  const levels = 100_000;
  const text = `${'{"a":['.repeat(levels)}1.5${']}'.repeat(levels)}`;
  t.is(scanJson(text, undefined).numbers.size, 1);
});
