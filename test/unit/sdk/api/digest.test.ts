import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import { canonicalJson, digest } from '../../../../sdk/api/digest.ts';
import { aCharacter } from '../../a-character.ts';

test('the order of members and members without a value make no difference, everything else does', (t) => {
  t.is(canonicalJson({ a: 1, b: [{ c: 1, d: undefined }] }), canonicalJson({ b: [{ c: 1 }], a: 1 }));
  t.not(canonicalJson({ a: [1, 2] }), canonicalJson({ a: [2, 1] }));
  t.is(canonicalJson(undefined), 'null');
});

test('it is JSON of the same data', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: aCharacter }), (value) =>
      isDeepStrictEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value))),
    ),
  );
  t.pass();
});

test('no depth of nesting is too much: API servers take 10 000 levels', (t) => {
  const nested = (levels: number) => {
    let value: unknown = [];
    for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { b: 1, a: value };
    return value;
  };
  t.is(canonicalJson(nested(4)), '{"a":[{"a":[[]],"b":1}],"b":1}');
  const text = canonicalJson(nested(100_000));
  t.is(text.length, 50_000 * '{"a":[],"b":1}'.length + 2);
});

test('a digest is 16 hex digits, as FNV-1a says', (t) => {
  t.is(digest(''), 'cbf29ce484222325');
  t.is(digest('a'), 'af63dc4c8601ec8c');
  t.is(digest('foobar'), '85944171f73967e8');
});
