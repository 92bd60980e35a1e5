/** Bucket of a workspace and the user that may use it, as one external resource. */

import { DefiniteError, ExternalAlreadyExistsError, type ExternalResource, externalResource } from '../../sdk/index.ts';
import { hasCode } from '../aws/aws-error.ts';
import { withClassifiedErrors } from '../classify-errors.ts';
import { s3ErrorOf } from './aws-error.ts';
import { bucketName } from './names.ts';
import type { CheckedS3Options } from './options.ts';
import type { Ask, FoundBucket, FoundUser, S3Server } from './server.ts';

/** Desired state. */
export interface WantedBucket {
  readonly versioning: boolean;
  /** 0 for never. */
  readonly expireAfterDays: number;
  /** Keys that can use the bucket: none while it is not there, or its user may not. */
  readonly access: 'own user' | 'no user' | 'none';
}

/** Bucket and user have one name. */
export interface BucketId {
  readonly name: string;
}

/** Placeholder in messages for a missing mark. */
const noOwner = 'no owner';

/** Bucket and user of one name, as far as they exist. */
interface FoundStorage {
  readonly bucket: FoundBucket | undefined;
  /** Absent where buckets have no users. */
  readonly user?: FoundUser | undefined;
}

async function found(server: S3Server, hasUsers: boolean, ask: Pick<Ask, 'name' | 'signal'>): Promise<FoundStorage> {
  const bucket = await server.readBucket(ask);
  return hasUsers ? { bucket, user: await server.readUser(ask) } : { bucket };
}

function accessOf(found: FoundStorage, name: string): WantedBucket['access'] {
  if (found.bucket === undefined) return 'none';
  if (!('user' in found)) return 'no user';
  return found.user?.bucket === name ? 'own user' : 'none';
}

/** Returns whose they are: what claims the name, unless the bucket bears another mark. */
function bearerOf(found: FoundStorage): string {
  const claim = 'user' in found ? found.user : found.bucket;
  const { bucket } = found;
  return (bucket !== undefined && bucket.mark !== claim?.mark ? bucket.mark : claim?.mark) ?? noOwner;
}

/** Creates the bucket of a name that is claimed already. @throws DefiniteError when it exists */
async function createClaimed(server: S3Server, ask: Ask): Promise<void> {
  await server.createBucket(ask).catch((error: unknown) => {
    if (!(error instanceof ExternalAlreadyExistsError)) throw error;
    throw new DefiniteError(`the bucket ${ask.name} belongs to another account: ${error.message}`, { cause: error });
  });
}

/**
 * Returns the bucket of one workspace. Where buckets have users, the user claims the name: it is created with its mark in one request, and may do nothing
 * yet. Else the bucket does. All that follows is an update; the user's key comes last, from `secretOf`.
 */
export function bucketResource(options: CheckedS3Options): ExternalResource<WantedBucket, BucketId> {
  const { hasUsers, emptyOnDelete, prefix, driftInterval, deadline } = options;
  const server = withClassifiedErrors(options.operations, s3ErrorOf);

  /** @returns false when it is not empty yet */
  async function deleteBucket(ask: Ask): Promise<boolean> {
    if (emptyOnDelete && (await server.emptyBucket(ask)) === 'more') return false;
    try {
      await server.deleteBucket(ask);
      return true;
    } catch (error) {
      if (emptyOnDelete && hasCode((error as Error).cause, 'BucketNotEmpty')) return false; // written to meanwhile
      throw error;
    }
  }

  return externalResource<WantedBucket, BucketId>({
    label: 'bucket',
    identity: 'name',
    driftInterval,
    maxRequestMs: deadline,
    async find(owner, { signal }) {
      const ask = { name: bucketName(prefix, owner), signal };
      const claim = await (hasUsers ? server.readUser(ask) : server.readBucket(ask));
      return claim?.mark === owner.mark ? { name: ask.name } : undefined;
    },
    async create(_wanted, { owner, signal }) {
      const ask = { name: bucketName(prefix, owner), mark: owner.mark, signal };
      await (hasUsers ? server.createUser(ask) : server.createBucket(ask));
      return { id: { name: ask.name }, upToDate: false };
    },
    async observe({ name }, { signal }) {
      const seen = await found(server, hasUsers, { name, signal });
      if ((hasUsers ? seen.user : seen.bucket) === undefined) return undefined;
      const { versioning = false, expireAfterDays = 0 } = seen.bucket ?? {};
      return { state: { versioning, expireAfterDays, access: accessOf(seen, name) }, mark: bearerOf(seen) };
    },
    async update({ name }, { versioning, expireAfterDays }, { owner, signal }) {
      const ask = { name, mark: owner.mark, signal };
      if (hasUsers) {
        await server.allowUser({ ...ask, bucket: name });
        if ((await server.readBucket(ask)) === undefined) await createClaimed(server, ask);
      }
      await server.configureBucket({ ...ask, versioning, expireAfterDays });
    },
    ...(hasUsers && {
      async secretOf({ name }, { owner, signal }) {
        const { accessKeyId, secretAccessKey } = await server.newKey({ name, mark: owner.mark, signal });
        return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
      },
    }),
    async delete({ name }, { owner, signal }) {
      const ask = { name, mark: owner.mark, signal };
      if (hasUsers) await server.closeUser(ask);
      if (!(await deleteBucket(ask))) return 'deleting';
      if (hasUsers) await server.deleteUser(ask);
      return 'gone';
    },
  });
}
