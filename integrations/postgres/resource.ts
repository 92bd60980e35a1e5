/** Database and role of a workspace, as one external resource. */

import { DefiniteError, type ExternalResource, externalResource } from '../../sdk/index.ts';
import { withClassifiedErrors } from '../classify-errors.ts';
import { databaseName } from './names.ts';
import type { CheckedPostgresOptions } from './options.ts';
import { newPassword, scramVerifier } from './scram.ts';
import type { FoundObjects } from './server.ts';
import { callErrorOf } from './sql-error.ts';

/** Desired state. */
export interface WantedDatabase {
  readonly connectionLimit: number;
  /** ms; 0 for none. */
  readonly statementTimeout: number | string;
  /** Roles that can use the database: none before it is handed over and after it was dropped, any where PUBLIC may connect. */
  readonly access: 'own role' | 'none' | 'public';
}

/** Role and database have one name. */
export interface DatabaseId {
  readonly name: string;
}

/** Members of the Secret; `uri` is sufficient for a client. */
interface DatabaseSecret extends Readonly<Record<string, string>> {
  readonly uri: string;
  readonly password: string;
}

/** Returns the address with which a client reaches a database. */
export const databaseUri = (
  name: string,
  password: string,
  { address, query }: CheckedPostgresOptions['uri'],
): string => `postgresql://${name}:${password}@${address}/${name}${query}`;

/** Placeholder in messages for a missing mark. */
const noOwner = 'no owner';

function accessOf({ role, database }: FoundObjects): WantedDatabase['access'] {
  if (database?.isPublic && !database.ownedByRole) return 'public';
  const isOurs = database !== undefined && database.mark === role?.mark && !database.ownedByRole;
  return isOurs && database.granted && role?.canLogin ? 'own role' : 'none';
}

/** Returns the owner's mark of role and database: the database's if it differs from the role's. */
const bearerOf = ({ role, database }: FoundObjects): string =>
  database?.mark !== undefined && database.mark !== role?.mark ? database.mark : (role?.mark ?? noOwner);

/**
 * Returns the database of one workspace. It is claimed by its role, which is created with its mark in one transaction, cannot log in yet, and has a name
 * that no other workspace has; all that follows is an update: the database, its rights, and last the login.
 *
 * @param template template of the database, when it is created
 */
export function databaseResource(
  options: CheckedPostgresOptions,
  template: string,
): ExternalResource<WantedDatabase, DatabaseId> {
  const server = withClassifiedErrors(options.operations, callErrorOf);
  const secretFor = (name: string, password: string): DatabaseSecret => ({
    uri: databaseUri(name, password, options.uri),
    password,
  });

  return externalResource<WantedDatabase, DatabaseId>({
    label: 'database',
    identity: 'name',
    driftInterval: options.driftInterval,
    maxRequestMs: options.deadline,
    async find({ mark }, { signal }) {
      const name = await server.findRole({ mark, signal });
      return name === undefined ? undefined : { name };
    },
    async create({ connectionLimit }, { owner, signal }) {
      const password = newPassword();
      const verifier = scramVerifier(password);
      const ask = { name: databaseName(options.prefix, owner), mark: owner.mark, signal };
      const name = await server.createRole({ ...ask, verifier, connectionLimit });
      return { id: { name }, secret: secretFor(name, password), upToDate: false };
    },
    async observe({ name }, { signal }) {
      const found = await server.read({ name, signal });
      if (found.role === undefined) return undefined;
      const { connectionLimit } = found.role;
      const statementTimeout = found.database?.statementTimeout ?? 0;
      return { state: { connectionLimit, statementTimeout, access: accessOf(found) }, mark: bearerOf(found) };
    },
    async update({ name }, { connectionLimit, statementTimeout }, { owner, signal }) {
      const ask = { name, mark: owner.mark, signal };
      const { role, database } = await server.read({ name, signal });
      if (role === undefined) throw new DefiniteError(`there is no role ${name}`);
      const isNew = database === undefined || !role.canLogin;
      if (isNew) await server.closeRole(ask);
      if (database === undefined) await server.createDatabase({ ...ask, template });
      await server.handOver({ ...ask, statementTimeout: Number(statementTimeout) });
      if (isNew) await server.giveObjects(ask);
      await server.openRole({ ...ask, connectionLimit });
    },
    async secretOf({ name }, { owner, signal }) {
      const password = newPassword();
      await server.setPassword({ name, mark: owner.mark, verifier: scramVerifier(password), signal });
      return secretFor(name, password);
    },
    async replaceMark({ name }, { owner, former, signal }) {
      await server.replaceMark({ name, mark: owner.mark, former: former.map(({ mark }) => mark), signal });
    },
    async delete({ name }, { owner, signal }) {
      const ask = { name, mark: owner.mark, signal };
      await server.closeRole(ask);
      await server.dropDatabase({ ...ask, force: options.dropConnections });
      await server.dropRole(ask);
    },
  });
}
