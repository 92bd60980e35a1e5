/** Clients of S3 and IAM, by the packages `@aws-sdk/client-s3` and `@aws-sdk/client-iam`. */

import type { IAMClient } from '@aws-sdk/client-iam';
import type { S3Client } from '@aws-sdk/client-s3';
import { withBoundedResponses } from '../aws/bounded-responses.ts';
import { awsClientConfig, type Loaded, once } from '../aws/client-config.ts';
import { vendorLibrary } from '../vendor-library.ts';
import type { S3Address } from './address.ts';

/** Loads S3's library and creates its client, once. */
export type LoadS3 = () => Promise<Loaded<typeof import('@aws-sdk/client-s3'), S3Client>>;

/** Loads IAM's library and creates its client, once. */
export type LoadIam = () => Promise<Loaded<typeof import('@aws-sdk/client-iam'), IAMClient>>;

/** One bucket, as the requests about it name it. */
export interface BucketRequests {
  readonly library: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  /** Members of every request. */
  readonly of: { readonly Bucket: string; readonly ExpectedBucketOwner?: string };
  readonly abort: { readonly abortSignal: AbortSignal };
}

const entryPoint = 'integrations/s3';

/** Returns a function that loads S3's client. @param deadline ms for each request */
export const s3ClientOf = (address: S3Address, deadline: number): LoadS3 =>
  once(async () => {
    const library = await vendorLibrary('@aws-sdk/client-s3', entryPoint, async () => import('@aws-sdk/client-s3'));
    const client = new library.S3Client({
      ...awsClientConfig(address, deadline),
      forcePathStyle: address.pathStyle ?? address.endpoint !== undefined,
      requestChecksumCalculation: 'WHEN_REQUIRED', // others than AWS know no more
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { library, client: withBoundedResponses(client, deadline) };
  });

/** Returns a function that loads IAM's client. @param deadline ms for each request */
export const iamClientOf = (address: S3Address, deadline: number): LoadIam =>
  once(async () => {
    const library = await vendorLibrary('@aws-sdk/client-iam', entryPoint, async () => import('@aws-sdk/client-iam'));
    const client = new library.IAMClient(awsClientConfig(address, deadline));
    return { library, client: withBoundedResponses(client, deadline) };
  });
