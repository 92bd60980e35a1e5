/** PostgreSQL integration: a database and a role per workspace. */

import { defineIntegration, type Integration, type ProviderController, secretsRule } from '../../sdk/index.ts';
import { type CheckedPostgresOptions, checkedPostgresOptions, type PostgresDatabaseOptions } from './options.ts';
import { databaseResource } from './resource.ts';
import { asksForDatabase, member, wishOf } from './wish.ts';

export type { PostgresAddress } from './connection.ts';
export type { PostgresDatabaseOptions } from './options.ts';
export type { Ask, Found, FoundDatabase, FoundRole, PostgresServer } from './server.ts';

async function reconcile(controller: ProviderController, options: CheckedPostgresOptions) {
  const wish = wishOf(controller.workspace, options);
  if (typeof wish === 'string') return controller.updateCondition('Error', wish);
  const { statementTimeout } = options;
  const wanted = { connectionLimit: wish.connectionLimit, statementTimeout, access: 'own role' } as const;
  return controller.ensure(databaseResource(options, wish.template), wanted);
}

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
    secrets: [options.server.password],
    permissions: [secretsRule],
    limits: checked.limits,
    handles: asksForDatabase,
    connect: ({ controller }) => ({
      reconcile: () => reconcile(controller, checked),
      terminate: () => controller.destroy(databaseResource(checked, checked.template)),
    }),
  });
}
