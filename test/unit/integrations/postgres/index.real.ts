import test from 'ava';
import pg from 'pg';
import { postgresDatabase } from '../../../../integrations/postgres/index.ts';
import { conditionOf, Secret } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { startRealServer } from './a-real-server.ts';

const { postgres, address, things } = await startRealServer();
test.after.always('the server stops', () => postgres.close());

const key = { namespace: 'default', name: 'shop-database' };
const spec = { integrations: { 'postgres-database': { connectionLimit: 2 } } };

/** A sequencer with the integration on the server, which looks at it every minute. */
async function aSequencer() {
  const stage = await aTargetCluster();
  const integration = postgresDatabase({ server: address, driftInterval: 60_000 });
  const uri = async () => atob((await stage.client.get(Secret, key)).data?.uri ?? '');
  return { ...stage, uri, actor: stage.actor([integration]) };
}

/** Executes a statement with the address in a Secret. */
async function ask(uri: string, statement: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: uri, ssl: false });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test.serial('the address in the Secret leads to a database of its own, and nothing is left of it', async (t) => {
  const { actor, create, delete: remove, read, uri } = await aSequencer();
  await create(spec);
  await actor.walk();
  t.is(conditionOf(await read(), 'Database').status, 'Completed');
  await ask(await uri(), 'CREATE TABLE cart (id int)');
  await ask(await uri(), 'INSERT INTO cart VALUES (1)');
  t.deepEqual(await ask(await uri(), 'SELECT id FROM cart'), [{ id: 1 }]);
  await remove();
  await actor.walk();
  t.deepEqual(await things(), []);
});

test.serial('a password is rotated by deleting its Secret, and rows stay', async (t) => {
  const { actor, client, clock, create, delete: remove, uri } = await aSequencer();
  await create(spec);
  await actor.walk();
  const before = await uri();
  await ask(before, 'CREATE TABLE cart (id int)');
  await client.delete(Secret, key);
  await clock.advance(60_000);
  await actor.walk();
  await t.throwsAsync(ask(before, 'SELECT 1'), { code: '28P01' });
  t.deepEqual(await ask(await uri(), 'SELECT count(*)::int AS carts FROM cart'), [{ carts: 0 }]);
  await remove();
  await actor.walk();
  t.deepEqual(await things(), []);
});

test.serial(
  'a database that an administrator has dropped comes back, with the password that its Secret says',
  async (t) => {
    const { actor, clock, create, delete: remove, uri } = await aSequencer();
    await create(spec);
    await actor.walk();
    const before = await uri();
    const [found] = await postgres.sql(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'ws\\_%'`);
    await postgres.sql(`DROP DATABASE "${found?.name}"`);
    await clock.advance(60_000);
    await actor.walk();
    t.is(await uri(), before);
    t.deepEqual(await ask(before, 'SELECT 1 AS one'), [{ one: 1 }]);
    await remove();
    await actor.walk();
    t.deepEqual(await things(), []);
  },
);

test.serial('a credential without rights is told which one it lacks, and nothing stays', async (t) => {
  await postgres.sql(`CREATE ROLE poor LOGIN PASSWORD 'poor-password'; GRANT CONNECT ON DATABASE postgres TO poor`);
  const stage = await aTargetCluster();
  const actor = stage.actor([postgresDatabase({ server: { ...address, user: 'poor', password: 'poor-password' } })]);
  await stage.create(spec);
  await t.throwsAsync(actor.walk());
  const { status, reason } = conditionOf(await stage.read(), 'Database');
  t.is(status, 'Error');
  t.regex(reason, /^PostgreSQL says permission denied to create role \(42501\); grant the credential/);
  t.deepEqual(await things(), []);
});
