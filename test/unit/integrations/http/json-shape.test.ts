import test from 'ava';
import { jsonShape } from '../../../../integrations/http/json-shape.ts';

const schema = {
  type: 'object',
  required: ['size'],
  additionalProperties: false,
  properties: {
    size: { type: 'integer', minimum: 1 },
    of: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] },
  },
};

for (const [what, value, mistake] of [
  ['a valid value', { size: 1, of: null }, undefined],
  ['a missing member', {}, /^size: .*expected/],
  ['an unknown member', { size: 1, sise: 2 }, /"sise"/],
  ['a member of a member', { size: 1, of: { a: 1 } }, /^of\.a: .*expected string, received number/],
  ['a value of none of its shapes', { size: 1, of: 3 }, /^of: .*expected object, received number/],
  ['no object', [1], /expected object, received array/],
] as const)
  test(`${what} is reported in few words`, async (t) => {
    const told = (await jsonShape(schema))(value);
    if (mistake === undefined) t.is(told, undefined);
    else t.regex(told ?? '', mistake);
  });

test('many mistakes are reported as few', async (t) => {
  const mistakeIn = await jsonShape({ type: 'object', additionalProperties: { type: 'string' } });
  const told = mistakeIn(Object.fromEntries(Array.from({ length: 5000 }, (_, nth) => [`member-${nth}`, nth]))) ?? '';
  t.is(told.split(';').length, 3);
  t.true(told.length <= 300);
});
