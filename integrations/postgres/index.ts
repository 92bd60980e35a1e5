/** PostgreSQL integration: a database and a role per workspace. */

import {
  defineIntegration,
  type Integration,
  ignoreNotFound,
  isOwnedBy,
  type OutputDeclarations,
  type ProviderController,
  type Result,
  Secret,
  secretNameOf,
  secretsRule,
} from '../../sdk/index.ts';
import { endpointAt } from '../endpoints.ts';
import { type CheckedPostgresOptions, checkedPostgresOptions, type PostgresDatabaseOptions } from './options.ts';
import { type DatabaseId, databaseResource, databaseUri } from './resource.ts';
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

/** Options, and the uids of the workspaces whose Secret has the present address. */
interface PostgresSetup extends CheckedPostgresOptions {
  readonly addressed: Set<string>;
}

const uidOf = ({ workspace }: ProviderController): string => workspace.metadata.uid ?? '';

/** Replaces the address in the Secret where the options tell another one since; the password stays. Looks once for each workspace. */
async function renewAddress(
  controller: ProviderController,
  { uri, addressed }: PostgresSetup,
  { name, secret }: { readonly name: string; readonly secret: string },
): Promise<void> {
  const { policy, workspace } = controller;
  if (policy === 'plan' || policy === 'observeOnly' || addressed.has(uidOf(controller))) return;
  const kept = await ignoreNotFound(controller.get(Secret, { name: secret }));
  const { uri: before = '', password = '' } = kept?.data ?? {};
  if (kept === undefined || !isOwnedBy(kept, workspace) || password === '') return;
  const after = databaseUri(name, atob(password), uri);
  if (atob(before) !== after)
    await controller.patch(Secret, { name: secret }, { type: 'merge', value: { stringData: { uri: after } } });
  addressed.add(uidOf(controller));
}

/** Sets the outputs of an up-to-date database. */
async function setOutputs(controller: ProviderController, options: PostgresSetup): Promise<void> {
  const { uri } = options;
  const id = controller.refs.at(-1)?.id as Partial<DatabaseId> | undefined;
  if (controller.condition.status !== 'Completed' || id?.name === undefined) return;
  const name = secretNameOf(controller.workspace, controller.condition.type);
  await renewAddress(controller, options, { name: id.name, secret: name });
  const keyOf = (key: string) => ({ secretKeyRef: { name, key } });
  const secrets = { uri: keyOf('uri'), password: keyOf('password') };
  await controller.setOutputs({ host: uri.host, port: `${uri.port}`, database: id.name, ...secrets });
}

async function reconcile(controller: ProviderController, options: PostgresSetup): Promise<Result | void> {
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
  const checked: PostgresSetup = { ...checkedPostgresOptions(options), addressed: new Set() };
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
      terminate: () => {
        checked.addressed.delete(uidOf(controller));
        return controller.destroy(databaseResource(checked, checked.template));
      },
    }),
  });
}
