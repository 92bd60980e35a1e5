/** PostgreSQL server in memory, as strict as a real one about what the integration asks of it. */

import type { SqlError } from '../../../integrations/postgres/refusal.ts';
import type { Ask, FoundDatabase, FoundRole, PostgresServer } from '../../../integrations/postgres/server.ts';
import { DefiniteError } from '../../../sdk/index.ts';

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

/** Stand-in, with what it holds. */
export interface MemoryServer extends PostgresServer {
  readonly roles: Map<string, Role>;
  readonly databases: Map<string, Database>;
  /** Names of databases that somebody is connected to. */
  readonly inUse: Set<string>;
}

/** Error as the server sends it. */
export const sqlError = (code: string, message: string): SqlError =>
  Object.assign(new Error(message), { severity: 'ERROR', code });

const foreign = (what: string, name: string, mark: string | undefined): DefiniteError =>
  new DefiniteError(
    `the ${what} ${name} ${mark === undefined ? 'bears no mark' : `bears the mark of ${mark}`}: it is left alone`,
  );

/** Starts a server without roles and databases. */
export function createMemoryServer(): MemoryServer {
  const roles = new Map<string, Role>();
  const databases = new Map<string, Database>();
  const inUse = new Set<string>();
  const refuseForeign = ({ name, mark }: Pick<Ask, 'name' | 'mark'>, marks: readonly string[] = [mark]): void => {
    const [role, database] = [roles.get(name), databases.get(name)];
    const isOne = (found: string | undefined): boolean => found !== undefined && marks.includes(found);
    if (role !== undefined && !isOne(role.mark)) throw foreign('role', name, role.mark);
    if (database === undefined || (database.mark === undefined && database.ownedByRole)) return;
    if (!isOne(database.mark)) throw foreign('database', name, database.mark);
  };
  const roleOf = (ask: Ask): Role => {
    const role = roles.get(ask.name);
    if (role === undefined) throw new DefiniteError(`there is no role ${ask.name}`);
    if (role.mark !== ask.mark) throw foreign('role', ask.name, role.mark);
    return role;
  };
  const change = (ask: Ask, members: Partial<Role>): void => void roles.set(ask.name, { ...roleOf(ask), ...members });
  const databaseOf = (ask: Ask): Database => {
    roleOf(ask);
    refuseForeign(ask);
    const database = databases.get(ask.name);
    if (database === undefined) throw sqlError('3D000', `database "${ask.name}" does not exist`);
    return database;
  };

  return {
    roles,
    databases,
    inUse,
    findRole: async ({ mark }) => [...roles].find(([, role]) => role.mark === mark)?.[0],
    async read({ name }) {
      const database = databases.get(name);
      const granted =
        database?.allowsConnections === true && roles.has(name) && (database.isGranted || database.isPublic);
      return { role: roles.get(name), database: database && { ...database, granted } };
    },
    async createRole({ name, mark, verifier, connectionLimit }) {
      const chosen = [...databases].find(([, database]) => database.mark === mark)?.[0] ?? name;
      if (roles.has(chosen)) throw sqlError('42710', `role "${chosen}" already exists`);
      roles.set(chosen, { mark, verifier, connectionLimit, canLogin: false });
      return chosen;
    },
    async createDatabase(ask) {
      roleOf(ask);
      if (databases.has(ask.name)) throw sqlError('42P04', `database "${ask.name}" already exists`);
      if (!['template0', 'shop'].includes(ask.template))
        throw sqlError('3D000', `template database "${ask.template}" does not exist`);
      if (inUse.has(ask.template))
        throw sqlError('55006', `source database "${ask.template}" is being accessed by other users`);
      databases.set(ask.name, {
        mark: undefined,
        ownedByRole: true,
        isPublic: true,
        isGranted: false,
        allowsConnections: false,
        statementTimeout: 0,
        template: ask.template,
        hasObjects: false,
      });
    },
    async handOver({ statementTimeout, ...ask }) {
      const handedOver = { ownedByRole: false, isPublic: false, isGranted: true, allowsConnections: true };
      databases.set(ask.name, { ...databaseOf(ask), ...handedOver, mark: ask.mark, statementTimeout });
    },
    async giveObjects(ask) {
      const database = databaseOf(ask);
      if (!database.allowsConnections)
        throw sqlError('55000', `database "${ask.name}" is not currently accepting connections`);
      if (roles.get(ask.name)?.canLogin) throw new Error(`the tenant may be in ${ask.name} already`);
      databases.set(ask.name, { ...database, hasObjects: true });
    },
    openRole: async ({ connectionLimit, ...ask }) => change(ask, { canLogin: true, connectionLimit }),
    async closeRole(ask) {
      refuseForeign({ ...ask }, [ask.mark]);
      if (roles.has(ask.name)) change(ask, { canLogin: false });
    },
    setPassword: async ({ verifier, ...ask }) => change(ask, { verifier }),
    async remark({ former, ...ask }) {
      const role = roles.get(ask.name);
      if (role === undefined) throw new DefiniteError(`there is no role ${ask.name}`);
      refuseForeign(ask, [ask.mark, ...former]);
      roles.set(ask.name, { ...role, mark: ask.mark });
      const database = databases.get(ask.name);
      if (database?.mark !== undefined) databases.set(ask.name, { ...database, mark: ask.mark });
    },
    async dropDatabase({ force, ...ask }) {
      refuseForeign(ask);
      if (databases.has(ask.name) && inUse.has(ask.name) && !force)
        throw sqlError('55006', `database "${ask.name}" is being accessed by other users`);
      databases.delete(ask.name);
      inUse.delete(ask.name);
    },
    async dropRole(ask) {
      const role = roles.get(ask.name);
      if (role !== undefined && role.mark !== ask.mark) throw foreign('role', ask.name, role.mark);
      if (databases.has(ask.name))
        throw sqlError('2BP01', `role "${ask.name}" cannot be dropped because some objects depend on it`);
      roles.delete(ask.name);
    },
  };
}
