/** Options of the S3 integration and their validation. */

import type { RateLimits } from '../../sdk/index.ts';
import { awsEndpoints } from '../aws/endpoints.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import type { S3Address } from './address.ts';
import { bucketsOn } from './buckets.ts';
import { iamClientOf, s3ClientOf } from './clients.ts';
import { isNamePrefix } from './names.ts';
import type { AccessKey, S3Server } from './server.ts';
import { usersOn } from './users.ts';

/** IAM with a user for each workspace. */
export interface S3Users {
  /** Address of IAM's API. @default AWS's */
  readonly endpoint?: string;
  /** Path of the users in IAM. @default '/workspace-sequencer/' */
  readonly path?: string;
  /** ARN of the permissions boundary of the users. @default none */
  readonly permissionsBoundary?: string;
}

/** Options of {@link s3Bucket}. */
export interface S3BucketOptions {
  /** Server, and the credential for creating buckets. */
  readonly server: S3Address;
  /** Address of the server for workspaces. @default the address of `server` */
  readonly address?: string;
  /** Creates an IAM user for each workspace, with its key in a Secret. @default no users */
  readonly users?: S3Users;
  /** Access key that all workspaces get in a Secret, for servers without IAM: each of them can do what it can. Not with `users`. @default none */
  readonly sharedKey?: AccessKey;
  /** First word of the names of buckets and users: a-z, 0-9 and `-`, 16 characters at most. @default 'ws' */
  readonly prefix?: string;
  /** Account that owns the buckets, 12 digits: AWS refuses those of others. @default not checked */
  readonly account?: string;
  /** Days after which objects expire, of workspaces that ask for no fewer; 0 for never. @default 0 */
  readonly expireAfterDays?: number;
  /** Keeps former versions of objects, of workspaces that do not say so themselves. @default false */
  readonly versioning?: boolean;
  /** Deletes what is left in a bucket when its workspace goes; `false`: such a bucket stays, and the workspace waits. @default true */
  readonly emptyOnDelete?: boolean;
  /** ms until a request is given up. @default 15 000 */
  readonly deadline?: number;
  /** Maximum interval in ms between two drift checks, shortened by up to a quarter. @default 300 000 */
  readonly driftInterval?: number;
  /** Rate limits of the credential; integrations with one credential must share one object. @default 20 calls per second, 20 at once */
  readonly limits?: RateLimits;
  /** Operations on the server, for tests. @default by the packages `@aws-sdk/client-s3` and `@aws-sdk/client-iam` */
  readonly operations?: S3Server;
}

/** Options with their defaults. */
export interface CheckedS3Options {
  readonly operations: S3Server;
  /** Address of the server for workspaces. */
  readonly address: string;
  readonly region: string;
  /** Undefined where only the machine knows them. */
  readonly endpoints: readonly string[] | undefined;
  readonly hasUsers: boolean;
  readonly sharedKey: AccessKey | undefined;
  readonly prefix: string;
  /** 0 for never. */
  readonly expireAfterDays: number;
  readonly versioning: boolean;
  readonly emptyOnDelete: boolean;
  /** ms */
  readonly deadline: number;
  /** ms */
  readonly driftInterval: number;
  readonly limits: RateLimits;
}

/** Most days that a lifecycle rule is given. */
export const maxDays = 3_650;

const known = [
  ...['server', 'address', 'users', 'sharedKey', 'prefix', 'account', 'expireAfterDays', 'versioning', 'emptyOnDelete'],
  ...['deadline', 'driftInterval', 'limits', 'operations'],
];

const { refuse, members, wholeNumber, baseUrl, headerSecret }: OptionChecks = optionChecks('s3Bucket');

const matching = (option: string, value: unknown, [pattern, expected]: readonly [RegExp, string]): string =>
  typeof value === 'string' && pattern.test(value) ? value : refuse(option, expected, value ?? 'nothing');

const flag = (option: string, value: unknown): boolean =>
  typeof value === 'boolean' ? value : refuse(option, 'true or false', value);

const isKeyId = /^[\x21-\x7e]{3,128}$/;

function checkKey(option: string, { accessKeyId, secretAccessKey }: Partial<AccessKey>): void {
  matching(`${option}.accessKeyId`, accessKeyId, [isKeyId, '3 to 128 printable ASCII characters without spaces']);
  headerSecret(`${option}.secretAccessKey`, secretAccessKey);
}

function checkedServer(server: S3Address): S3Address {
  members('server', server, ['endpoint', 'region', 'accessKeyId', 'secretAccessKey', 'pathStyle', 'ca']);
  const { endpoint, region, accessKeyId, secretAccessKey, pathStyle, ca } = server;
  matching('server.region', region, [/^[a-z0-9][a-z0-9-]{0,62}$/, 'the name of a region, such as us-east-1']);
  if (accessKeyId !== undefined || secretAccessKey !== undefined) checkKey('server', server);
  if (pathStyle !== undefined) flag('server.pathStyle', pathStyle);
  if (ca !== undefined) matching('server.ca', ca, [/-----BEGIN CERTIFICATE-----/, 'certificates in PEM']);
  return endpoint === undefined ? server : { ...server, endpoint: baseUrl('server.endpoint', endpoint) };
}

/** IAM of the users, with its defaults. */
type CheckedUsers = S3Users & { readonly path: string };

function checkedUsers(users: S3Users, server: S3Address): CheckedUsers {
  members('users', users, ['endpoint', 'path', 'permissionsBoundary']);
  const { endpoint, path = '/workspace-sequencer/', permissionsBoundary } = users;
  if (endpoint === undefined && server.endpoint !== undefined)
    refuse('users.endpoint', 'the address of IAM, since the server is not at AWS');
  if (permissionsBoundary !== undefined)
    matching('users.permissionsBoundary', permissionsBoundary, [/^arn:[!-~]{16,2044}$/, 'the ARN of a policy']);
  return {
    ...users,
    path: matching('users.path', path, [/^\/([!-.0-~]{1,126}\/)*$/, 'a path that begins and ends with /']),
    ...(endpoint !== undefined && { endpoint: baseUrl('users.endpoint', endpoint) }),
  };
}

const withoutUsers = async (): Promise<never> => refuse('users', 'given');

/** Returns the operations on a real server. */
function operationsOn(
  server: S3Address,
  users: CheckedUsers | undefined,
  { account, deadline }: { readonly account: string | undefined; readonly deadline: number },
): S3Server {
  const { endpoint: _, ...credential } = server;
  const iam = { ...credential, ...(users?.endpoint !== undefined && { endpoint: users.endpoint }) };
  return {
    ...bucketsOn(s3ClientOf(server, deadline), { region: server.region, account }),
    ...usersOn(users === undefined ? withoutUsers : iamClientOf(iam, deadline), users ?? { path: '/' }),
  };
}

const addressOf = ({ endpoint, region }: S3Address): string => endpoint ?? `https://s3.${region}.amazonaws.com`;

const iamAddressesOf = (users: S3Users | undefined): readonly string[] =>
  users === undefined ? [] : [users.endpoint ?? 'https://iam.amazonaws.com'];

function checkSharedKey(sharedKey: S3BucketOptions['sharedKey'], hasUsers: boolean): void {
  if (sharedKey === undefined) return;
  if (hasUsers) refuse('sharedKey', 'left out where there are users');
  members('sharedKey', sharedKey, ['accessKeyId', 'secretAccessKey']);
  checkKey('sharedKey', sharedKey);
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedS3Options(options: S3BucketOptions): CheckedS3Options {
  members('options', options, known);
  const server = checkedServer(options.server);
  const { sharedKey, prefix = 'ws', account, address, deadline: timeout = 15_000 } = options;
  const { expireAfterDays = 0, versioning = false, emptyOnDelete = true, driftInterval = 300_000 } = options;
  const users = options.users === undefined ? undefined : checkedUsers(options.users, server);
  checkSharedKey(sharedKey, users !== undefined);
  if (account !== undefined) matching('account', account, [/^\d{12}$/, '12 digits']);
  if (typeof prefix !== 'string' || !isNamePrefix(prefix))
    refuse('prefix', 'up to 16 characters of a-z, 0-9 and -, none of the words that AWS has reserved', prefix);
  const deadline = wholeNumber('deadline', timeout, { min: 1, max: 86_400_000 });
  return {
    operations: options.operations ?? operationsOn(server, users, { account, deadline }),
    address: address === undefined ? addressOf(server) : baseUrl('address', address),
    region: server.region,
    endpoints: awsEndpoints(server, [addressOf(server), ...iamAddressesOf(users)]),
    hasUsers: users !== undefined,
    sharedKey,
    prefix,
    expireAfterDays: wholeNumber('expireAfterDays', expireAfterDays, { min: 0, max: maxDays }),
    versioning: flag('versioning', versioning),
    emptyOnDelete: flag('emptyOnDelete', emptyOnDelete),
    deadline,
    driftInterval: wholeNumber('driftInterval', driftInterval, { min: 1, max: 2 ** 31 - 1 }),
    limits: options.limits ?? { rate: 20, burst: 20 },
  };
}
