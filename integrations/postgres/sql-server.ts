/** Operations on a PostgreSQL server, as SQL. */

import { DefiniteError } from '../../sdk/index.ts';
import type { Ask, Found, FoundDatabase, FoundRole, PostgresServer } from './server.ts';
import type { InSession, Session } from './session.ts';

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

async function foundBy(session: Session, name: string): Promise<Found> {
  const [role] = await session.query(roleOf, [name]);
  const [database] = await session.query(databaseOf, [name]);
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
async function requireRole(session: Session, { name, mark }: Ask): Promise<Found> {
  const found = await foundBy(session, name);
  if (found.role === undefined) throw new DefiniteError(`there is no role ${name}`);
  refuseForeignRole(found, { name, mark });
  return found;
}

function refuseForeignRole({ role }: Found, { name, mark }: Pick<Ask, 'name' | 'mark'>): void {
  if (role !== undefined && role.mark !== mark)
    throw new DefiniteError(`the role ${name} ${markOf(role.mark)}: it is left alone`);
}

/** Refuses a database with another mark, and one without any that is not owned by the role. */
function refuseForeignDatabase({ database }: Found, { name, mark }: Pick<Ask, 'name' | 'mark'>): void {
  if (database === undefined || database.mark === mark) return;
  if (database.mark === undefined && database.ownedByRole) return; // its creation was cut short
  throw new DefiniteError(`the database ${name} ${markOf(database.mark)}: it is left alone`);
}

async function createRole(
  session: Session,
  { name, mark, verifier, connectionLimit }: Parameters<PostgresServer['createRole']>[0],
): Promise<string> {
  const kept = await session.query(
    `SELECT datname FROM pg_database WHERE shobj_description(oid, 'pg_database') = $1 ORDER BY oid LIMIT 1`,
    [mark],
  );
  const chosen = (kept[0]?.datname as string | undefined) ?? name;
  const role = session.name(chosen);
  await session.transaction(async () => {
    const password = session.text(verifier);
    await session.query(`CREATE ROLE ${role} NOLOGIN CONNECTION LIMIT ${connectionLimit} PASSWORD ${password}`);
    await session.query(`COMMENT ON ROLE ${role} IS ${session.text(mark)}`);
    await session.query(`GRANT ${role} TO CURRENT_USER`);
  });
  return chosen;
}

async function handOver(session: Session, ask: Parameters<PostgresServer['handOver']>[0]): Promise<void> {
  await session.transaction(async () => {
    const found = await requireRole(session, ask);
    refuseForeignDatabase(found, ask);
    const name = session.name(ask.name);
    const timeout =
      ask.statementTimeout > 0 ? `SET statement_timeout = ${ask.statementTimeout}` : 'RESET statement_timeout';
    await session.query(`COMMENT ON DATABASE ${name} IS ${session.text(ask.mark)}`);
    if (found.database?.ownedByRole) await session.query(`ALTER DATABASE ${name} OWNER TO CURRENT_USER`);
    await session.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
    await session.query(`GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${name} TO ${name}`);
    await session.query(`ALTER DATABASE ${name} ${timeout}`);
    await session.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  });
}

/** Gives the role what came with the template: all but extensions, whose objects stay as they were installed, and what belongs to a table. */
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
      AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.classid = s.classid AND p.objid = s.objid AND p.deptype IN ('e', 'a', 'i')
        AND p.refclassid IN ('pg_extension'::regclass, 'pg_class'::regclass))
    ORDER BY o.type <> 'schema'
  LOOP
    EXECUTE format('ALTER %s %s OWNER TO %I', one.type, one.identity, heir);
  END LOOP;
END
$do$`;

async function giveObjects(session: Session, name: string): Promise<void> {
  await session.transaction(async () => {
    await session.query(`SELECT set_config('workspace_sequencer.heir', $1, true)`, [name]);
    await session.query(giveAll);
  });
}

async function remark(session: Session, { former, ...ask }: Parameters<PostgresServer['remark']>[0]): Promise<void> {
  await session.transaction(async () => {
    const found = await foundBy(session, ask.name);
    if (found.role === undefined) throw new DefiniteError(`there is no role ${ask.name}`);
    const one = (mark: string | undefined): string => (mark !== undefined && former.includes(mark) ? mark : ask.mark);
    refuseForeignRole(found, { name: ask.name, mark: one(found.role.mark) });
    refuseForeignDatabase(found, { name: ask.name, mark: one(found.database?.mark) });
    const [name, mark] = [session.name(ask.name), session.text(ask.mark)];
    await session.query(`COMMENT ON ROLE ${name} IS ${mark}`);
    if (found.database?.mark !== undefined) await session.query(`COMMENT ON DATABASE ${name} IS ${mark}`);
  });
}

async function dropDatabase(session: Session, ask: Parameters<PostgresServer['dropDatabase']>[0]): Promise<void> {
  const found = await foundBy(session, ask.name);
  refuseForeignRole(found, ask);
  refuseForeignDatabase(found, ask);
  if (found.database === undefined) return;
  await session.query(`DROP DATABASE IF EXISTS ${session.name(ask.name)}${ask.force ? ' WITH (FORCE)' : ''}`);
}

/** Executes a statement about a role of that mark, in one transaction. */
const alterRole = (session: Session, ask: Ask, statement: string): Promise<void> =>
  session.transaction(async () => {
    await requireRole(session, ask);
    await session.query(statement);
  });

/** Returns the operations on a real server; each opens a connection of its own. */
export function sqlServer(inSession: InSession): PostgresServer {
  return {
    findRole: (ask) =>
      inSession(ask, async (session) => {
        const rows = await session.query(
          `SELECT rolname FROM pg_roles WHERE shobj_description(oid, 'pg_authid') = $1 ORDER BY oid LIMIT 1`,
          [ask.mark],
        );
        return rows[0]?.rolname as string | undefined;
      }),
    read: (ask) => inSession(ask, (session) => foundBy(session, ask.name)),
    createRole: (ask) => inSession(ask, (session) => createRole(session, ask)),
    createDatabase: (ask) =>
      inSession(ask, async (session) => {
        await requireRole(session, ask);
        const [name, template] = [session.name(ask.name), session.name(ask.template)];
        await session.query(`CREATE DATABASE ${name} OWNER ${name} TEMPLATE ${template} ALLOW_CONNECTIONS false`);
      }),
    handOver: (ask) => inSession(ask, (session) => handOver(session, ask)),
    async giveObjects(ask) {
      await inSession(ask, async (session) => refuseForeignDatabase(await requireRole(session, ask), ask));
      await inSession({ ...ask, database: ask.name }, (session) => giveObjects(session, ask.name));
    },
    openRole: (ask) =>
      inSession(ask, (session) =>
        alterRole(session, ask, `ALTER ROLE ${session.name(ask.name)} LOGIN CONNECTION LIMIT ${ask.connectionLimit}`),
      ),
    closeRole: (ask) =>
      inSession(ask, async (session) => {
        const found = await foundBy(session, ask.name);
        refuseForeignRole(found, ask);
        if (found.role?.canLogin) await alterRole(session, ask, `ALTER ROLE ${session.name(ask.name)} NOLOGIN`);
      }),
    setPassword: (ask) =>
      inSession(ask, (session) =>
        alterRole(session, ask, `ALTER ROLE ${session.name(ask.name)} PASSWORD ${session.text(ask.verifier)}`),
      ),
    remark: (ask) => inSession(ask, (session) => remark(session, ask)),
    dropDatabase: (ask) => inSession(ask, (session) => dropDatabase(session, ask)),
    dropRole: (ask) =>
      inSession(ask, async (session) => {
        const found = await foundBy(session, ask.name);
        refuseForeignRole(found, ask);
        if (found.role !== undefined) await session.query(`DROP ROLE IF EXISTS ${session.name(ask.name)}`);
      }),
  };
}
