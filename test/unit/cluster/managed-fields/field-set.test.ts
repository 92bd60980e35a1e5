import test from 'ava';
import fc from 'fast-check';
import {
  difference,
  differenceBelow,
  type FieldSet,
  hasPath,
  intersection,
  isSameSet,
  pathsOf,
  setOfPaths,
  union,
} from '../../../cluster/managed-fields/field-set.ts';
import { elementText, fieldSetFrom, inOrder, keyElement } from '../../../cluster/managed-fields/path-element.ts';

const element = fc.constantFrom('f:a', 'f:b', 'f:10', 'k:{"n":1}', 'k:{"n":10}', 'k:{"n":2}', 'v:"x"', 'v:3');
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });
const set = paths.map(setOfPaths);

const textsOf = (given: FieldSet): string[] => [...pathsOf(given)].map((one) => JSON.stringify(one)).toSorted();

test('a set has the paths it was made of, each once', (t) => {
  const rule = fc.property(paths, (given) => {
    t.deepEqual(textsOf(setOfPaths(given)), [...new Set(given.map((one) => JSON.stringify(one)))].toSorted());
    for (const one of given) t.true(hasPath(setOfPaths(given), one));
  });
  fc.assert(rule);
});

test('the algebra of sets is that of their paths', (t) => {
  const rule = fc.property(set, set, (a, b) => {
    const [inA, inB] = [textsOf(a), textsOf(b)];
    t.deepEqual(textsOf(union(a, b)), [...new Set([...inA, ...inB])].toSorted());
    t.deepEqual(
      textsOf(intersection(a, b)),
      inA.filter((text) => inB.includes(text)),
    );
    t.deepEqual(
      textsOf(difference(a, b)),
      inA.filter((text) => !inB.includes(text)),
    );
    const isBelow = (text: string) => inB.some((other) => text === other || text.startsWith(`${other.slice(0, -1)},`));
    t.deepEqual(
      textsOf(differenceBelow(a, b)),
      inA.filter((text) => !isBelow(text)),
    );
  });
  fc.assert(rule);
});

test('sets with the same paths are the same, whatever they went through', (t) => {
  const rule = fc.property(set, set, (a, b) => {
    t.true(isSameSet(union(a, b), union(b, a)));
    t.true(isSameSet(union(difference(a, b), intersection(a, b)), a));
    t.is(isSameSet(a, b), JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b)));
    t.true(isSameSet(fieldSetFrom(JSON.parse(JSON.stringify(inOrder(a)))), a));
  });
  fc.assert(rule);
});

test('the wire has fields first, then keys, then values, numbers by their size', (t) => {
  const given = setOfPaths([['v:3'], ['k:{"n":10}'], ['f:b'], ['k:{"n":2}'], ['f:a', 'f:z'], ['f:a']]);
  t.is(
    JSON.stringify(inOrder(given)),
    '{"f:a":{".":{},"f:z":{}},"f:b":{},"k:{\\"n\\":2}":{},"k:{\\"n\\":10}":{},"v:3":{}}',
  );
});

test('elements are read whatever way their keys are written; unknown ones are dropped, broken ones refused', (t) => {
  t.deepEqual(fieldSetFrom({ 'k:{"b": "<", "a": 1}': { '.': {} }, 'x:1': {} }), {
    'k:{"a":1,"b":"\\u003c"}': { '.': {} },
  });
  t.is(
    keyElement([
      ['b', '<'],
      ['a', 1],
    ]),
    'k:{"a":1,"b":"\\u003c"}',
  );
  t.throws(() => fieldSetFrom({ 'k:{': {} }), { instanceOf: SyntaxError });
  t.throws(() => fieldSetFrom({ spec: {} }), { instanceOf: SyntaxError });
  t.throws(() => fieldSetFrom([]), { instanceOf: SyntaxError });
});

for (const [one, text] of [
  ['f:spec', '.spec'],
  ['k:{"name":"a","port":80}', '[name="a",port=80]'],
  ['v:"x"', '[="x"]'],
  ['v:true', '[=true]'],
  ['i:3', '[3]'],
] as const) {
  test(`messages write ${one} as ${text}`, (t) => t.is(elementText(one), text));
}
