import test from 'ava';
import { asksForHook, namesAsked, patternIn, settingsReader } from '../../../../integrations/http/settings.ts';
import type { Workspace } from '../../../../sdk/index.ts';

const workspace = (wish: unknown, outputs = {}): Workspace =>
  ({ spec: { integrations: { box: wish } }, status: { outputs } }) as unknown as Workspace;
const one = { name: 'box', several: false, schema: undefined };
const schema = { type: 'object', properties: { size: { type: 'integer', maximum: 9 } }, additionalProperties: false };

test('a workspace asks by the member of that name', (t) => {
  t.true(asksForHook('box', workspace({})));
  t.false(asksForHook('crate', workspace({})));
  t.false(asksForHook('toString', workspace({})));
});

test('names are those of things that have one', (t) => {
  t.deepEqual(namesAsked('box', workspace([{ name: 'left' }, { name: 7 }, null, 'right', { name: 'third' }])), [
    'left',
    'third',
  ]);
  t.deepEqual(namesAsked('box', workspace({ name: 'left' })), []);
  t.deepEqual(namesAsked('crate', workspace([])), []);
  t.is(namesAsked('box', workspace(Array.from({ length: 99 }, (_, nth) => ({ name: `n${nth}` })))).length, 32);
});

test('outputs that are named are put in', async (t) => {
  const asked = workspace({ host: '${outputs::Database.host}' }, { Database: { values: { host: 'db.example' } } });
  t.deepEqual(await settingsReader(one)(asked), [{ host: 'db.example' }]);
});

for (const [what, wish, message] of [
  ['no object', 'big', /^spec\.integrations\.box must be an object, \{\}/],
  ['a list', [1], /must be an object/],
  ['more than is bounded', { text: 'x'.repeat(70_000) }, /at most 65536 characters as JSON; found 70011/],
  [
    'a member of another type',
    { size: 'big' },
    /spec\.integrations\.box is not as its schema says: size: .*expected number/,
  ],
  ['an unknown member', { sise: 1 }, /is not as its schema says: .*"sise"/],
  ['an output that is not there', { size: '${outputs::Database.host}' }, /spec\.integrations\.box: .*is not there yet/],
] as const)
  test(`${what} is reported with its field`, async (t) => {
    const told = await settingsReader({ ...one, schema })(workspace(wish));
    t.regex(String(told), message);
  });

test('of several things each is checked without its name', async (t) => {
  const things = [{ name: 'left', size: 1 }, { name: 'right' }];
  t.deepEqual(await settingsReader({ ...one, several: true, schema })(workspace(things)), things);
  t.deepEqual(await settingsReader({ ...one, several: true, schema })(workspace([])), []);
});

for (const [what, wish, message] of [
  [
    'no list',
    { name: 'left' },
    /^spec\.integrations\.box must be a list of up to 32 external objects, each with a name$/,
  ],
  [
    'more of them',
    Array.from({ length: 33 }, (_, nth) => ({ name: `n${nth}` })),
    /a list of up to 32 external objects/,
  ],
  ['no object', ['left'], /box\[0\]\.name must be a DNS label/],
  ['no name', [{ name: 'left' }, {}], /box\[1\]\.name must be a DNS label/],
  ['a name in capitals', [{ name: 'Left' }], /box\[0\]\.name must be a DNS label .* 63 characters at most/],
  ['a name twice', [{ name: 'left' }, { name: 'left' }], /box\[1\]\.name: left is there already/],
  ['another type', [{ name: 'left' }, { name: 'right', size: 'big' }], /box\[1\] is not as its schema says: size: /],
  ['more than is bounded', [{ name: 'left', text: 'x'.repeat(70_000) }], /at most 65536 characters as JSON; found/],
] as const)
  test(`several things: ${what} is reported with its field`, async (t) => {
    t.regex(String(await settingsReader({ ...one, several: true, schema })(workspace(wish))), message);
  });

test('a schema that is none is reported, and is no reason to stop', async (t) => {
  t.regex(String(await settingsReader({ ...one, schema: { $ref: '#/$defs/none' } })(workspace({}))), /option schema/);
});

test('patterns are found wherever they are, and members of that name are none', (t) => {
  t.is(patternIn({ items: [{ pattern: '^a' }] }), 'items.0.pattern');
  t.is(patternIn({ patternProperties: {} }), 'patternProperties');
  t.is(patternIn({ properties: { pattern: { type: 'string' } } }), undefined);
});
