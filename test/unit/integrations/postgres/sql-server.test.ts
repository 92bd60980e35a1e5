import test from 'ava';
import type { WithConnection } from '../../../../integrations/postgres/connection.ts';
import type { FoundDatabase, FoundRole, PostgresServer } from '../../../../integrations/postgres/server.ts';
import { sqlServer } from '../../../../integrations/postgres/sql-server.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

const { signal } = new AbortController();
const ask = { name: 'ws"; DROP ROLE admin; --', mark: "it's/Database/", signal };
const quoted = '"ws""; DROP ROLE admin; --"';

interface Rows {
  readonly role?: FoundRole;
  readonly database?: Partial<FoundDatabase> & { readonly timeout?: string };
}

const rowOf = (found: object | undefined) => (found === undefined ? [] : [{ ...found }]);

/** A server whose roles and databases are these; statements that would change something are written down. */
function aServer({ role, database }: Rows = {}) {
  const [written, databases]: [string[], (string | undefined)[]] = [[], []];
  const withConnection: WithConnection = (bounds, work) => {
    databases.push(bounds.database);
    return work({
      async query(text) {
        if (/FROM pg_database d/.test(text)) return rowOf(database);
        if (/FROM pg_roles WHERE rolname = /.test(text)) return rowOf(role);
        if (!/^SELECT (datname|rolname)/.test(text)) written.push(text);
        return [];
      },
      transaction: (within) => within(),
      name: (text) => `"${text.replaceAll('"', '""')}"`,
      text: (text) => `'${text.replaceAll("'", "''")}'`,
    });
  };
  return { server: sqlServer(withConnection), written, databases };
}

const role = { mark: ask.mark, canLogin: true, connectionLimit: 3 };
const database = { mark: ask.mark, ownedByRole: false, granted: true, isPublic: false };

const changes: Readonly<Record<string, (server: PostgresServer) => Promise<unknown>>> = {
  createDatabase: (server) => server.createDatabase({ ...ask, template: 'a"b' }),
  handOver: (server) => server.handOver({ ...ask, statementTimeout: 5 }),
  giveObjects: (server) => server.giveObjects(ask),
  openRole: (server) => server.openRole({ ...ask, connectionLimit: 3 }),
  closeRole: (server) => server.closeRole(ask),
  setPassword: (server) => server.setPassword({ ...ask, verifier: "SCRAM'" }),
  replaceMark: (server) => server.replaceMark({ ...ask, former: ['former'] }),
  dropDatabase: (server) => server.dropDatabase({ ...ask, force: true }),
  dropRole: (server) => server.dropRole(ask),
};

for (const [name, change] of Object.entries(changes)) {
  test(`${name} quotes what it is given`, async (t) => {
    const { server, written } = aServer({ role, database });
    await change(server);
    t.true(written.length > 0);
    const rest = written.map((text) =>
      text
        .replaceAll(quoted, '')
        .replaceAll(/'(?:[^']|'')*'/g, '')
        .replace('"a""b"', ''),
    );
    t.false(
      rest.some((text) => /admin|it's|SCRAM|"/.test(text)),
      rest.join('\n'),
    );
  });

  test(`${name} leaves alone the role of another`, async (t) => {
    for (const mark of ['another', undefined]) {
      const { server, written } = aServer({ role: { ...role, mark }, database });
      await t.throwsAsync(change(server), {
        instanceOf: DefiniteError,
        message: /^the role .* is left alone$|: it is left/,
      });
      t.deepEqual(written, []);
    }
  });
}

for (const name of ['handOver', 'giveObjects', 'replaceMark', 'dropDatabase'])
  test(`${name} leaves alone the database of another`, async (t) => {
    for (const mark of ['another', undefined]) {
      const { server, written } = aServer({ role, database: { ...database, mark } });
      await t.throwsAsync(changes[name]!(server), {
        instanceOf: DefiniteError,
        message: /^the database .*it is left alone; rename or drop it there$/,
      });
      t.deepEqual(written, []);
    }
  });

test('what is not there cannot be changed, and is gone', async (t) => {
  for (const name of ['createDatabase', 'handOver', 'giveObjects', 'openRole', 'setPassword', 'replaceMark'])
    await t.throwsAsync(changes[name]!(aServer().server), { message: /^there is no role / }, name);
  for (const name of ['closeRole', 'dropDatabase', 'dropRole']) {
    const { server, written } = aServer();
    await changes[name]!(server);
    t.deepEqual(written, [], name);
  }
});

test('what a template holds is given away in the database itself', async (t) => {
  const { server, databases } = aServer({ role, database });
  await server.giveObjects(ask);
  t.deepEqual(databases, [undefined, ask.name]);
});

test('a timeout that a server writes in other words is reported as it is', async (t) => {
  const timeouts = ['5000', '1min', undefined].map(async (timeout) => {
    const { server } = aServer({ role, database: { ...database, ...(timeout !== undefined && { timeout }) } });
    return (await server.read(ask)).database?.statementTimeout;
  });
  t.deepEqual(await Promise.all(timeouts), [5000, '1min', 0]);
});
