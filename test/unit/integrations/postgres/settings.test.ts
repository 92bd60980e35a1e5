import test from 'ava';
import { asksForDatabase, databaseSettingsOf } from '../../../../integrations/postgres/settings.ts';
import { aWorkspace } from '../../a-workspace.ts';

const options = { template: 'template0', templates: ['shop'], connectionLimit: 20 };
const asking = (wish: unknown) => ({
  ...aWorkspace(),
  spec: { integrations: { 'postgres-database': wish as object } },
});

test('a workspace asks by the member of its spec alone', (t) => {
  t.true(asksForDatabase(asking({})));
  t.true(asksForDatabase(asking(null)));
  t.false(asksForDatabase({ ...aWorkspace(), spec: {} }));
  t.false(asksForDatabase({ ...aWorkspace(), spec: { integrations: { postgres: {} } } }));
});

test('what is left open is as the operator says; what is said may be less, or another template of the list', (t) => {
  t.deepEqual(databaseSettingsOf(asking({}), options), { template: 'template0', connectionLimit: 20 });
  t.deepEqual(databaseSettingsOf(asking({ template: 'shop', connectionLimit: 1 }), options), {
    template: 'shop',
    connectionLimit: 1,
  });
});

for (const [wish, message] of [
  [null, /^spec\.integrations\.postgres-database must be an object, \{\} for the defaults; found null$/],
  [[], /must be an object/],
  ['shop', /must be an object.*found "shop"$/],
  [
    { templates: 'shop' },
    /^spec\.integrations\.postgres-database\.templates is not an option; known are template, connect/,
  ],
  [{ template: 'postgres' }, /\.template must be one of template0, shop; found "postgres"$/],
  [{ template: null }, /\.template must be one of template0, shop; found null$/],
  [{ connectionLimit: 21 }, /\.connectionLimit must be a whole number from 1 to 20; found 21$/],
  [{ connectionLimit: 0 }, /from 1 to 20; found 0$/],
  [{ connectionLimit: '5' }, /from 1 to 20; found "5"$/],
  [{ connectionLimit: 1.5 }, /from 1 to 20; found 1.5$/],
] as const)
  test(`a wish that cannot be says so: ${JSON.stringify(wish)}`, (t) => {
    const mistake = databaseSettingsOf(asking(wish), options);
    t.regex(String(mistake), message);
  });

test('what a mistake quotes is bounded', (t) => {
  for (const wish of ['x'.repeat(100_000), { ['y'.repeat(100_000)]: 1 }, { template: 'z'.repeat(100_000) }])
    t.true(String(databaseSettingsOf(asking(wish), options)).length < 400);
});
