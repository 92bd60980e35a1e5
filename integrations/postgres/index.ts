/** PostgreSQL integration: a database and a role per workspace. */

import {
  defineIntegration,
  type Integration,
  type OutputDeclarations,
  type ProviderController,
  type Result,
  secretNameOf,
  secretsRule,
} from '../../sdk/index.ts';
import { endpointAt } from '../endpoints.ts';
import { type CheckedPostgresOptions, checkedPostgresOptions, type PostgresDatabaseOptions } from './options.ts';
import { type DatabaseId, databaseResource } from './resource.ts';
import { asksForDatabase, databaseSettingsOf, member } from './settings.ts';

export type { PostgresAddress } from './connection.ts';
export type { PostgresDatabaseOptions } from './options.ts';
export type { Ask, FoundDatabase, FoundObjects, FoundRole, PostgresServer } from './server.ts';

const outputs: OutputDeclarations = {
  host: { description: 'Host of the server.' },
  port: { description: 'Port of the server.' },
  database: { description: 'Name of the database, and of its role.' },
  uri: { description: 'Address with the password: postgresql://role:password@host:port/database.', secret: true },
  password: { description: 'Password of the role.', secret: true },
};

/** Sets the outputs of an up-to-date database. */
async function setOutputs(controller: ProviderController, { uri }: CheckedPostgresOptions): Promise<void> {
  const id = controller.refs.at(-1)?.id as Partial<DatabaseId> | undefined;
  if (controller.condition.status !== 'Completed' || id?.name === undefined) return;
  const name = secretNameOf(controller.workspace, controller.condition.type);
  const keyOf = (key: string) => ({ secretKeyRef: { name, key } });
  const secrets = { uri: keyOf('uri'), password: keyOf('password') };
  await controller.setOutputs({ host: uri.host, port: `${uri.port}`, database: id.name, ...secrets });
}

async function reconcile(controller: ProviderController, options: CheckedPostgresOptions): Promise<Result | void> {
  const settings = databaseSettingsOf(controller.workspace, options);
  if (typeof settings === 'string') return controller.updateCondition('Error', settings);
  const { statementTimeout } = options;
  const wanted = { connectionLimit: settings.connectionLimit, statementTimeout, access: 'own role' } as const;
  const result = await controller.ensure(databaseResource(options, settings.template), wanted);
  await setOutputs(controller, options);
  return result;
}

/** Returns where the server is; none for one behind a socket of this machine. */
const endpointsOf = ({ host, port = 5432 }: PostgresDatabaseOptions['server']): readonly string[] =>
  host.startsWith('/') ? [] : [endpointAt({ host, port })];

/**
 * Keeps a PostgreSQL database, and a role that alone may use it, for each workspace with a `spec.integrations['postgres-database']`; the URI with the
 * password is in the Secret `<workspace>-database`. Needs the package `pg`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function postgresDatabase(options: PostgresDatabaseOptions): Integration {
  const checked = checkedPostgresOptions(options);
  return defineIntegration({
    name: member,
    condition: 'Database',
    outputs,
    secrets: [options.server.password],
    endpoints: endpointsOf(options.server),
    permissions: [secretsRule],
    limits: checked.limits,
    handles: asksForDatabase,
    connect: ({ controller }) => ({
      reconcile: () => reconcile(controller, checked),
      terminate: () => controller.destroy(databaseResource(checked, checked.template)),
    }),
  });
}
