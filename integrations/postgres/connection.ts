/** Connections to a PostgreSQL server, by the package `pg`. */

import type { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { DefiniteError } from '../../sdk/index.ts';
import { guardedStream } from '../guarded-stream.ts';
import { vendorLibrary } from '../vendor-library.ts';
import { isSqlError } from './sql-error.ts';

/** Server, and the credential for creating roles and databases. */
export interface PostgresAddress {
  readonly host: string;
  /** @default 5432 */
  readonly port?: number;
  readonly user: string;
  readonly password: string;
  /** Database in which the credential logs in. @default 'postgres' */
  readonly database?: string;
  /** TLS: options of Node's `tls.connect`, such as `ca`; `true` for the system's certificate authorities. @default false */
  readonly ssl?: boolean | ConnectionOptions;
}

/** Connection to one database, for the time of one piece of work. */
export interface SqlConnection {
  /** Executes a statement. @throws the server's error, with its SQLSTATE as `code` */
  query(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Executes statements in one transaction. */
  transaction(work: () => Promise<void>): Promise<void>;
  /** Quotes a name. */
  name(text: string): string;
  /** Quotes a text. */
  text(text: string): string;
}

/** Bounds of one piece of work. */
export interface ConnectionBounds {
  /** @default the credential's own */
  readonly database?: string;
  /** Ends the connection, which cancels its statement on the server. */
  readonly signal: AbortSignal;
}

/** Opens a connection, works, and closes it. */
export type WithConnection = <T>(
  bounds: ConnectionBounds,
  work: (connection: SqlConnection) => Promise<T>,
) => Promise<T>;

/** Connection settings, as far as the server supports them: it checks each second that the client is connected, and cancels the statement otherwise. */
const settings = `SELECT set_config(name, '1000', false) FROM pg_settings WHERE name = 'client_connection_check_interval'`;

/** ms beyond the timeout of a statement within which the server must report its cancellation. */
const grace = 1_000;

/** Part of `pg`'s connection: its stream changes to one with TLS when that is established. */
interface PgConnection extends EventEmitter {
  readonly stream: Socket;
}

/** Parsers by type OID: bool and integers. All other types are read as text. */
const readers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [21, Number],
  [23, Number],
]);

/**
 * Returns a function that connects to a server. Names in statements are looked up in pg_catalog only, so that nothing in a tenant's database takes
 * their place. @param deadline ms for the connection, and for each statement
 */
export function connectionsTo(address: PostgresAddress, deadline: number): WithConnection {
  return async ({ database = address.database ?? 'postgres', signal }, work) => {
    const { Client } = await vendorLibrary('pg', 'integrations/postgres', async () => import('pg'));
    const client = new Client({
      host: address.host,
      port: address.port ?? 5432,
      user: address.user,
      password: address.password,
      database,
      ssl: address.ssl ?? false,
      connectionTimeoutMillis: deadline,
      statement_timeout: deadline,
      lock_timeout: deadline,
      application_name: 'workspace-sequencer',
      options: '-c search_path=pg_catalog',
      query_timeout: deadline + grace,
      types: { getTypeParser: (type: number) => readers.get(type) ?? String },
      stream: () => guardedStream(new Socket({ signal })),
    });
    const wire = (client as unknown as { readonly connection: PgConnection }).connection;
    wire.on('sslconnect', () => guardedStream(wire.stream));
    client.on('error', () => {}); // the statement that is under way fails with it
    const connection: SqlConnection = {
      query: async (text, values) => (await client.query(text, values && [...values])).rows,
      async transaction(within) {
        await client.query('BEGIN');
        await within();
        await client.query('COMMIT');
      },
      name: (text) => client.escapeIdentifier(text),
      text: (text) => client.escapeLiteral(text),
    };
    try {
      await client.connect().catch((cause: unknown) => {
        if (isSqlError(cause) || signal.aborted) throw cause;
        const where = `${address.host}:${address.port ?? 5432}`;
        throw new DefiniteError(`PostgreSQL at ${where} does not answer: ${(cause as Error).message}`, { cause });
      });
      await connection.query(settings);
      return await work(connection);
    } catch (error) {
      throw signal.aborted && !isSqlError(error) ? signal.reason : error;
    } finally {
      void client.end().catch(() => {});
      wire.stream.destroySoon(); // a server may never end it
    }
  };
}
