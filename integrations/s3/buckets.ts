/** Operations on buckets, by the client of S3. */

import type { LifecycleRule } from '@aws-sdk/client-s3';
import { DefiniteError } from '../../sdk/index.ts';
import { hasCode } from '../aws/aws-error.ts';
import type { BucketRequests, LoadS3 } from './clients.ts';
import { emptyBucket } from './empty-bucket.ts';
import { expiryIn, withExpiry } from './lifecycle.ts';
import type { Ask, FoundBucket, S3Server } from './server.ts';
import { markIn, ownerTags, refuseForeign, type Tag } from './tags.ts';

type Library = typeof import('@aws-sdk/client-s3');

/** Settings of buckets. */
export interface BucketSettings {
  readonly region: string;
  /** Account that owns the buckets: another one's are refused by the server. */
  readonly account?: string | undefined;
}

type BucketOperations = Pick<
  S3Server,
  'readBucket' | 'createBucket' | 'configureBucket' | 'emptyBucket' | 'deleteBucket'
>;

/** Returns the tags of a bucket, possibly none; undefined without the bucket. @throws Error for the response of another server: it says nothing of the bucket */
async function tagsOf({ library, client, of, abort }: BucketRequests): Promise<readonly Tag[] | undefined> {
  try {
    const { TagSet } = await client.send(new library.GetBucketTaggingCommand(of), abort);
    if (TagSet === undefined)
      throw new Error(`no list of the tags of ${of.Bucket} was returned: check server.endpoint`);
    return TagSet as readonly Tag[];
  } catch (error) {
    if (hasCode(error, 'NoSuchTagSet')) return [];
    if (hasCode(error, 'NoSuchBucket')) return undefined;
    throw error;
  }
}

/** Returns the lifecycle rules of a bucket; none if the server does not support them. */
async function rulesOf({ library, client, of, abort }: BucketRequests): Promise<readonly LifecycleRule[]> {
  try {
    return (await client.send(new library.GetBucketLifecycleConfigurationCommand(of), abort)).Rules ?? [];
  } catch (error) {
    if (hasCode(error, 'NoSuchLifecycleConfiguration', 'NotImplemented')) return [];
    throw error;
  }
}

async function isVersioned({ library, client, of, abort }: BucketRequests): Promise<boolean> {
  return (await client.send(new library.GetBucketVersioningCommand(of), abort)).Status === 'Enabled';
}

/** Refuses a bucket with another mark. @returns whether the bucket exists */
async function isOwn(requests: BucketRequests, ask: Ask): Promise<boolean> {
  const tags = await tagsOf(requests);
  if (tags !== undefined) refuseForeign('bucket', markIn(tags), ask);
  return tags !== undefined;
}

/** Reports whether a bucket is empty: without objects, versions and unfinished uploads. */
async function isEmpty({ library, client, of, abort }: BucketRequests): Promise<boolean> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(
    new library.ListObjectVersionsCommand({ ...of, MaxKeys: 1 }),
    abort,
  );
  const { Uploads = [] } = await client.send(new library.ListMultipartUploadsCommand({ ...of, MaxUploads: 1 }), abort);
  return Versions.length + DeleteMarkers.length + Uploads.length === 0;
}

/**
 * Finds out whose a bucket is that has just been created or was there: in us-east-1, AWS reports the creation of what is the account's already as a
 * success. One without any tag that is empty is marked.
 */
async function claim(requests: BucketRequests, ask: Ask, taken: Error | undefined): Promise<void> {
  const { library, client, of, abort } = requests;
  const tags = await tagsOf(requests);
  const found = markIn(tags);
  if (found === ask.mark && taken === undefined) return;
  if (tags?.length === 0 && (await isEmpty(requests))) {
    const tagging = { ...of, Tagging: { TagSet: ownerTags(ask) } };
    await client.send(new library.PutBucketTaggingCommand(tagging), abort);
    return;
  }
  if (taken !== undefined) throw taken;
  throw Object.assign(
    new Error(`the bucket ${ask.name} bears ${found === undefined ? 'no mark' : `the mark of ${found}`}`),
    {
      name: 'BucketAlreadyExists',
      $metadata: { httpStatusCode: 409 },
    },
  );
}

async function createBucket(requests: BucketRequests, ask: Ask, { region }: BucketSettings): Promise<void> {
  const { library, client, of, abort } = requests;
  const where = region === 'us-east-1' ? {} : { LocationConstraint: region as never };
  const configuration = { CreateBucketConfiguration: { ...where, Tags: ownerTags(ask) } };
  const taken = await client.send(new library.CreateBucketCommand({ Bucket: of.Bucket, ...configuration }), abort).then(
    () => undefined,
    (error: Error) => {
      if (hasCode(error, 'BucketAlreadyOwnedByYou')) return error;
      throw error;
    },
  );
  await claim(requests, ask, taken).catch((cause: Error) => {
    if (taken !== undefined || hasCode(cause, 'BucketAlreadyExists')) throw cause;
    throw new Error(`the bucket ${ask.name} was made, and then: ${cause.message}`, { cause }); // it is there: no definite failure
  });
}

async function configureBucket(
  requests: BucketRequests,
  ask: Parameters<S3Server['configureBucket']>[0],
): Promise<void> {
  const { library, client, of, abort } = requests;
  const { versioning, expireAfterDays } = ask;
  if (!(await isOwn(requests, ask))) throw new DefiniteError(`there is no bucket ${ask.name}`);
  if ((await isVersioned(requests)) !== versioning) {
    const status = { VersioningConfiguration: { Status: versioning ? ('Enabled' as const) : ('Suspended' as const) } };
    await client.send(new library.PutBucketVersioningCommand({ ...of, ...status }), abort);
  }
  const rules = await rulesOf(requests);
  if (expiryIn(rules) === expireAfterDays) return;
  const Rules = withExpiry(rules, expireAfterDays);
  const command =
    Rules.length === 0
      ? new library.DeleteBucketLifecycleCommand(of)
      : new library.PutBucketLifecycleConfigurationCommand({ ...of, LifecycleConfiguration: { Rules } });
  await client.send(command as InstanceType<Library['DeleteBucketLifecycleCommand']>, abort);
}

async function readBucket(requests: BucketRequests): Promise<FoundBucket | undefined> {
  try {
    const tags = await tagsOf(requests);
    if (tags === undefined) return undefined;
    const [versioning, rules] = await Promise.all([isVersioned(requests), rulesOf(requests)]);
    return { mark: markIn(tags), versioning, expireAfterDays: expiryIn(rules) };
  } catch (error) {
    if (hasCode(error, 'NoSuchBucket')) return undefined; // deleted concurrently
    throw error;
  }
}

/** Returns the operations on the buckets of a real server. */
export function bucketsOn(load: LoadS3, settings: BucketSettings): BucketOperations {
  const owned = settings.account === undefined ? {} : { ExpectedBucketOwner: settings.account };
  const about = async ({ name, signal }: Pick<Ask, 'name' | 'signal'>): Promise<BucketRequests> => ({
    ...(await load()),
    of: { Bucket: name, ...owned },
    abort: { abortSignal: signal },
  });
  return {
    readBucket: async (ask) => readBucket(await about(ask)),
    createBucket: async (ask) => createBucket(await about(ask), ask, settings),
    configureBucket: async (ask) => configureBucket(await about(ask), ask),
    async emptyBucket(ask) {
      const requests = await about(ask);
      return (await isOwn(requests, ask)) ? emptyBucket(requests) : 'empty';
    },
    async deleteBucket(ask) {
      const requests = await about(ask);
      const { library, client, of, abort } = requests;
      if (!(await isOwn(requests, ask))) return;
      await client.send(new library.DeleteBucketCommand(of), abort).catch((error: unknown) => {
        if (!hasCode(error, 'NoSuchBucket')) throw error;
      });
    },
  };
}
