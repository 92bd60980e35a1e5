/** In-memory database server for demonstrations, with the condition and outputs of `postgresDatabase`. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { defineIntegration, type Integration, refuseUnknown, secretNameOf, secretsRule } from '../../sdk/index.ts';
import { checkMemoryStore, createMemoryStore, type MemoryStore, memoryResource } from './store.ts';

/** Database of a workspace. */
export interface MemoryDatabase {
  readonly connectionLimit: number;
}

/** Databases in a Map, without a server. */
export type MemoryDatabaseServer = MemoryStore<MemoryDatabase>;

/** Creates a server without databases. */
export const createMemoryDatabaseServer = (): MemoryDatabaseServer => createMemoryStore<MemoryDatabase>();

/** Options of {@link memoryDatabase}. */
export interface MemoryDatabaseOptions {
  /** @default a new one */
  readonly server?: MemoryDatabaseServer;
}

const member = 'memory-database';
const host = 'database.memory.invalid';
const port = 5432;

/** Keeps a database for each workspace with a `spec.integrations['memory-database']`; its URI with the password is in the Secret `<workspace>-database`. */
export function memoryDatabase(options: MemoryDatabaseOptions = {}): Integration {
  refuseUnknown('memoryDatabase', options, ['server']);
  const { server = createMemoryDatabaseServer() } = options;
  checkMemoryStore('memoryDatabase', server);
  const database = memoryResource({
    label: 'database',
    prefix: 'ws_',
    store: server,
    secretFor(name) {
      const password = randomBytes(18).toString('base64url');
      return { uri: `memory://${name}:${password}@${host}:${port}/${name}`, password };
    },
  });
  return defineIntegration({
    name: member,
    endpoints: [],
    condition: 'Database',
    settings: z.strictObject({ connectionLimit: z.int().min(1).max(100).default(20) }),
    outputs: {
      host: { description: 'Host of the server.' },
      port: { description: 'Port of the server.' },
      database: { description: 'Name of the database, and of its role.' },
      uri: { description: 'Address with the password: memory://role:password@host:port/database.', secret: true },
      password: { description: 'Password of the role.', secret: true },
    },
    permissions: [secretsRule],
    handles: ({ spec }) => spec.integrations?.[member] !== undefined,
    connect: ({ workspace, controller }) => ({
      async reconcile(wanted) {
        const result = await controller.ensure(database, wanted);
        const id = controller.refs.at(-1)?.id as { readonly name?: string } | undefined;
        if (controller.condition.status !== 'Completed' || id?.name === undefined) return result;
        const keyOf = (key: string) => ({
          secretKeyRef: { name: secretNameOf(workspace, controller.condition.type), key },
        });
        const secrets = { uri: keyOf('uri'), password: keyOf('password') };
        await controller.setOutputs({ host, port: `${port}`, database: id.name, ...secrets });
        return result;
      },
      terminate: () => controller.destroy(database),
    }),
  });
}
