/** Empties buckets, a bounded number of requests at a time. */

import { isDeepStrictEqual } from 'node:util';
import type { ListObjectVersionsCommandOutput, ObjectIdentifier } from '@aws-sdk/client-s3';
import { DefiniteError } from '../../sdk/index.ts';
import { hasCode } from '../aws/aws-error.ts';
import { shortLine } from '../quoted-text.ts';
import type { BucketRequests } from './clients.ts';

/** Requests of one call: some 50 000 objects at most. */
const maxRequests = 100;

/** Versions that one request lists and deletes. */
const pageSize = 1_000;

/** Characters that are invalid in XML: such keys are deleted one by one, in the path of a request. */
const unwritable = /[\p{C}\u2028\u2029]/u;

/** Counts requests. */
interface Budget {
  left: number;
}

/** Decodes a key of a list: lists are requested with encoded keys, since a key may contain any character. */
function decodedKey(key: string | undefined, encoding: string | undefined): string {
  if (key === undefined || encoding !== 'url') return key ?? '';
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    throw new DefiniteError(`S3 lists a key that cannot be read: ${key.slice(0, 100)}; delete the object by hand`);
  }
}

/** Returns the versions and delete markers of one page of a list. */
const identifiersIn = ({ Versions = [], DeleteMarkers = [], EncodingType }: ListObjectVersionsCommandOutput) =>
  [...Versions, ...DeleteMarkers].map(({ Key, VersionId }): ObjectIdentifier & { readonly Key: string } => ({
    Key: decodedKey(Key, EncodingType),
    ...(VersionId !== undefined && { VersionId }),
  }));

async function deleteOne({ library, client, of, abort }: BucketRequests, one: ObjectIdentifier): Promise<void> {
  await client.send(new library.DeleteObjectCommand({ ...of, Key: one.Key, VersionId: one.VersionId }), abort);
}

/** Deletes the versions of one page. @throws DefiniteError naming the first key that the server does not delete */
async function deletePage(
  requests: BucketRequests,
  objects: readonly (ObjectIdentifier & { readonly Key: string })[],
  budget: Budget,
): Promise<void> {
  const { library, client, of, abort } = requests;
  const together = objects.filter(({ Key }) => !unwritable.test(Key));
  if (together.length > 0) {
    budget.left -= 1;
    const Delete = { Objects: together, Quiet: true };
    const { Errors = [] } = await client.send(new library.DeleteObjectsCommand({ ...of, Delete }), abort);
    const [first] = Errors;
    if (first !== undefined) {
      const what = shortLine(`${first.Code}: ${first.Message}`);
      throw new DefiniteError(`S3 does not delete ${JSON.stringify(first.Key?.slice(0, 100))} (${what})`);
    }
  }
  for (const one of objects.filter(({ Key }) => unwritable.test(Key)).slice(0, Math.max(0, budget.left))) {
    budget.left -= 1;
    await deleteOne(requests, one);
  }
}

/** Deletes page after page. @throws DefiniteError for an object that is listed again after its deletion: its key may be one that the list cannot hold */
async function deleteObjects(requests: BucketRequests, budget: Budget): Promise<void> {
  const { library, client, of, abort } = requests;
  let former: ObjectIdentifier | undefined;
  while (budget.left > 0) {
    budget.left -= 1;
    const list = { ...of, MaxKeys: pageSize, EncodingType: 'url' as const };
    const objects = identifiersIn(await client.send(new library.ListObjectVersionsCommand(list), abort));
    const [first] = objects;
    if (first === undefined) return;
    if (isDeepStrictEqual(first, former))
      throw new DefiniteError(
        `S3 continues listing ${JSON.stringify(first.Key.slice(0, 100))} after its deletion: delete it by hand`,
      );
    former = first;
    await deletePage(requests, objects, budget);
  }
}

async function abortUploads(requests: BucketRequests, budget: Budget): Promise<void> {
  const { library, client, of, abort } = requests;
  while (budget.left > 0) {
    budget.left -= 1;
    const list = { ...of, MaxUploads: pageSize, EncodingType: 'url' as const };
    const { Uploads = [], EncodingType } = await client.send(new library.ListMultipartUploadsCommand(list), abort);
    if (Uploads.length === 0) return;
    for (const { Key, UploadId } of Uploads.slice(0, Math.max(0, budget.left))) {
      budget.left -= 1;
      const upload = { ...of, Key: decodedKey(Key, EncodingType), UploadId };
      await client.send(new library.AbortMultipartUploadCommand(upload), abort).catch((error: unknown) => {
        if (!hasCode(error, 'NoSuchUpload')) throw error;
      });
    }
  }
}

/**
 * Deletes objects with all their versions, and unfinished uploads. @param most requests that it sends
 * @returns `more` when they did not suffice
 */
export async function emptyBucket(requests: BucketRequests, most = maxRequests): Promise<'empty' | 'more'> {
  const budget: Budget = { left: most };
  await abortUploads(requests, budget);
  await deleteObjects(requests, budget);
  return budget.left > 0 ? 'empty' : 'more';
}
