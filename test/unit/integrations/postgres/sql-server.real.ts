import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { connectionsTo } from '../../../../integrations/postgres/connection.ts';
import { newPassword, scramVerifier } from '../../../../integrations/postgres/scram.ts';
import type { PostgresServer } from '../../../../integrations/postgres/server.ts';
import { sqlServer } from '../../../../integrations/postgres/sql-server.ts';
import { startRealServer } from './a-real-server.ts';

const { postgres, address, empty } = await startRealServer();
test.after.always('the server stops', () => postgres.close());
test.beforeEach(empty);

const { signal } = new AbortController();
const server = sqlServer(connectionsTo(address, 15_000));
const askOf = (name: string, mark = `${name}/Database/`) => ({ name, mark, signal });

/** Makes a database as the integration does, and connects to it as its role. */
async function make(name: string, template = 'template0', on: PostgresServer = server): Promise<string> {
  const [ask, password] = [askOf(name), newPassword()];
  await on.createRole({ ...ask, verifier: scramVerifier(password), connectionLimit: 3 });
  await on.createDatabase({ ...ask, template });
  await on.handOver({ ...ask, statementTimeout: 45_000 });
  await on.giveObjects(ask);
  await on.openRole({ ...ask, connectionLimit: 3 });
  return password;
}

/** Connects as a role, to the database of that name unless another is given. */
async function connect(
  t: ExecutionContext,
  login: { readonly user: string; readonly password: string; readonly database?: string },
): Promise<pg.Client> {
  const { host, port } = postgres;
  const client = new pg.Client({ host, port, database: login.user, ssl: false, ...login });
  client.on('error', () => {});
  t.teardown(() => client.end());
  await client.connect();
  return client;
}

test.serial('a role uses its own database, with its limits, and no other', async (t) => {
  const [one, other] = [await make('ws_one'), await make('ws_other')];
  const client = await connect(t, { user: 'ws_one', password: one });
  await client.query('CREATE TABLE cart (id int); CREATE SCHEMA more; CREATE EXTENSION pgcrypto');
  t.deepEqual((await client.query('SHOW statement_timeout')).rows, [{ statement_timeout: '45s' }]);
  await t.throwsAsync(connect(t, { user: 'ws_one', password: other }), { message: /password authentication failed/ });
  await t.throwsAsync(connect(t, { user: 'ws_one', password: one, database: 'ws_other' }), {
    message: /permission denied for database "ws_other"/,
  });
  await t.throwsAsync(connect(t, { user: 'ws_one', password: one, database: 'postgres' }), {
    message: /permission denied for database "postgres"/,
  });
  await connect(t, { user: 'ws_one', password: one });
  await connect(t, { user: 'ws_one', password: one });
  await t.throwsAsync(connect(t, { user: 'ws_one', password: one }), { message: /too many connections for role/ });
});

test.serial('a role cannot remove its database, its mark, its limits or its isolation', async (t) => {
  const client = await connect(t, { user: 'ws_one', password: await make('ws_one') });
  for (const statement of [
    `COMMENT ON DATABASE ws_one IS 'of another'`,
    `COMMENT ON ROLE ws_one IS 'of another'`,
    'ALTER DATABASE ws_one RENAME TO mine',
    'ALTER DATABASE ws_one OWNER TO ws_one',
    'ALTER DATABASE ws_one SET statement_timeout = 0',
    'ALTER ROLE ws_one CONNECTION LIMIT 100',
    'ALTER ROLE ws_one CREATEDB',
    'CREATE DATABASE ws_more',
    'DROP DATABASE ws_one',
  ])
    await t.throwsAsync(
      client.query(statement),
      { message: /must (be|have)|permission denied|cannot drop the currently/ },
      statement,
    );
  await client.query('GRANT CONNECT ON DATABASE ws_one TO PUBLIC'); // a warning: nothing is granted
  t.like((await server.read({ name: 'ws_one', signal })).database, { isPublic: false, mark: 'ws_one/Database/' });
});

test.serial('what a template holds belongs to the role of the copy, and the template keeps its owner', async (t) => {
  t.teardown(() => postgres.sql('DROP DATABASE shop'));
  await postgres.sql('CREATE DATABASE shop OWNER sequencer');
  await postgres.sql('ALTER DATABASE shop IS_TEMPLATE true');
  t.teardown(() => postgres.sql('ALTER DATABASE shop IS_TEMPLATE false'));
  await postgres.sql('CREATE EXTENSION pgcrypto', 'shop');
  for (const statement of [
    'GRANT CREATE ON SCHEMA public TO sequencer',
    'SET ROLE sequencer',
    "CREATE TYPE public.size AS ENUM ('s', 'l')",
    'CREATE SCHEMA "odd ""name"',
    'CREATE TABLE "odd ""name"."odd; table" (id serial PRIMARY KEY, size public.size)',
    'INSERT INTO "odd ""name"."odd; table" (size) VALUES (\'l\')',
    'CREATE VIEW public.all_of_it AS SELECT * FROM "odd ""name"."odd; table"',
    "CREATE FUNCTION public.one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    'CREATE MATERIALIZED VIEW public.kept AS SELECT 1 AS one',
    'CREATE TABLE public.parts (id int GENERATED ALWAYS AS IDENTITY) PARTITION BY RANGE (id)',
    'CREATE TABLE public.part PARTITION OF public.parts FOR VALUES FROM (0) TO (10)',
    'CREATE TYPE public.span AS RANGE (subtype = int)',
    'CREATE DOMAIN public.positive AS int CHECK (VALUE > 0)',
    "CREATE PROCEDURE public.nothing() LANGUAGE sql AS 'SELECT 1'",
  ])
    await postgres.sql(
      statement.startsWith('CREATE') || statement.startsWith('INSERT') ? `SET ROLE sequencer; ${statement}` : statement,
      'shop',
    );
  const client = await connect(t, { user: 'ws_copy', password: await make('ws_copy', 'shop') });
  await client.query('ALTER TABLE "odd ""name"."odd; table" ADD COLUMN price int');
  await client.query('INSERT INTO "odd ""name"."odd; table" (size) VALUES (\'s\')');
  t.deepEqual((await client.query('SELECT id, size FROM all_of_it ORDER BY id')).rows, [
    { id: 1, size: 'l' },
    { id: 2, size: 's' },
  ]);
  await client.query(
    "DROP VIEW all_of_it; DROP FUNCTION one(); REFRESH MATERIALIZED VIEW kept; ALTER TYPE size ADD VALUE 'xl'",
  );
  await client.query('DROP SCHEMA "odd ""name" CASCADE');
  await client.query(
    'ALTER TABLE part ADD CHECK (id >= 0); DROP TABLE parts; DROP TYPE span; DROP DOMAIN positive; DROP PROCEDURE nothing()',
  );
  const [owner] = await postgres.sql(`SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = 'shop'`);
  t.is(owner?.owner, 'sequencer');
  t.is((await postgres.sql('SELECT count(*)::int AS count FROM all_of_it', 'shop'))[0]?.count, 1);
});

test.serial('a database in use is dropped by force only, and a role is told what it owns elsewhere', async (t) => {
  const client = await connect(t, { user: 'ws_one', password: await make('ws_one') });
  const ask = askOf('ws_one');
  await server.closeRole(ask);
  const error = await t.throwsAsync(server.dropDatabase({ ...ask, force: false }), { code: '55006' });
  t.regex(error.message, /is being accessed by other users/);
  await t.throwsAsync(server.dropRole(ask), { code: '2BP01' });
  await server.dropDatabase({ ...ask, force: true });
  await t.throwsAsync(client.query('SELECT 1'));
  await server.dropRole(ask);
  t.deepEqual(await server.read({ name: 'ws_one', signal }), { role: undefined, database: undefined });
});

test.serial('a signal that aborts ends the connection, and what the server does for it', async (t) => {
  const over = new AbortController();
  const working = connectionsTo(address, 60_000)({ signal: over.signal }, (connection) =>
    connection.query('SELECT pg_sleep(60)'),
  );
  const busy = async () =>
    (await postgres.sql(`SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`))
      .length;
  while ((await busy()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  over.abort(new Error('the lease is over'));
  await t.throwsAsync(working, { message: 'the lease is over' });
  while ((await busy()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  t.pass();
});

test.serial('with TLS the certificate is checked, and a signal ends the connection as well', async (t) => {
  const trusting = connectionsTo({ ...address, ssl: { ca: postgres.authority } }, 5_000);
  const query = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  t.deepEqual(await trusting({ signal }, (connection) => connection.query(query)), [{ ssl: true }]);
  const strict = connectionsTo({ ...address, ssl: true }, 5_000);
  await t.throwsAsync(
    strict({ signal }, async () => {}),
    { name: 'DefiniteError', message: /certificate/ },
  );
  const over = new AbortController();
  const working = trusting({ signal: over.signal }, async (connection) => {
    const asked = connection.query('SELECT pg_sleep(60)');
    over.abort(new Error('the lease is over'));
    return asked;
  });
  await t.throwsAsync(working, { message: 'the lease is over' });
});

test.serial('a credential that is refused, and a server that does not answer, have had no effect', async (t) => {
  const reads = (other: Partial<typeof address>) =>
    sqlServer(connectionsTo({ ...address, ...other }, 2_000)).read({ name: 'ws_one', signal });
  await t.throwsAsync(reads({ password: 'wrong' }), { code: '28P01' });
  await t.throwsAsync(reads({ port: 1 }), {
    name: 'DefiniteError',
    message: /^PostgreSQL at 127\.0\.0\.1:1 does not answer/,
  });
});

test.serial('a password is in no statement that the server logs', async (t) => {
  const password = newPassword();
  const ask = askOf('ws_one');
  await server.createRole({ ...ask, verifier: scramVerifier(password), connectionLimit: 3 });
  await server.setPassword({ ...ask, verifier: scramVerifier('another-password') });
  for (const statement of ['CREATE ROLE "ws_one"', 'ALTER ROLE "ws_one" PASSWORD'])
    t.true(postgres.lastWords().includes(statement));
  t.false([password, 'another-password'].some((one) => postgres.lastWords().includes(one)));
});

test.serial('a role has the password that it was given last', async (t) => {
  const password = await make('ws_one');
  await server.setPassword({ ...askOf('ws_one'), verifier: scramVerifier('another-password') });
  await t.throwsAsync(connect(t, { user: 'ws_one', password }), { message: /password authentication failed/ });
  await t.notThrowsAsync(connect(t, { user: 'ws_one', password: 'another-password' }));
});
