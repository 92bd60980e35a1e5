import test from 'ava';
import { connectionsTo } from '../../../integrations/postgres/connection.ts';
import { sqlServer } from '../../../integrations/postgres/sql-server.ts';
import { caseNames } from '../../compliance/case-names.ts';
import { type Subject, type TestFunction, testIntegration } from '../../compliance/index.ts';
import { type RealServer, startRealServer } from './a-real-server.ts';
import { integrationOf, subject } from './subject.ts';

/** Servers that no life uses: some cases live two at once. */
const idle = await Promise.all([startRealServer(), startRealServer()]);
const all = [...idle];
test.after.always('the servers stop', () => Promise.all(all.map(({ postgres }) => postgres.close())));

const named = (clock: string): TestFunction =>
  Object.assign(
    (title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${clock} time: ${title}`, run),
    { skip: (title: string) => test.serial.skip(`${clock} time: ${title}`, () => {}) },
  );

/** Drops one database, as somebody else would. */
async function spoil({ postgres }: RealServer): Promise<void> {
  const [one] = await postgres.sql(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'ws\\_%'`);
  if (one !== undefined) await postgres.sql(`DROP DATABASE "${one.name}" WITH (FORCE)`);
}

const onServer = (options: { readonly driftInterval: number; readonly deadline: number }): Omit<Subject, 'time'> => ({
  ...subject,
  failures: { ...subject.failures, ambiguous: () => new Error('Connection terminated unexpectedly') },
  secrets: all.map(({ address }) => address.password),
  async start() {
    const server = idle.pop();
    if (server === undefined) throw new Error('more lives at once than servers');
    await server.empty();
    const operations = sqlServer(connectionsTo(server.address, 15_000));
    return {
      integration: (run) => integrationOf(run, operations, { server: server.address, ...options }),
      spoil: () => spoil(server),
      remote: () => server.things(),
      close: () => void idle.push(server),
    };
  },
});

const swept = ['signal', 'crash', 'forged', 'memory'] as const;
const others = caseNames.filter((name) => !swept.some((one) => one === name));

testIntegration(named('virtual'), {
  ...onServer({ driftInterval: 60_000, deadline: 15_000 }),
  cannot: Object.fromEntries(others.map((name) => [name, 'proved in real time'])),
});
testIntegration(named('real'), {
  ...onServer({ driftInterval: 2_000, deadline: 1_000 }),
  time: 'real',
  cannot: { signal: 'proved in virtual time', forged: 'proved in virtual time' },
});
