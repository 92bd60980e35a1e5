/** S3 server with IAM in memory, as strict as a real one about what the integration asks of it. */

import type { Ask, FoundBucket, FoundUser, S3Server } from '../../../../integrations/s3/server.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

interface Bucket extends FoundBucket {
  /** Number of versions, delete markers and unfinished uploads in it. */
  readonly holds: number;
  /** Account that owns it. */
  readonly account: 'own' | 'another';
}

interface User extends FoundUser {
  readonly keys: readonly string[];
}

/** All that a server holds. */
interface Cloud {
  readonly buckets: Map<string, Bucket>;
  readonly users: Map<string, User>;
}

/** Stand-in, with what it holds. */
export interface MemoryServer extends S3Server, Cloud {}

/** Error as the AWS SDK throws it. */
export const awsError = (name: string, httpStatusCode: number, message = name): Error =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

/** Versions that one call of `emptyBucket` deletes. */
export const emptiedAtOnce = 3;

type Names = Pick<Ask, 'name' | 'mark'>;

function refuseForeign(what: string, found: { readonly mark: string | undefined }, { name, mark }: Names): void {
  if (found.mark === mark) return;
  const whose = found.mark === undefined ? 'bears no mark' : `bears the mark of ${found.mark}`;
  throw new DefiniteError(`the ${what} ${name} ${whose}: it is left alone`);
}

/** Returns the bucket of that name, if there is one of this account. */
function readable({ buckets }: Cloud, { name }: Pick<Ask, 'name'>): Bucket | undefined {
  const bucket = buckets.get(name);
  if (bucket?.account === 'another') throw awsError('AccessDenied', 403, 'Access Denied.');
  return bucket;
}

function ownBucket(cloud: Cloud, ask: Names): Bucket | undefined {
  const bucket = readable(cloud, ask);
  if (bucket !== undefined) refuseForeign('bucket', bucket, ask);
  return bucket;
}

function ownUser({ users }: Cloud, ask: Names): User {
  const user = users.get(ask.name);
  if (user === undefined) throw new DefiniteError(`there is no user ${ask.name}`);
  refuseForeign('user', user, ask);
  return user;
}

function bucketOperations(cloud: Cloud) {
  const { buckets } = cloud;
  return {
    async readBucket(ask) {
      const bucket = readable(cloud, ask);
      return bucket && { mark: bucket.mark, versioning: bucket.versioning, expireAfterDays: bucket.expireAfterDays };
    },
    async createBucket({ name, mark }) {
      const there = buckets.get(name);
      if (there?.account === 'another') throw awsError('BucketAlreadyExists', 409);
      if (there !== undefined && (there.mark !== undefined || there.holds > 0))
        throw awsError('BucketAlreadyOwnedByYou', 409);
      buckets.set(name, { versioning: false, expireAfterDays: 0, ...there, mark, holds: 0, account: 'own' });
    },
    async configureBucket({ versioning, expireAfterDays, ...ask }) {
      const bucket = ownBucket(cloud, ask);
      if (bucket === undefined) throw new DefiniteError(`there is no bucket ${ask.name}`);
      buckets.set(ask.name, { ...bucket, versioning, expireAfterDays });
    },
    async emptyBucket(ask) {
      const bucket = ownBucket(cloud, ask);
      const left = Math.max(0, (bucket?.holds ?? 0) - emptiedAtOnce);
      if (bucket !== undefined) buckets.set(ask.name, { ...bucket, holds: left });
      return left === 0 ? 'empty' : 'more';
    },
    async deleteBucket(ask) {
      const bucket = ownBucket(cloud, ask);
      if (bucket !== undefined && bucket.holds > 0) throw awsError('BucketNotEmpty', 409, 'The bucket is not empty');
      buckets.delete(ask.name);
    },
  } satisfies Partial<S3Server>;
}

function userOperations(cloud: Cloud) {
  const { users } = cloud;
  let made = 0;
  return {
    async readUser({ name }) {
      const user = users.get(name);
      return user && { mark: user.mark, bucket: user.bucket };
    },
    async createUser({ name, mark }) {
      if (users.has(name))
        throw awsError('EntityAlreadyExistsException', 409, `User with name ${name} already exists.`);
      users.set(name, { mark, bucket: '', keys: [] });
    },
    async allowUser({ bucket, ...ask }) {
      users.set(ask.name, { ...ownUser(cloud, ask), bucket });
    },
    async newKey(ask) {
      made += 1;
      const accessKeyId = `AKIA${`${made}`.padStart(12, '0')}`;
      users.set(ask.name, { ...ownUser(cloud, ask), keys: [accessKeyId] });
      return { accessKeyId, secretAccessKey: `secret-of-${accessKeyId}` };
    },
    async closeUser(ask) {
      if (users.has(ask.name)) users.set(ask.name, { ...ownUser(cloud, ask), bucket: '', keys: [] });
    },
    async deleteUser(ask) {
      if (users.has(ask.name)) ownUser(cloud, ask);
      users.delete(ask.name);
    },
  } satisfies Partial<S3Server>;
}

/** Starts a server without buckets and users. */
export function createMemoryServer(): MemoryServer {
  const cloud: Cloud = { buckets: new Map(), users: new Map() };
  return { ...cloud, ...bucketOperations(cloud), ...userOperations(cloud) };
}
