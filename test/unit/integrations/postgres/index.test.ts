import test from 'ava';
import { type PostgresDatabaseOptions, postgresDatabase } from '../../../../integrations/postgres/index.ts';
import { rulesOf } from '../../../../sdk/host/index.ts';
import { conditionOf, Secret, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aHostilePostgres, speeches } from './a-hostile-postgres.ts';
import { createMemoryServer } from './a-server.ts';

const server = { host: 'db.example.com', user: 'sequencer', password: 'quite-secret' };
const spec = (wish: object) => ({ integrations: { 'postgres-database': wish } });

/** A workspace that asks for a database, at a server in memory. */
async function aDatabase(wish: object, options: Partial<PostgresDatabaseOptions> = {}) {
  const [stage, postgres] = [await aTargetCluster(), createMemoryServer()];
  const integration = postgresDatabase({ server, operations: postgres, driftInterval: 60_000, ...options });
  const actor = stage.actor([integration]);
  await stage.create(spec(wish));
  return {
    ...stage,
    stage,
    postgres,
    actor,
    integration,
    said: async () => {
      const { status, reason } = conditionOf(await stage.read(), 'Database');
      return `${status}: ${reason}`;
    },
    secret: async () => {
      const { data = {} } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-database' });
      return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, atob(value)]));
    },
    look: async () => {
      await stage.clock.advance(60_000);
      await actor.walk();
    },
  };
}

test('a workspace gets a database, and its address with the password in a Secret', async (t) => {
  const address = { host: 'db.team.svc', parameters: 'sslmode=require' };
  const { actor, said, secret, postgres, delete: remove, read } = await aDatabase({ connectionLimit: 5 }, { address });
  await actor.walk();
  t.is(await said(), 'Completed: database is there');
  const [[name, role]] = [...postgres.roles] as never as [[string, object]];
  t.like(role, { canLogin: true, connectionLimit: 5, mark: `${(await read()).metadata.uid}/Database/` });
  t.like(postgres.databases.get(name), { template: 'template0', isPublic: false, statementTimeout: 60_000 });
  const { uri, password } = await secret();
  t.is(uri, `postgresql://${name}:${password}@db.team.svc:5432/${name}?sslmode=require`);
  t.is(new URL(uri!).password, password!);
  t.deepEqual((await read()).status?.outputs?.Database, {
    values: { host: 'db.team.svc', port: '5432', database: name },
    secrets: { uri: { name: 'shop-database', key: 'uri' }, password: { name: 'shop-database', key: 'password' } },
  });
  await remove();
  await actor.walk();
  t.deepEqual([postgres.roles.size, postgres.databases.size], [0, 0]);
});

test('a database is a copy of the template that the workspace names, and stays as it is when that changes', async (t) => {
  const { client, actor, said, postgres } = await aDatabase({ template: 'shop' }, { templates: ['shop'] });
  await actor.walk();
  t.deepEqual(
    [...postgres.databases.values()].map(({ template, hasObjects }) => [template, hasObjects]),
    [['shop', true]],
  );
  const key = { namespace: 'default', name: 'shop' };
  await client.patch(Workspace, key, { type: 'merge', value: { spec: spec({ template: null }) } });
  await actor.walk();
  t.is([...postgres.databases.values()][0]?.template, 'shop');
  t.is(await said(), 'Completed: database is there');
});

test('a wish that cannot be is reported in the condition, and nothing is made or removed', async (t) => {
  const { client, actor, said, postgres } = await aDatabase({ connectionLimit: 21 });
  await actor.walk();
  const mistake = 'spec.integrations.postgres-database.connectionLimit must be a whole number from 1 to 20; found';
  t.is(await said(), `Error: ${mistake} 21`);
  t.is(postgres.roles.size, 0);
  const key = { namespace: 'default', name: 'shop' };
  const want = (connectionLimit: number) =>
    client.patch(Workspace, key, { type: 'merge', value: { spec: spec({ connectionLimit }) } });
  await want(7);
  await actor.walk();
  await want(0);
  await actor.walk();
  t.is(await said(), `Error: ${mistake} 0`);
  t.is(postgres.databases.size, 1);
});

test('what is refused halfway says why, and continues where it was', async (t) => {
  const { actor, said, postgres, secret } = await aDatabase({ template: 'shop' }, { templates: ['shop'] });
  postgres.inUse.add('shop');
  await t.throwsAsync(actor.walk());
  t.regex(
    await said(),
    /^Error: PostgreSQL says source database "shop" is being accessed by other users \(55006\); end/,
  );
  const { password } = await secret();
  postgres.inUse.clear();
  await actor.walk();
  t.is(await said(), 'Completed: database is there');
  t.is((await secret()).password, password);
});

test('a database in use stays until its connections have ended, and no other client can log in meanwhile', async (t) => {
  const { actor, said, postgres, delete: remove } = await aDatabase({});
  await actor.walk();
  const [name] = [...postgres.databases.keys()] as [string];
  postgres.inUse.add(name);
  await remove();
  await t.throwsAsync(actor.walk());
  t.regex(await said(), /^Error: PostgreSQL says database ".*" is being accessed by other users \(55006\)/);
  t.is(postgres.roles.get(name)?.canLogin, false);
  postgres.inUse.clear();
  await actor.walk();
  t.deepEqual([postgres.roles.size, postgres.databases.size], [0, 0]);
});

test('connections are ended where the operator says so', async (t) => {
  const { actor, postgres, delete: remove } = await aDatabase({}, { dropConnections: true });
  await actor.walk();
  postgres.inUse.add([...postgres.databases.keys()][0]!);
  await remove();
  await actor.walk();
  t.deepEqual([postgres.roles.size, postgres.databases.size], [0, 0]);
});

for (const [what, causeDrift] of [
  ['a dropped database', ({ databases }) => databases.clear()],
  ['a role that cannot log in', ({ roles }) => change(roles, { canLogin: false })],
  ['a role that was dropped', ({ roles }) => roles.clear()],
  ['a database that all roles can connect to', ({ databases }) => change(databases, { isPublic: true })],
  ['a database without connections', ({ databases }) => change(databases, { allowsConnections: false })],
  ['another limit', ({ roles }) => change(roles, { connectionLimit: -1 })],
  ['another timeout', ({ databases }) => change(databases, { statementTimeout: '1min' })],
] as readonly [string, (postgres: ReturnType<typeof createMemoryServer>) => void][])
  test(`corrected: ${what}`, async (t) => {
    const { actor, look, postgres, said, secret } = await aDatabase({});
    await actor.walk();
    const withoutPasswords = () => JSON.stringify([[...postgres.roles.keys()], [...postgres.databases]]);
    const before = withoutPasswords();
    causeDrift(postgres);
    t.not([...postgres.roles.values(), ...postgres.databases.values()].length, 0);
    await look();
    t.is(withoutPasswords(), before);
    t.like([...postgres.roles.values()][0], { canLogin: true, connectionLimit: 20 });
    t.is(await said(), 'Completed: database is there');
    t.true((await secret()).uri?.includes([...postgres.roles.keys()][0]!));
    t.is(actor.events.filter(({ reason }) => reason === 'Drifted').length, 1);
  });

function change<Value extends object>(map: Map<string, Value>, members: Partial<Value>): void {
  for (const [name, value] of map) map.set(name, { ...value, ...members });
}

test('a Secret that was deleted comes back with a new password: so a password is rotated', async (t) => {
  const { actor, client, look, postgres, secret } = await aDatabase({});
  await actor.walk();
  const [{ password }, verifier] = [await secret(), [...postgres.roles.values()][0]?.verifier];
  await client.delete(Secret, { namespace: 'default', name: 'shop-database' });
  await look();
  t.not((await secret()).password, password);
  t.not([...postgres.roles.values()][0]?.verifier, verifier);
});

test('what bears another mark, or none, is neither changed nor dropped', async (t) => {
  for (const mark of ['of-another/Database/', undefined]) {
    const { actor, look, postgres, said, delete: remove } = await aDatabase({});
    await actor.walk();
    change(postgres.roles, { mark });
    change(postgres.databases, { mark });
    const before = JSON.stringify([[...postgres.roles], [...postgres.databases]]);
    await t.throwsAsync(look());
    t.is(
      await said(),
      `Error: database bears the mark of ${mark ?? 'no owner'}: it is neither changed nor deleted; have its owner remove it, or ask for another name`,
    );
    await remove();
    await t.throwsAsync(actor.walk());
    t.is(JSON.stringify([[...postgres.roles], [...postgres.databases]]), before);
  }
});

test('after a change of the address the Secret has the new one, with the password as it was', async (t) => {
  const { stage, postgres, actor, secret, said } = await aDatabase({});
  await actor.walk();
  const before = await secret();
  const address = { host: 'proxy.example.com', port: 6432, parameters: 'sslmode=require' };
  const moved = stage.actor([postgresDatabase({ server, operations: postgres, address })], { holder: 'moved' });
  await moved.walk();
  const { uri, password } = await secret();
  t.is(await said(), 'Completed: database is there');
  t.is(password, before.password);
  t.is(uri, before.uri?.replace('@db.example.com:5432/', '@proxy.example.com:6432/').concat('?sslmode=require'));
  t.like((await stage.read()).status?.outputs?.Database?.values, { host: 'proxy.example.com', port: '6432' });
  const { resourceVersion } = (await stage.client.get(Secret, { namespace: 'default', name: 'shop-database' }))
    .metadata;
  await moved.walk();
  const after = await stage.client.get(Secret, { namespace: 'default', name: 'shop-database' });
  t.is(after.metadata.resourceVersion, resourceVersion);
});

test('it may write Secrets, and its password is taken out of texts', async (t) => {
  const { integration } = await aDatabase({});
  t.deepEqual(rulesOf(integration), [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch'] }]);
  t.deepEqual(integration.secrets, ['quite-secret']);
  t.deepEqual(integration.limits, { rate: 20, burst: 20 });
});

for (const [title, reason] of [
  ['an authentication that does not exist', /^PostgreSQL at .* does not answer: what the server sends cannot be read/],
  ['rows without an end', /^PostgreSQL does not answer: .*the server has sent more than/],
] as const)
  test(`a server that answers ${title} is reported in the condition, and another credential continues`, async (t) => {
    const { port, ended } = await aHostilePostgres(t, speeches[title]!);
    const { actor: other, stage, said } = await aDatabase({});
    const hostile = postgresDatabase({ server: { ...server, host: '127.0.0.1', port }, deadline: 60_000 });
    await stage.create(spec({}), 'hostile');
    const failing = stage.actor([hostile], { holder: 'hostile' });
    const [error] = await Promise.all([t.throwsAsync(failing.walk('hostile')), other.walk()]);
    t.regex(error.message, reason);
    t.true(failing.events.some(({ type, message }) => type === 'Warning' && message.includes('the server')));
    t.is(await said(), 'Completed: database is there');
    await ended();
  });
