/** Runs the compliance cases of postgres on real servers. */

import test from 'ava';
import { connectionsTo } from '../../../../integrations/postgres/connection.ts';
import { sqlServer } from '../../../../integrations/postgres/sql-server.ts';
import type { Subject } from '../../../compliance/index.ts';
import { type RealServer, startRealServer } from './a-real-server.ts';
import { integrationOf, subject } from './subject.ts';

/** Servers of one test file that no life uses: some cases live two at once. */
const idle = await Promise.all([startRealServer(), startRealServer()]);
const all = [...idle];
test.after.always('the servers stop', () => Promise.all(all.map(({ postgres }) => postgres.close())));

/** Drops one database, as another client would. */
async function causeDrift({ postgres }: RealServer): Promise<void> {
  const [one] = await postgres.sql(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'ws\\_%'`);
  if (one !== undefined) await postgres.sql(`DROP DATABASE "${one.name}" WITH (FORCE)`);
}

/** Returns the subject on these servers. */
export const onRealServers = (options: {
  readonly driftInterval: number;
  readonly deadline: number;
}): Omit<Subject, 'time'> => ({
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
      causeDrift: () => causeDrift(server),
      remote: () => server.things(),
      close: () => void idle.push(server),
    };
  },
});

/** Cases that are proved in virtual time: in real time they take minutes. */
export const swept = ['signal', 'crash', 'forged', 'memory'] as const;
