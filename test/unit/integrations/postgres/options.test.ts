import test from 'ava';
import type { PostgresDatabaseOptions } from '../../../../integrations/postgres/index.ts';
import { checkedPostgresOptions } from '../../../../integrations/postgres/options.ts';

const server = { host: 'db.example.com', user: 'sequencer', password: 'quite-secret' };
const wrong = (options: object): PostgresDatabaseOptions => options as PostgresDatabaseOptions;

test('what is left out has its default', (t) => {
  const { operations, limits, ...checked } = checkedPostgresOptions({ server });
  t.is(typeof operations.read, 'function');
  t.deepEqual(limits, { rate: 20, burst: 20 });
  t.deepEqual(checked, {
    uri: { host: 'db.example.com', port: 5432, address: 'db.example.com:5432', query: '' },
    prefix: 'ws',
    template: 'template0',
    templates: [],
    connectionLimit: 20,
    statementTimeout: 60_000,
    dropConnections: false,
    deadline: 15_000,
    driftInterval: 300_000,
  });
});

test('each integration has limits of its own, unless it is given some', (t) => {
  const [one, other] = [checkedPostgresOptions({ server }), checkedPostgresOptions({ server })];
  t.not(one.limits, other.limits);
  const limits = { rate: 1 };
  t.is(checkedPostgresOptions({ server, limits }).limits, limits);
});

test('URIs have the address that workspaces use', (t) => {
  const uriOf = (address: PostgresDatabaseOptions['address']) =>
    checkedPostgresOptions({ server: { ...server, port: 6432 }, ...(address && { address }) }).uri;
  t.like(uriOf(undefined), { port: 6432, address: 'db.example.com:6432', query: '' });
  t.deepEqual(uriOf({ host: 'db.team.svc', parameters: 'sslmode=require' }), {
    host: 'db.team.svc',
    port: 5432,
    address: 'db.team.svc:5432',
    query: '?sslmode=require',
  });
  t.is(uriOf({ host: 'fd00::1', port: 1 }).address, '[fd00::1]:1');
});

for (const [options, message] of [
  [undefined, /options must be an object \{ server, .*not "nothing"$/],
  [{ server, sever: 1 }, /^postgresDatabase: options: sever is not an option; known are server, /],
  [{}, /server must be an object \{ host, port, user, password, database, ssl \}/],
  [{ server: { ...server, username: 'x' } }, /server: username is not an option/],
  [{ server: { ...server, host: '' } }, /server\.host must be a text that is not empty/],
  [{ server: { ...server, user: undefined } }, /server\.user must be a text that is not empty, not "nothing"$/],
  [{ server: { ...server, password: 123456 } }, /server\.password must be a text that is not empty$/],
  [{ server: { ...server, port: 0 } }, /server\.port must be a whole number from 1 to 65535, not 0$/],
  [{ server: { ...server, ssl: 'require' } }, /server\.ssl must be a boolean, or options of tls\.connect$/],
  [{ server: { ...server, database: 'd'.repeat(64) } }, /server\.database must be a name of 63 bytes at most/],
  [{ server, address: { hostname: 'x' } }, /address: hostname is not an option/],
  [{ server, address: {} }, /address\.host must be a text/],
  [{ server, prefix: 'Ws' }, /prefix must be up to 16 characters of a-z, 0-9 and _, a letter first, not "Ws"$/],
  [{ server, prefix: 'w'.repeat(17) }, /prefix must be/],
  [{ server, template: '' }, /template must be the name of a database/],
  [{ server, templates: 'shop' }, /templates must be a list of names of databases, not "shop"$/],
  [{ server, templates: ['shop', 7] }, /templates\[1\] must be the name of a database, not 7$/],
  [{ server, connectionLimit: 0 }, /connectionLimit must be a whole number from 1 to 10000, not 0$/],
  [{ server, statementTimeout: -1 }, /statementTimeout must be a whole number from 0 to/],
  [{ server, dropConnections: 'yes' }, /dropConnections must be true or false, not "yes"$/],
  [{ server, deadline: 0 }, /deadline must be a whole number from 1 to/],
  [{ server, driftInterval: Number.POSITIVE_INFINITY }, /driftInterval must be a whole number from 1 to/],
] as const)
  test(`refused: ${message.source}`, (t) => {
    const error = t.throws(() => checkedPostgresOptions(wrong(options as object)), { instanceOf: TypeError, message });
    t.false(error.message.includes('quite-secret'));
  });
