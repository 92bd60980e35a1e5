import test from 'ava';
import { connectionsTo } from '../../../integrations/postgres/connection.ts';
import { sqlServer } from '../../../integrations/postgres/sql-server.ts';
import { type TestFunction, testIntegration } from '../../compliance/index.ts';
import { startRealServer } from './a-real-server.ts';
import { integrationOf, subject } from './subject.ts';

const server = await startRealServer();
test.after.always('the server stops', () => server.postgres.close());
const named: TestFunction = Object.assign(
  (title: string, run: (context?: unknown) => Promise<void>) => test.serial(`PostgreSQL: ${title}`, run),
  { skip: (title: string) => test.serial.skip(`PostgreSQL: ${title}`, () => {}) },
);
const deadline = 5_000;

testIntegration(named, {
  ...subject,
  time: 'real',
  secrets: [server.address.password],
  limits: { settle: 60_000 },
  async start() {
    await server.empty();
    const operations = sqlServer(connectionsTo(server.address, deadline));
    return {
      integration: (run) =>
        integrationOf(run, operations, { server: server.address, deadline: 1_000, driftInterval: 2_000 }),
      async spoil() {
        const [one] = await server.postgres.sql(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'ws\\_%'`);
        if (one !== undefined) await server.postgres.sql(`DROP DATABASE "${one.name}" WITH (FORCE)`);
      },
      remote: () => server.things(),
    };
  },
});
