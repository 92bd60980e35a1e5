import test from 'ava';
import {
  camelOf,
  labelOf,
  mistakeInGroup,
  mistakeInKind,
  mistakeInName,
  pascalOf,
  refuseName,
} from '../../../../../sequencer/cli/scaffold/names.ts';

const none: ReadonlySet<string> = new Set();

test('a name has the forms that its files need', (t) => {
  t.deepEqual(['acme-dns', 'a', 'acme-2-dns', 'a--b'].map(pascalOf), ['AcmeDns', 'A', 'Acme2Dns', 'AB']);
  t.is(camelOf('AcmeDns'), 'acmeDns');
  t.deepEqual(['DnsZone', 'Acme DNS!', '9 lives', '---', 'ünïcode'].map(labelOf), [
    'dns-zone',
    'acme-dns',
    'lives',
    '',
    'n-code',
  ]);
});

test('a label of any text is one, or empty', (t) => {
  for (const text of ['x'.repeat(300), `${'a'.repeat(62)}-b`, '-a-', 'A_B.C', '\u0000'])
    t.true(labelOf(text) === '' || mistakeInName(labelOf(text), none) === undefined, text);
});

test('a usable name is taken', (t) => {
  for (const name of ['acme-dns', 'a', 'a1', 'x'.repeat(63)]) t.is(mistakeInName(name, none), undefined);
  for (const kind of ['Website', 'DNSZone', 'A1']) t.is(mistakeInKind(kind, none), undefined);
  for (const group of ['example.com', 'a.b', 'zones.acme-1.io']) t.is(mistakeInGroup(group), undefined);
});

const taken = new Set(['api', 'ConfigMap']);
const wrong = [
  [mistakeInName('Acme DNS', taken), /DNS label.*found "Acme DNS"/, 'did you mean acme-dns?'],
  [mistakeInName('', taken), /found ""/, 'such as acme-dns'],
  [mistakeInName('../etc', taken), /found "\.\.\/etc"/, 'did you mean etc?'],
  [mistakeInName('x'.repeat(64), taken), /found "x{60}…"/, `did you mean ${'x'.repeat(63)}?`],
  [mistakeInName('class', taken), /^class is already an identifier of the template code$/, 'such as acme-class'],
  [mistakeInName('api', taken), /^api is already an identifier/, 'such as acme-api'],
  [mistakeInKind('website', taken), /PascalCase.*found "website"/, 'did you mean Website?'],
  [mistakeInKind('ConfigMap', taken), /^ConfigMap is already an identifier/, 'such as MyConfigMap'],
  [mistakeInKind('', taken), /PascalCase.*found ""/, 'such as Website'],
  [mistakeInGroup('acme'), /domain in lower case; found "acme"/, 'such as example.com: one that you own'],
  [mistakeInGroup('Acme.io'), /found "Acme\.io"/, 'such as example.com: one that you own'],
] as const;
for (const [mistake, what, next] of wrong)
  test(`a mistake says what was expected and found, and what to do: ${what.source}`, (t) => {
    t.regex(mistake!.what, what);
    t.is(mistake!.next, next);
  });

test('a refusal names the command', (t) => {
  t.notThrows(() => refuseName('new', undefined));
  t.throws(() => refuseName('new', { what: 'a', next: 'b' }), { code: 'E#2038', message: 'sequencer new: a' });
});
