import test from 'ava';
import { connectionsTo } from '../../../integrations/postgres/connection.ts';
import { sqlServer } from '../../../integrations/postgres/sql-server.ts';
import { type Subject, type TestFunction, testIntegration } from '../../compliance/index.ts';
import { startRealServer } from './a-real-server.ts';
import { integrationOf, subject } from './subject.ts';

const server = await startRealServer();
test.after.always('the server stops', () => server.postgres.close());
const named = (clock: string): TestFunction =>
  Object.assign(
    (title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${clock} time: ${title}`, run),
    { skip: (title: string) => test.serial.skip(`${clock} time: ${title}`, () => {}) },
  );

const onServer = (driftInterval: number, deadline: number): Omit<Subject, 'time'> => ({
  ...subject,
  secrets: [server.address.password],
  async start() {
    await server.empty();
    const operations = sqlServer(connectionsTo(server.address, 15_000));
    return {
      integration: (run) => integrationOf(run, operations, { server: server.address, deadline, driftInterval }),
      async spoil() {
        const [one] = await server.postgres.sql(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'ws\\_%'`);
        if (one !== undefined) await server.postgres.sql(`DROP DATABASE "${one.name}" WITH (FORCE)`);
      },
      remote: () => server.things(),
    };
  },
});

testIntegration(named('virtual'), onServer(60_000, 15_000));
testIntegration(named('real'), { ...onServer(2_000, 1_000), time: 'real' });
