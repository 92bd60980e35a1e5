import test from 'ava';
import { createMemoryDatabaseServer, memoryDatabase } from '../../../../integrations/memory/database.ts';
import { aTwin } from './a-twin.ts';

test('its outputs and its Secret are those of a database, and go with the workspace', async (t) => {
  const server = createMemoryDatabaseServer();
  const { outputs, secret, end } = await aTwin(memoryDatabase({ server }), { 'memory-database': {} });
  const [{ name } = { name: '' }] = server.objects();
  t.deepEqual(outputs('Database'), {
    values: { host: 'database.memory.invalid', port: '5432', database: name },
    secrets: { uri: { name: 'shop-database', key: 'uri' }, password: { name: 'shop-database', key: 'password' } },
  });
  const { uri = '', password = '' } = await secret('shop-database');
  t.is(uri, `memory://${name}:${password}@database.memory.invalid:5432/${name}`);
  await end();
  t.deepEqual(server.objects(), []);
});

test('a field that there is not is refused', async (t) => {
  const { said } = await aTwin(memoryDatabase(), { 'memory-database': { size: 1 } });
  t.regex(said('Database'), /^Error: spec\.integrations\.memory-database\.size: there is no such field/);
});
