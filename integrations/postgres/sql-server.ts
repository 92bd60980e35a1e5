/** Operations on a PostgreSQL server, as SQL. */

import { DefiniteError } from '../../sdk/index.ts';
import type { SqlConnection, WithConnection } from './connection.ts';
import type { Ask, FoundDatabase, FoundObjects, FoundRole, PostgresServer } from './server.ts';

const roleOf = `SELECT shobj_description(oid, 'pg_authid') AS mark, rolcanlogin AS "canLogin", rolconnlimit AS "connectionLimit"
  FROM pg_roles WHERE rolname = $1`;
const databaseOf = `SELECT shobj_description(d.oid, 'pg_database') AS mark, r.oid IS NOT NULL AND d.datdba = r.oid AS "ownedByRole",
    d.datallowconn AND r.oid IS NOT NULL AND has_database_privilege(r.oid, d.oid, 'CONNECT') AS granted,
    has_database_privilege('public', d.oid, 'CONNECT') AS "isPublic",
    (SELECT option_value FROM pg_db_role_setting s, pg_options_to_table(s.setconfig)
      WHERE s.setdatabase = d.oid AND s.setrole = 0 AND option_name = 'statement_timeout') AS timeout
  FROM pg_database d LEFT JOIN pg_roles r ON r.rolname = d.datname WHERE d.datname = $1`;

const timeoutOf = (timeout: unknown): number | string => {
  if (typeof timeout !== 'string') return 0;
  return /^\d+$/.test(timeout) ? Number(timeout) : timeout;
};

async function foundBy(connection: SqlConnection, name: string): Promise<FoundObjects> {
  const [role] = await connection.query(roleOf, [name]);
  const [database] = await connection.query(databaseOf, [name]);
  return {
    role: role && ({ ...role, mark: role.mark ?? undefined } as FoundRole),
    database: database && {
      ...(database as unknown as FoundDatabase),
      mark: (database.mark as string | null) ?? undefined,
      statementTimeout: timeoutOf(database.timeout),
    },
  };
}

const markOf = (mark: string | undefined): string =>
  mark === undefined ? 'bears no mark' : `bears the mark of ${mark}`;

/** @throws DefiniteError unless the role exists and bears the mark */
async function requireRole(connection: SqlConnection, { name, mark }: Ask): Promise<FoundObjects> {
  const found = await foundBy(connection, name);
  if (found.role === undefined) throw new DefiniteError(`there is no role ${name}`);
  refuseForeignRole(found, { name, mark });
  return found;
}

function refuseForeignRole({ role }: FoundObjects, { name, mark }: Pick<Ask, 'name' | 'mark'>): void {
  if (role !== undefined && role.mark !== mark)
    throw new DefiniteError(`the role ${name} ${markOf(role.mark)}: it is left alone; rename or drop it there`);
}

/** Refuses a database with another mark, and one without any that is not owned by the role. */
function refuseForeignDatabase({ database }: FoundObjects, { name, mark }: Pick<Ask, 'name' | 'mark'>): void {
  if (database === undefined || database.mark === mark) return;
  if (database.mark === undefined && database.ownedByRole) return; // its creation was cut short
  throw new DefiniteError(`the database ${name} ${markOf(database.mark)}: it is left alone; rename or drop it there`);
}

async function createRole(
  connection: SqlConnection,
  { name, mark, verifier, connectionLimit }: Parameters<PostgresServer['createRole']>[0],
): Promise<string> {
  const kept = await connection.query(
    `SELECT datname FROM pg_database WHERE shobj_description(oid, 'pg_database') = $1 ORDER BY oid LIMIT 1`,
    [mark],
  );
  const chosen = (kept[0]?.datname as string | undefined) ?? name;
  const role = connection.name(chosen);
  await connection.transaction(async () => {
    const password = connection.text(verifier);
    await connection.query(`CREATE ROLE ${role} NOLOGIN CONNECTION LIMIT ${connectionLimit} PASSWORD ${password}`);
    await connection.query(`COMMENT ON ROLE ${role} IS ${connection.text(mark)}`);
    await connection.query(`GRANT ${role} TO CURRENT_USER`);
  });
  return chosen;
}

async function handOver(connection: SqlConnection, ask: Parameters<PostgresServer['handOver']>[0]): Promise<void> {
  await connection.transaction(async () => {
    const found = await requireRole(connection, ask);
    refuseForeignDatabase(found, ask);
    const name = connection.name(ask.name);
    const timeout =
      ask.statementTimeout > 0 ? `SET statement_timeout = ${ask.statementTimeout}` : 'RESET statement_timeout';
    await connection.query(`COMMENT ON DATABASE ${name} IS ${connection.text(ask.mark)}`);
    if (found.database?.ownedByRole) await connection.query(`ALTER DATABASE ${name} OWNER TO CURRENT_USER`);
    await connection.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
    await connection.query(`GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${name} TO ${name}`);
    await connection.query(`ALTER DATABASE ${name} ${timeout}`);
    await connection.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  });
}

/** Gives the role what came with the template: all but extensions, whose objects stay as they were installed, and the sequences of columns, which go with their tables. */
const giveAll = `DO $do$
DECLARE one record; heir name := current_setting('workspace_sequencer.heir');
BEGIN
  IF (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'public') THEN
    EXECUTE format('ALTER SCHEMA public OWNER TO %I', heir);
  END IF;
  FOR one IN
    SELECT upper(o.type) AS type, o.identity FROM pg_shdepend s
      JOIN pg_database d ON d.oid = s.dbid AND d.datname = current_database()
      JOIN pg_roles r ON r.oid = s.refobjid AND r.rolname <> heir,
      LATERAL pg_identify_object(s.classid, s.objid, s.objsubid) o
    WHERE s.deptype = 'o' AND s.refclassid = 'pg_authid'::regclass
      AND o.type IN ('schema', 'table', 'view', 'materialized view', 'sequence', 'foreign table', 'function', 'procedure', 'aggregate', 'type')
      AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.classid = s.classid AND p.objid = s.objid
        AND (p.deptype = 'e' OR o.type = 'sequence' AND p.deptype IN ('a', 'i')))
    ORDER BY o.type <> 'schema'
  LOOP
    EXECUTE format('ALTER %s %s OWNER TO %I', one.type, one.identity, heir);
  END LOOP;
END
$do$`;

async function giveObjects(connection: SqlConnection, name: string): Promise<void> {
  await connection.transaction(async () => {
    await connection.query(`SELECT set_config('workspace_sequencer.heir', $1, true)`, [name]);
    await connection.query(giveAll);
  });
}

async function replaceMark(
  connection: SqlConnection,
  { former, ...ask }: Parameters<PostgresServer['replaceMark']>[0],
): Promise<void> {
  await connection.transaction(async () => {
    const found = await foundBy(connection, ask.name);
    if (found.role === undefined) throw new DefiniteError(`there is no role ${ask.name}`);
    const one = (mark: string | undefined): string => (mark !== undefined && former.includes(mark) ? mark : ask.mark);
    refuseForeignRole(found, { name: ask.name, mark: one(found.role.mark) });
    refuseForeignDatabase(found, { name: ask.name, mark: one(found.database?.mark) });
    const [name, mark] = [connection.name(ask.name), connection.text(ask.mark)];
    await connection.query(`COMMENT ON ROLE ${name} IS ${mark}`);
    if (found.database?.mark !== undefined) await connection.query(`COMMENT ON DATABASE ${name} IS ${mark}`);
  });
}

async function dropDatabase(
  connection: SqlConnection,
  ask: Parameters<PostgresServer['dropDatabase']>[0],
): Promise<void> {
  const found = await foundBy(connection, ask.name);
  refuseForeignRole(found, ask);
  refuseForeignDatabase(found, ask);
  if (found.database === undefined) return;
  await connection.query(`DROP DATABASE IF EXISTS ${connection.name(ask.name)}${ask.force ? ' WITH (FORCE)' : ''}`);
}

/** Executes a statement about a role of that mark, in one transaction. */
const alterRole = (connection: SqlConnection, ask: Ask, statement: string): Promise<void> =>
  connection.transaction(async () => {
    await requireRole(connection, ask);
    await connection.query(statement);
  });

/** Returns the operations on a real server; each opens a new connection. */
export function sqlServer(withConnection: WithConnection): PostgresServer {
  return {
    findRole: (ask) =>
      withConnection(ask, async (connection) => {
        const rows = await connection.query(
          `SELECT rolname FROM pg_roles WHERE shobj_description(oid, 'pg_authid') = $1 ORDER BY oid LIMIT 1`,
          [ask.mark],
        );
        return rows[0]?.rolname as string | undefined;
      }),
    read: (ask) => withConnection(ask, (connection) => foundBy(connection, ask.name)),
    createRole: (ask) => withConnection(ask, (connection) => createRole(connection, ask)),
    createDatabase: (ask) =>
      withConnection(ask, async (connection) => {
        await requireRole(connection, ask);
        const [name, template] = [connection.name(ask.name), connection.name(ask.template)];
        await connection.query(`CREATE DATABASE ${name} OWNER ${name} TEMPLATE ${template} ALLOW_CONNECTIONS false`);
      }),
    handOver: (ask) => withConnection(ask, (connection) => handOver(connection, ask)),
    async giveObjects(ask) {
      await withConnection(ask, async (connection) => refuseForeignDatabase(await requireRole(connection, ask), ask));
      await withConnection({ ...ask, database: ask.name }, (connection) => giveObjects(connection, ask.name));
    },
    openRole: (ask) =>
      withConnection(ask, (connection) =>
        alterRole(
          connection,
          ask,
          `ALTER ROLE ${connection.name(ask.name)} LOGIN CONNECTION LIMIT ${ask.connectionLimit}`,
        ),
      ),
    closeRole: (ask) =>
      withConnection(ask, async (connection) => {
        const found = await foundBy(connection, ask.name);
        refuseForeignRole(found, ask);
        if (found.role?.canLogin) await alterRole(connection, ask, `ALTER ROLE ${connection.name(ask.name)} NOLOGIN`);
      }),
    setPassword: (ask) =>
      withConnection(ask, (connection) =>
        alterRole(connection, ask, `ALTER ROLE ${connection.name(ask.name)} PASSWORD ${connection.text(ask.verifier)}`),
      ),
    replaceMark: (ask) => withConnection(ask, (connection) => replaceMark(connection, ask)),
    dropDatabase: (ask) => withConnection(ask, (connection) => dropDatabase(connection, ask)),
    dropRole: (ask) =>
      withConnection(ask, async (connection) => {
        const found = await foundBy(connection, ask.name);
        refuseForeignRole(found, ask);
        if (found.role !== undefined) await connection.query(`DROP ROLE IF EXISTS ${connection.name(ask.name)}`);
      }),
  };
}
