/** PostgreSQL server in memory, as strict as a real one about what the integration asks of it. */

import type { Ask, FoundDatabase, FoundRole, PostgresServer } from '../../../../integrations/postgres/server.ts';
import type { SqlError } from '../../../../integrations/postgres/sql-error.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

interface Role extends FoundRole {
  readonly verifier: string;
}

interface Database extends Omit<FoundDatabase, 'granted'> {
  readonly template: string;
  readonly allowsConnections: boolean;
  /** True when the role has the right to connect. */
  readonly isGranted: boolean;
  /** True when the role owns what came with the template. */
  readonly hasObjects: boolean;
}

/** All that a server holds. */
interface Cluster {
  readonly roles: Map<string, Role>;
  readonly databases: Map<string, Database>;
  /** Names of databases that have connections. */
  readonly inUse: Set<string>;
}

/** Stand-in, with what it holds. */
export interface MemoryServer extends PostgresServer, Cluster {}

/** Error as the server sends it. */
export const sqlError = (code: string, message: string): SqlError =>
  Object.assign(new Error(message), { severity: 'ERROR', code });

const foreign = (what: string, name: string, mark: string | undefined): DefiniteError => {
  const whose = mark === undefined ? 'bears no mark' : `bears the mark of ${mark}`;
  return new DefiniteError(`the ${what} ${name} ${whose}: it is left alone; rename or drop it there`);
};

type Names = Pick<Ask, 'name' | 'mark'>;

/** Refuses a role, or a database that is not the role's unfinished one, with none of the marks. */
function refuseForeign({ roles, databases }: Cluster, { name, mark }: Names, former: readonly string[] = []): void {
  const [role, database] = [roles.get(name), databases.get(name)];
  const isOne = (found: string | undefined): boolean => found !== undefined && [mark, ...former].includes(found);
  if (role !== undefined && !isOne(role.mark)) throw foreign('role', name, role.mark);
  if (database === undefined || (database.mark === undefined && database.ownedByRole)) return;
  if (!isOne(database.mark)) throw foreign('database', name, database.mark);
}

function roleOf({ roles }: Cluster, { name, mark }: Names): Role {
  const role = roles.get(name);
  if (role === undefined) throw new DefiniteError(`there is no role ${name}`);
  if (role.mark !== mark) throw foreign('role', name, role.mark);
  return role;
}

function databaseOf(cluster: Cluster, ask: Names): Database {
  roleOf(cluster, ask);
  refuseForeign(cluster, ask);
  const database = cluster.databases.get(ask.name);
  if (database === undefined) throw sqlError('3D000', `database "${ask.name}" does not exist`);
  return database;
}

function roleOperations(cluster: Cluster) {
  const { roles, databases } = cluster;
  const change = (ask: Names, members: Partial<Role>): void =>
    void roles.set(ask.name, { ...roleOf(cluster, ask), ...members });
  return {
    findRole: async ({ mark }) => [...roles].find(([, role]) => role.mark === mark)?.[0],
    async createRole({ name, mark, verifier, connectionLimit }) {
      const chosen = [...databases].find(([, database]) => database.mark === mark)?.[0] ?? name;
      if (roles.has(chosen)) throw sqlError('42710', `role "${chosen}" already exists`);
      roles.set(chosen, { mark, verifier, connectionLimit, canLogin: false });
      return chosen;
    },
    openRole: async ({ connectionLimit, ...ask }) => change(ask, { canLogin: true, connectionLimit }),
    async closeRole(ask) {
      if (roles.has(ask.name)) change(ask, { canLogin: false });
    },
    setPassword: async ({ verifier, ...ask }) => change(ask, { verifier }),
    async replaceMark({ former, ...ask }) {
      const role = roles.get(ask.name);
      if (role === undefined) throw new DefiniteError(`there is no role ${ask.name}`);
      refuseForeign(cluster, ask, former);
      roles.set(ask.name, { ...role, mark: ask.mark });
      const database = databases.get(ask.name);
      if (database?.mark !== undefined) databases.set(ask.name, { ...database, mark: ask.mark });
    },
    async dropRole(ask) {
      if (!roles.has(ask.name)) return;
      roleOf(cluster, ask);
      if (databases.has(ask.name))
        throw sqlError('2BP01', `role "${ask.name}" cannot be dropped because some objects depend on it`);
      roles.delete(ask.name);
    },
  } satisfies Partial<PostgresServer>;
}

function databaseOperations(cluster: Cluster) {
  const { roles, databases, inUse } = cluster;
  return {
    async read({ name }) {
      const database = databases.get(name);
      const mayConnect = database?.isGranted === true || database?.isPublic === true;
      const granted = database?.allowsConnections === true && roles.has(name) && mayConnect;
      return { role: roles.get(name), database: database && { ...database, granted } };
    },
    async createDatabase(ask) {
      roleOf(cluster, ask);
      const { name, template } = ask;
      if (databases.has(name)) throw sqlError('42P04', `database "${name}" already exists`);
      if (!['template0', 'shop'].includes(template))
        throw sqlError('3D000', `template database "${template}" does not exist`);
      if (inUse.has(template))
        throw sqlError('55006', `source database "${template}" is being accessed by other users`);
      const state = { mark: undefined, ownedByRole: true, isPublic: true, statementTimeout: 0, template };
      databases.set(name, { ...state, isGranted: false, allowsConnections: false, hasObjects: false });
    },
    async handOver({ statementTimeout, ...ask }) {
      const handedOver = { ownedByRole: false, isPublic: false, isGranted: true, allowsConnections: true };
      databases.set(ask.name, { ...databaseOf(cluster, ask), ...handedOver, mark: ask.mark, statementTimeout });
    },
    async giveObjects(ask) {
      const database = databaseOf(cluster, ask);
      if (!database.allowsConnections)
        throw sqlError('55000', `database "${ask.name}" is not currently accepting connections`);
      if (roles.get(ask.name)?.canLogin) throw new Error(`the tenant may be in ${ask.name} already`);
      databases.set(ask.name, { ...database, hasObjects: true });
    },
    async dropDatabase({ force, ...ask }) {
      refuseForeign(cluster, ask);
      if (databases.has(ask.name) && inUse.has(ask.name) && !force)
        throw sqlError('55006', `database "${ask.name}" is being accessed by other users`);
      databases.delete(ask.name);
      inUse.delete(ask.name);
    },
  } satisfies Partial<PostgresServer>;
}

/** Starts a server without roles and databases; its templates are `template0` and `shop`. */
export function createMemoryServer(): MemoryServer {
  const cluster: Cluster = { roles: new Map(), databases: new Map(), inUse: new Set() };
  return { ...cluster, ...roleOperations(cluster), ...databaseOperations(cluster) };
}
