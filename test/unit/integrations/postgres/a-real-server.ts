/** Real PostgreSQL server with the least credential that the integration needs. */

import { randomBytes } from 'node:crypto';
import type { PostgresAddress } from '../../../../integrations/postgres/connection.ts';
import type { RemoteObject } from '../../../compliance/index.ts';
import { type Postgres, startPostgres } from '../../../system/real/programs/postgres.ts';

/** Server, and what its tests do with it. */
export interface RealServer {
  readonly postgres: Postgres;
  /** Address with the credential of the sequencer: no superuser, CREATEDB and CREATEROLE. */
  readonly address: PostgresAddress;
  /** Roles and databases of workspaces, in words that are the same in every run. */
  things(): Promise<readonly RemoteObject[]>;
  /** Drops all databases and roles of workspaces. */
  empty(): Promise<void>;
}

const things = `SELECT rolname AS id, CASE WHEN rolcanlogin THEN 'role, ' || rolconnlimit || ' connections' ELSE 'role, no login' END AS what
    FROM pg_roles WHERE rolname LIKE 'ws\\_%'
  UNION ALL SELECT 'database ' || datname, 'database of ' || pg_get_userbyid(datdba) || ' ' || coalesce(array_length(datacl, 1), 0) || datallowconn
    FROM pg_database WHERE datname LIKE 'ws\\_%' ORDER BY 1`;

/** Starts one. */
export async function startRealServer(): Promise<RealServer> {
  const postgres = await startPostgres();
  const { host, port, sql } = postgres;
  const password = randomBytes(12).toString('hex');
  await sql(`CREATE ROLE sequencer LOGIN CREATEDB CREATEROLE PASSWORD '${password}'`);
  await sql('REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC');
  await sql('GRANT CONNECT ON DATABASE postgres TO sequencer');
  const namesOf = async (query: string) => (await sql(query)).map(({ name }) => `"${name}"`);
  return {
    postgres,
    address: { host, port, user: 'sequencer', password },
    things: async () => (await sql(things)) as unknown as readonly RemoteObject[],
    async empty() {
      for (const name of await namesOf(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'ws\\_%'`))
        await sql(`DROP DATABASE ${name} WITH (FORCE)`);
      for (const name of await namesOf(`SELECT rolname AS name FROM pg_roles WHERE rolname LIKE 'ws\\_%'`))
        await sql(`DROP ROLE ${name}`);
    },
  };
}
