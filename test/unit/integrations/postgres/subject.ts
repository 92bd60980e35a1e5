/** Compliance subject of `postgresDatabase`. */

import { type PostgresDatabaseOptions, postgresDatabase } from '../../../../integrations/postgres/index.ts';
import type { PostgresServer } from '../../../../integrations/postgres/server.ts';
import type { IntegrationContext, Subject } from '../../../compliance/index.ts';
import { sqlError } from './a-server.ts';

const spec = (connectionLimit: number) => ({ integrations: { 'postgres-database': { connectionLimit } } });

/** Password of the credential that all servers of the kit know. */
export const password = 'a-password-that-nobody-else-may-see';

/** Compliance subject of `postgresDatabase`, for any server. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'name',
  spec: spec(5),
  edited: spec(7),
  sameName: 'separate',
  drift: 'fixed',
  secrets: [password],
  failures: {
    definite: () => sqlError('42501', 'permission denied to create database'),
    ambiguous: [
      () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      () => sqlError('57P01', 'terminating connection due to administrator command'),
    ],
    throttled: () => sqlError('53300', 'sorry, too many clients already'),
  },
};

/** Integration of one run; each operation on the server is a call. */
export const integrationOf = (
  { through }: IntegrationContext,
  operations: PostgresServer,
  options: Partial<PostgresDatabaseOptions> = {},
) =>
  postgresDatabase({
    server: { host: 'db.example.test', user: 'sequencer', password },
    driftInterval: 60_000,
    ...options,
    operations: through(operations),
  });
