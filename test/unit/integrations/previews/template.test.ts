import test from 'ava';
import fc from 'fast-check';
import { mistakeInReferences, slugOf, withValues } from '../../../../integrations/previews/template.ts';
import { aCharacter } from '../../a-character.ts';

const values = { number: '7', sha: 'f'.repeat(40), branch: 'main', repository: 'acme/shop' };

test('references in texts are replaced, however deep; other texts, names of members and references of others stay', (t) => {
  const value = {
    list: ['a ${pr::number}/${pr::branch}', 1, null],
    '${pr::number}': '${outputs::DNS.host}',
    deep: { image: 'x:${pr::sha}' },
  };
  t.deepEqual(withValues(value, values), {
    list: ['a 7/main', 1, null],
    '${pr::number}': '${outputs::DNS.host}',
    deep: { image: `x:${values.sha}` },
  } as never);
});

test('what is put in is not looked at again', (t) => {
  t.is(withValues('${pr::branch}', { ...values, branch: '${pr::sha}' }), '${pr::sha}');
});

for (const [what, value, mistake] of [
  ['an unknown reference', { spec: { a: [{ b: 'x ${pr::title}' }] } }, 'spec.a[0].b: ${pr::title} is not a reference'],
  ['an unclosed one', { a: '${pr::number' }, 'a: ${pr::number is not a reference'],
  [
    'one in the name of a member',
    { a: { '${pr::number}': 1 } },
    'a.${pr::number}: ${pr::number} is in the name of a member',
  ],
  ['one with a name of every object', { a: '${pr::constructor}' }, 'a: ${pr::constructor} is not a reference'],
] as const)
  test(`${what} is reported with its path`, (t) => {
    t.true(mistakeInReferences(value)?.startsWith(mistake), mistakeInReferences(value));
  });

test('a template without mistakes has none', (t) => {
  t.is(mistakeInReferences({ a: '${pr::number} ${pr::sha} ${pr::branch} ${pr::repository} $${x}' }), undefined);
});

test('a slug is part of a DNS label, for any text', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: aCharacter, maxLength: 400 }), (text) =>
      /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(slugOf(text)),
    ),
  );
  t.deepEqual(['feature/Login', '--x--', 'a'.repeat(300)].map(slugOf), ['feature-login', 'x', 'a'.repeat(40)]);
  t.regex(slugOf('ü'), /^[0-9a-f]{12}$/);
  t.not(slugOf('ü'), slugOf('ö'));
});

test('a hostile branch takes linear time', (t) => {
  const text = '-'.repeat(2 ** 20);
  t.regex(slugOf(text), /^[0-9a-f]{12}$/);
  t.is(withValues('${pr::'.repeat(2 ** 16), values), '${pr::'.repeat(2 ** 16));
});
