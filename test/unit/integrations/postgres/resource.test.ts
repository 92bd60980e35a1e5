import test from 'ava';
import { databaseName } from '../../../../integrations/postgres/names.ts';
import { checkedPostgresOptions } from '../../../../integrations/postgres/options.ts';
import { databaseResource } from '../../../../integrations/postgres/resource.ts';
import { DefiniteError, ExternalAlreadyExistsError } from '../../../../sdk/index.ts';
import { createMemoryServer } from './a-server.ts';

const { signal } = new AbortController();
const wanted = { connectionLimit: 5, statementTimeout: 1_000, access: 'own role' } as const;
const ownerOf = (uid: string) => {
  const place = { uid, namespace: 'default', workspace: 'shop' };
  return { ...place, condition: 'Database', slot: '', mark: `${uid}/Database/` };
};
const [owner, other] = [ownerOf('uid-1'), ownerOf('uid-2')];
const context = { owner, signal, key: 'key' };

function aResource() {
  const postgres = createMemoryServer();
  const server = { host: 'db', user: 'sequencer', password: 'quite-secret' };
  return {
    postgres,
    resource: databaseResource(checkedPostgresOptions({ server, operations: postgres }), 'template0'),
  };
}

/** A resource whose database is there, with its id. */
async function aDatabase() {
  const { postgres, resource } = aResource();
  const { id } = await resource.create(wanted, context);
  await resource.update?.(id, wanted, context);
  return { postgres, resource, id };
}

test('creation is one claim, which cannot be used yet; the first update makes what is wanted', async (t) => {
  const { postgres, resource } = aResource();
  const made = await resource.create(wanted, context);
  t.is(made.upToDate, false);
  t.deepEqual(made.id, { name: databaseName('ws', owner) });
  t.deepEqual([postgres.roles.size, postgres.databases.size], [1, 0]);
  t.deepEqual(await resource.find?.(owner, { signal }), made.id);
  t.deepEqual(await resource.observe?.(made.id, context), {
    state: { connectionLimit: 5, statementTimeout: 0, access: 'none' },
    mark: owner.mark,
  });
  await resource.update?.(made.id, wanted, context);
  t.deepEqual(await resource.observe?.(made.id, context), { state: wanted, mark: owner.mark });
});

test('a role of that name is not a second claim, whosever it is', async (t) => {
  const { postgres, resource } = aResource();
  await resource.create(wanted, context);
  const before = JSON.stringify([...postgres.roles]);
  await t.throwsAsync(resource.create(wanted, context), { instanceOf: ExternalAlreadyExistsError });
  t.is(JSON.stringify([...postgres.roles]), before);
  t.is(await resource.find?.(other, { signal }), undefined);
});

test('a role that was dropped comes back under the name of its database, also when that bears the hash of an earlier uid', async (t) => {
  const { postgres, resource, id } = await aDatabase();
  await resource.replaceMark?.(id, { owner: other, former: [owner], signal });
  postgres.roles.clear();
  t.deepEqual((await resource.create(wanted, { ...context, owner: other })).id, id);
});

test('a database that bears another mark than its role has another owner', async (t) => {
  const { postgres, resource, id } = await aDatabase();
  postgres.databases.set(id.name, { ...postgres.databases.get(id.name)!, mark: other.mark });
  t.is((await resource.observe?.(id, context))?.mark, other.mark);
  await t.throwsAsync(resource.update?.(id, wanted, context) ?? t.fail(), { instanceOf: DefiniteError });
  await t.throwsAsync(async () => resource.delete(id, context), { instanceOf: DefiniteError });
  t.true(postgres.databases.has(id.name));
});

test('a tenant is kept out of a database that is made again until that is handed over', async (t) => {
  const { postgres, resource, id } = await aDatabase();
  const could: (boolean | undefined)[] = [];
  const { createDatabase } = postgres;
  postgres.createDatabase = async (ask) => {
    could.push(postgres.roles.get(ask.name)?.canLogin);
    await createDatabase(ask);
  };
  postgres.databases.clear();
  await resource.update?.(id, wanted, context);
  t.deepEqual(could, [false]);
  t.like(postgres.databases.get(id.name), { hasObjects: true, isPublic: false });
});

test('what an interrupted deletion has left is removed by the next one', async (t) => {
  const { postgres, resource, id } = await aDatabase();
  postgres.databases.clear();
  await resource.delete(id, context);
  t.is(postgres.roles.size, 0);
  await resource.delete(id, context);
  t.is(await resource.observe?.(id, context), undefined);
});
