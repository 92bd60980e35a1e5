/** Clients of S3 and IAM, by the packages `@aws-sdk/client-s3` and `@aws-sdk/client-iam`. */

import type { IAMClient, IAMClientConfig } from '@aws-sdk/client-iam';
import type { S3Client } from '@aws-sdk/client-s3';
import { vendorLibrary } from '../vendor-library.ts';
import type { AccessKey } from './server.ts';

/** Server, and the credential with which buckets are made on it. */
export interface S3Address {
  /** Address of the API. @default AWS's in that region */
  readonly endpoint?: string;
  readonly region: string;
  /** @default as the AWS SDK finds it: environment, web identity, instance role */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  /** Buckets stand in the path of an address instead of its host name. @default true with an `endpoint` */
  readonly pathStyle?: boolean;
  /** Certificates of authorities, in PEM, by one of which the server's is signed. @default the system's */
  readonly ca?: string;
}

/** Library with one client of it. */
export interface Loaded<Library, Client> {
  readonly library: Library;
  readonly client: Client;
}

/** Loads S3's library and makes its client, once. */
export type LoadS3 = () => Promise<Loaded<typeof import('@aws-sdk/client-s3'), S3Client>>;

/** Loads IAM's library and makes its client, once. */
export type LoadIam = () => Promise<Loaded<typeof import('@aws-sdk/client-iam'), IAMClient>>;

/** One bucket, as the requests about it name it. */
export interface BucketRequests {
  readonly library: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  /** Members of every request. */
  readonly of: { readonly Bucket: string; readonly ExpectedBucketOwner?: string };
  readonly abort: { readonly abortSignal: AbortSignal };
}

const door = 'integrations/s3';

/** Settings of both clients: no repetition, since one would turn a lost answer into "exists already". */
function configOf({ endpoint, region, ca, ...address }: S3Address, deadline: number) {
  const { accessKeyId, secretAccessKey } = address as AccessKey;
  return {
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: deadline,
      requestTimeout: deadline,
      throwOnRequestTimeout: true,
      ...(ca !== undefined && { httpsAgent: { ca, keepAlive: true } }),
    },
  } satisfies IAMClientConfig;
}

/** Calls a function when it is first asked for; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Returns a function that loads S3's client. @param deadline ms for each request */
export const s3ClientOf = (address: S3Address, deadline: number): LoadS3 =>
  once(async () => {
    const library = await vendorLibrary('@aws-sdk/client-s3', door, async () => import('@aws-sdk/client-s3'));
    const client = new library.S3Client({
      ...configOf(address, deadline),
      forcePathStyle: address.pathStyle ?? address.endpoint !== undefined,
      requestChecksumCalculation: 'WHEN_REQUIRED', // others than AWS know no more
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { library, client };
  });

/** Returns a function that loads IAM's client. @param deadline ms for each request */
export const iamClientOf = (address: S3Address, deadline: number): LoadIam =>
  once(async () => {
    const library = await vendorLibrary('@aws-sdk/client-iam', door, async () => import('@aws-sdk/client-iam'));
    return { library, client: new library.IAMClient(configOf(address, deadline)) };
  });
