import test from 'ava';
import fc from 'fast-check';
import { canonicalJson } from '../../../../sdk/api/digest.ts';
import { copyOf, isPlainObject, isSameJson } from '../../../../sdk/api/json.ts';

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(undefined, null, 0, -0, 1, Number.NaN, '', 'a', true),
    fc.dictionary(fc.constantFrom('a', 'b', '1', '__proto__'), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

test('two values say the same just when their canonical texts do', (t) => {
  fc.assert(
    fc.property(values, values, (a, b) => t.is(isSameJson(a, b), canonicalJson(a) === canonicalJson(b))),
    {
      numRuns: 1000,
    },
  );
});

test('the order of members and members without a value make no difference, everything else does', (t) => {
  t.true(isSameJson({ a: 1, b: [{ c: 1, d: undefined }] }, { b: [{ c: 1 }], a: 1 }));
  t.false(isSameJson({ a: [1, 2] }, { a: [2, 1] }));
  t.false(isSameJson({ a: undefined }, { b: 1 }));
  t.false(isSameJson({ a: null }, {}));
  t.false(isSameJson([], {}));
});

test('a copy says the same, and whatever becomes of it the original stays', (t) => {
  const change = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const member of Object.values(value)) change(member);
    for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      const copy = copyOf(value);
      t.is(canonicalJson(copy), text);
      change(copy);
      t.is(canonicalJson(value), text);
    }),
  );
});

test('a member called __proto__ is copied like any other', (t) => {
  const value = JSON.parse('{"__proto__":{"a":[1]}}');
  t.is(JSON.stringify(copyOf(value)), '{"__proto__":{"a":[1]}}');
  t.not(Object.values(copyOf(value))[0], Object.values(value)[0]);
});

test('an object of a class is not plain', (t) => {
  t.true(isPlainObject({}));
  t.true(isPlainObject(Object.create(null)));
  t.false(isPlainObject(new Date()));
  t.false(isPlainObject(new Map()));
});
