/** Options of the PostgreSQL integration and their validation. */

import { type RateLimits, refuseUnknown } from '../../sdk/index.ts';
import { connectionsTo, type PostgresAddress } from './connection.ts';
import type { PostgresServer } from './server.ts';
import { sqlServer } from './sql-server.ts';

/** Options of {@link postgresDatabase}. */
export interface PostgresDatabaseOptions {
  /** Server, and the credential for creating roles and databases: CREATEDB and CREATEROLE suffice. */
  readonly server: PostgresAddress;
  /** Address of the server in the URIs that workspaces get, and parameters after it, such as `sslmode=require`. @default that of `server` */
  readonly address?: { readonly host: string; readonly port?: number; readonly parameters?: string };
  /** First word of the names of roles and databases: a-z, 0-9 and `_`, 16 characters at most. @default 'ws' */
  readonly prefix?: string;
  /** Default template of databases. @default 'template0', which allows no connections */
  readonly template?: string;
  /** Templates that a workspace may name in its spec. @default [] */
  readonly templates?: readonly string[];
  /** Maximum number of connections of one workspace, whose spec may request less. @default 20 */
  readonly connectionLimit?: number;
  /** ms after which a statement of a workspace is cancelled, unless its connection says otherwise; 0 for never. @default 60 000 */
  readonly statementTimeout?: number;
  /** Terminates remaining connections when a database is dropped. @default false: it is dropped after the last one has ended */
  readonly dropConnections?: boolean;
  /** ms until a statement of this integration is cancelled: as long as copying a template may take. @default 15 000 */
  readonly deadline?: number;
  /** Maximum interval in ms between two drift checks, shortened by up to a quarter. @default 300 000 */
  readonly driftInterval?: number;
  /** Rate limits of the credential; integrations with one credential must share one object. @default 20 calls per second, 20 at once */
  readonly limits?: RateLimits;
  /** Operations on the server, for tests. @default by the package `pg` */
  readonly operations?: PostgresServer;
}

/** Options with their defaults. */
export interface CheckedPostgresOptions {
  readonly operations: PostgresServer;
  /** Address for workspaces; in URIs it is `host:port`, and `query` follows the name of the database. */
  readonly uri: { readonly host: string; readonly port: number; readonly address: string; readonly query: string };
  readonly prefix: string;
  readonly template: string;
  readonly templates: readonly string[];
  readonly connectionLimit: number;
  /** ms; 0 for none. */
  readonly statementTimeout: number;
  readonly dropConnections: boolean;
  /** ms */
  readonly deadline: number;
  /** ms */
  readonly driftInterval: number;
  readonly limits: RateLimits;
}

const known = [
  'server',
  'address',
  'prefix',
  'template',
  'templates',
  'connectionLimit',
  'statementTimeout',
  'dropConnections',
  'deadline',
  'driftInterval',
  'limits',
  'operations',
];

function refuse(option: string, expected: string, found?: unknown): never {
  const seen = found === undefined ? '' : `, not ${JSON.stringify(found)}`;
  throw new TypeError(`postgresDatabase: ${option} must be ${expected}${seen}`);
}

function part(option: string, value: unknown, members: readonly string[]): void {
  if (typeof value !== 'object' || value === null)
    refuse(option, `an object { ${members.join(', ')} }`, value ?? 'nothing');
  refuseUnknown(`postgresDatabase: ${option}`, value, members);
}

function wholeNumber(option: string, value: unknown, [min, max]: readonly [number, number]): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    refuse(option, `a whole number from ${min} to ${max}`, value);
  return value;
}

function text(option: string, value: unknown, expected = 'a text that is not empty'): string {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) refuse(option, expected, value ?? 'nothing');
  return value;
}

/** Names of databases; a longer one would be cut by the server, and mean another. */
function databaseNameOption(option: string, value: unknown): string {
  const name = text(option, value, 'the name of a database');
  return Buffer.byteLength(name) > 63 ? refuse(option, 'a name of 63 bytes at most', name) : name;
}

const port = (option: string, value: unknown): number => wholeNumber(option, value ?? 5432, [1, 65_535]);

/** Validates the server's address; the password is never quoted in a message. */
function checkServer(server: PostgresAddress): void {
  part('server', server, ['host', 'port', 'user', 'password', 'database', 'ssl']);
  for (const member of ['host', 'user'] as const) text(`server.${member}`, server[member]);
  if (typeof server.password !== 'string' || server.password === '')
    refuse('server.password', 'a text that is not empty');
  if (server.database !== undefined) databaseNameOption('server.database', server.database);
  if (!['undefined', 'boolean', 'object'].includes(typeof server.ssl) || server.ssl === null)
    refuse('server.ssl', 'a boolean, or options of tls.connect');
  port('server.port', server.port);
}

function uriOf({ server, address = server }: PostgresDatabaseOptions): CheckedPostgresOptions['uri'] {
  if (address !== server) part('address', address, ['host', 'port', 'parameters']);
  const { host, parameters } = address as NonNullable<PostgresDatabaseOptions['address']>;
  if (parameters !== undefined) text('address.parameters', parameters);
  const name = text('address.host', host);
  const number = port('address.port', address.port);
  return {
    host: name,
    port: number,
    address: `${name.includes(':') ? `[${name}]` : name}:${number}`,
    query: parameters === undefined ? '' : `?${parameters}`,
  };
}

function prefixOf(prefix: unknown): string {
  if (typeof prefix !== 'string' || !/^[a-z][a-z0-9_]{0,15}$/.test(prefix))
    refuse('prefix', 'up to 16 characters of a-z, 0-9 and _, a letter first', prefix);
  return prefix;
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedPostgresOptions(options: PostgresDatabaseOptions): CheckedPostgresOptions {
  part('options', options, known);
  checkServer(options.server);
  const { templates = [], dropConnections = false, deadline = 15_000, driftInterval = 300_000 } = options;
  if (!Array.isArray(templates)) refuse('templates', 'a list of names of databases', templates);
  if (typeof dropConnections !== 'boolean') refuse('dropConnections', 'true or false', dropConnections);
  const bound = wholeNumber('deadline', deadline, [1, 86_400_000]);
  return {
    operations: options.operations ?? sqlServer(connectionsTo(options.server, bound)),
    uri: uriOf(options),
    prefix: prefixOf(options.prefix ?? 'ws'),
    template: databaseNameOption('template', options.template ?? 'template0'),
    templates: templates.map((name, index) => databaseNameOption(`templates[${index}]`, name)),
    connectionLimit: wholeNumber('connectionLimit', options.connectionLimit ?? 20, [1, 10_000]),
    statementTimeout: wholeNumber('statementTimeout', options.statementTimeout ?? 60_000, [0, 2 ** 31 - 1]),
    dropConnections,
    deadline: bound,
    driftInterval: wholeNumber('driftInterval', driftInterval, [1, 2 ** 31 - 1]),
    limits: options.limits ?? { rate: 20, burst: 20 },
  };
}
