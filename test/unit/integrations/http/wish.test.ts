import test from 'ava';
import { asksForHook, patternIn, wishesOf } from '../../../../integrations/http/wish.ts';
import type { Workspace } from '../../../../sdk/index.ts';

const workspace = (wish: unknown, outputs = {}): Workspace =>
  ({ spec: { integrations: { box: wish } }, status: { outputs } }) as unknown as Workspace;
const schema = { type: 'object', properties: { size: { type: 'integer', maximum: 9 } }, additionalProperties: false };

test('a workspace asks by the member of that name', (t) => {
  t.true(asksForHook('box', workspace({})));
  t.false(asksForHook('crate', workspace({})));
  t.false(asksForHook('toString', workspace({})));
});

test('outputs that are named are put in', async (t) => {
  const asked = workspace({ host: '${outputs::Database.host}' }, { Database: { values: { host: 'db.example' } } });
  t.deepEqual(await wishesOf('box', undefined)(asked), { host: 'db.example' });
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
  test(`${what} is told with its field`, async (t) => {
    const told = await wishesOf('box', schema)(workspace(wish));
    t.regex(String(told), message);
  });

test('a schema that is none is told, and is no reason to stop', async (t) => {
  t.regex(String(await wishesOf('box', { $ref: '#/$defs/none' })(workspace({}))), /option schema/);
});

test('patterns are found wherever they are, and members of that name are none', (t) => {
  t.is(patternIn({ items: [{ pattern: '^a' }] }), 'items.0.pattern');
  t.is(patternIn({ patternProperties: {} }), 'patternProperties');
  t.is(patternIn({ properties: { pattern: { type: 'string' } } }), undefined);
});
