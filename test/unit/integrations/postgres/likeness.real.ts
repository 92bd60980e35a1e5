import test from 'ava';
import { connectionsTo } from '../../../../integrations/postgres/connection.ts';
import { scramVerifier } from '../../../../integrations/postgres/scram.ts';
import type { PostgresServer } from '../../../../integrations/postgres/server.ts';
import { sqlServer } from '../../../../integrations/postgres/sql-server.ts';
import { messageOf } from '../../../../sdk/index.ts';
import { startRealServer } from './a-real-server.ts';
import { createMemoryServer } from './a-server.ts';

const { postgres, address } = await startRealServer();
test.after.always('the server stops', () => postgres.close());

const { signal } = new AbortController();

/** Operations whose answers, states and errors have to be the same in memory. */
const script: readonly (readonly [keyof PostgresServer, object])[] = [
  ['read', {}],
  ['findRole', {}],
  ['openRole', { connectionLimit: 2 }],
  ['createDatabase', { template: 'template0' }],
  ['closeRole', {}],
  ['dropDatabase', { force: false }],
  ['dropRole', {}],
  ['replaceMark', { former: ['former'] }],
  ['createRole', { verifier: scramVerifier('x'), connectionLimit: 2 }],
  ['createRole', { verifier: scramVerifier('x'), connectionLimit: 2 }],
  ['findRole', {}],
  ['findRole', { mark: 'another' }],
  ['handOver', { statementTimeout: 1 }],
  ['createDatabase', { template: 'no-such-template' }],
  ['createDatabase', { template: 'template0', mark: 'another' }],
  ['createDatabase', { template: 'template0' }],
  ['createDatabase', { template: 'template0' }],
  ['read', {}],
  ['giveObjects', {}],
  ['handOver', { statementTimeout: 1_000, mark: 'another' }],
  ['handOver', { statementTimeout: 1_000 }],
  ['handOver', { statementTimeout: 0 }],
  ['giveObjects', {}],
  ['openRole', { connectionLimit: 7 }],
  ['read', {}],
  ['dropRole', {}],
  ['replaceMark', { mark: 'newer', former: ['another'] }],
  ['replaceMark', { mark: 'newer', former: ['mark'] }],
  ['replaceMark', { mark: 'newer', former: ['mark'] }],
  ['read', {}],
  ['closeRole', {}],
  ['dropDatabase', { force: false }],
  ['dropRole', {}],
  ['closeRole', { mark: 'newer' }],
  ['setPassword', { mark: 'newer', verifier: scramVerifier('y') }],
  ['dropDatabase', { mark: 'newer', force: false }],
  ['dropRole', { mark: 'newer' }],
  ['read', {}],
];

async function told(on: PostgresServer): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [operation, more] of script) {
    const ask = { name: 'ws_script', mark: 'mark', signal, ...more };
    const outcome = await (on[operation] as (asked: object) => Promise<unknown>)(ask).then(
      (answer) => JSON.stringify(shown(answer)) ?? 'nothing',
      (error: { readonly code?: string }) => error.code ?? messageOf(error),
    );
    lines.push(`${operation} ${JSON.stringify(more)}: ${outcome}`);
  }
  return lines;
}

/** Answers without what only one of the servers knows. */
function shown(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { role, database } = answer as Awaited<ReturnType<PostgresServer['read']>>;
  const { mark, ownedByRole, granted, isPublic, statementTimeout } = database ?? {};
  return {
    role: role && [role.mark, role.canLogin, role.connectionLimit],
    database: database && { mark, ownedByRole, granted, isPublic, statementTimeout },
  };
}

test('the server in memory answers as the real one', async (t) => {
  t.deepEqual(await told(createMemoryServer()), await told(sqlServer(connectionsTo(address, 15_000))));
});
