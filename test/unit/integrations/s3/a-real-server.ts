/** Real S3 server with IAM, and the least credential that the integration needs. */

import { randomBytes } from 'node:crypto';
import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  IAMClient,
  ListUsersCommand,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import {
  CreateBucketCommand,
  GetBucketVersioningCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutBucketTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Address } from '../../../../integrations/s3/address.ts';
import { bucketsOn } from '../../../../integrations/s3/buckets.ts';
import { iamClientOf, s3ClientOf } from '../../../../integrations/s3/clients.ts';
import type { AccessKey, S3Server } from '../../../../integrations/s3/index.ts';
import { usersOn } from '../../../../integrations/s3/users.ts';
import type { Thing } from '../../../compliance/index.ts';
import { startVersitygw, type Versitygw } from '../../../system/real/versitygw.ts';

/** Rights that the README asks for, for names that begin with `ws-`. */
const rights = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: [
        ...['s3:CreateBucket', 's3:TagResource', 's3:DeleteBucket', 's3:GetBucketTagging', 's3:PutBucketTagging'],
        ...['s3:GetBucketVersioning', 's3:PutBucketVersioning'],
        ...['s3:GetLifecycleConfiguration', 's3:PutLifecycleConfiguration'],
        ...['s3:ListBucketVersions', 's3:ListBucketMultipartUploads'],
      ],
      Resource: 'arn:aws:s3:::ws-*',
    },
    {
      Effect: 'Allow',
      Action: ['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:AbortMultipartUpload'],
      Resource: 'arn:aws:s3:::ws-*/*',
    },
    {
      Effect: 'Allow',
      Action: [
        ...['iam:CreateUser', 'iam:TagUser', 'iam:DeleteUser'],
        ...['iam:PutUserPolicy', 'iam:GetUserPolicy', 'iam:DeleteUserPolicy'],
        ...['iam:CreateAccessKey', 'iam:ListAccessKeys', 'iam:DeleteAccessKey'],
      ],
      Resource: 'arn:aws:iam::*:user/workspace-sequencer/ws-*',
    },
    { Effect: 'Allow', Action: ['iam:GetUser'], Resource: '*' }, // a user that is not there has no name to match
  ],
};

/** Server, and what its tests do with it. */
export interface RealServer {
  readonly versitygw: Versitygw;
  /** Address with the credential of the sequencer. */
  readonly address: Required<Pick<S3Address, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>>;
  /** Operations of the integration with that credential. */
  readonly operations: S3Server;
  /** Client that may do everything. */
  readonly s3: S3Client;
  /** Returns a client with the key of a workspace. */
  clientOf(key: AccessKey): S3Client;
  /** Buckets and users of workspaces, in words that are the same in every run. */
  things(): Promise<readonly Thing[]>;
  /** Deletes all buckets and users of workspaces. */
  empty(): Promise<void>;
}

const { signal } = new AbortController();

/** Names of the buckets of workspaces. */
async function bucketsOf(s3: S3Client): Promise<readonly string[]> {
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  return Buckets.flatMap(({ Name }) => (Name?.startsWith('ws-') ? [Name] : []));
}

/** Names of the users of workspaces. */
async function usersOf(iam: IAMClient): Promise<readonly string[]> {
  const { Users = [] } = await iam.send(new ListUsersCommand({}));
  return Users.flatMap(({ UserName }) => (UserName?.startsWith('ws-') ? [UserName] : []));
}

async function thingsOn(s3: S3Client, iam: IAMClient, operations: S3Server): Promise<readonly Thing[]> {
  const buckets = (await bucketsOf(s3)).map(async (Bucket) => {
    const { Status } = await s3.send(new GetBucketVersioningCommand({ Bucket }));
    return { id: `bucket ${Bucket}`, what: `bucket${Status === 'Enabled' ? ', versioned' : ''}` };
  });
  const users = (await usersOf(iam)).map(async (name) => {
    const user = await operations.readUser({ name, signal });
    return { id: `user ${name}`, what: `user of ${user?.bucket === name ? 'its bucket' : `"${user?.bucket}"`}` };
  });
  return (await Promise.all([...buckets, ...users])).sort((a, b) => a.id.localeCompare(b.id));
}

/** Returns what a bucket holds: versions, delete markers, unfinished uploads. */
export async function heldIn(s3: S3Client, Bucket: string): Promise<readonly [number, number, number]> {
  const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
  return [Versions.length, DeleteMarkers.length, Uploads.length];
}

/** Creates a bucket, and tags it. */
export async function createTagged(
  s3: S3Client,
  Bucket: string,
  tags: Readonly<Record<string, string>>,
): Promise<void> {
  await s3.send(new CreateBucketCommand({ Bucket }));
  const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  if (TagSet.length > 0) await s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
}

/** Makes the user of the sequencer. */
async function sequencerKey(iam: IAMClient): Promise<AccessKey> {
  const UserName = `sequencer-${randomBytes(4).toString('hex')}`;
  await iam.send(new CreateUserCommand({ UserName }));
  const PolicyDocument = JSON.stringify(rights);
  await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'sequencer', PolicyDocument }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  return { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' };
}

/** Returns the operations on a server with that credential. */
export const operationsOn = ({ s3, iam, region }: Versitygw, key: AccessKey): S3Server => ({
  ...bucketsOn(s3ClientOf({ endpoint: s3, region, ...key }, 15_000), { region }),
  ...usersOn(iamClientOf({ endpoint: iam, region, ...key }, 15_000), { path: '/workspace-sequencer/' }),
});

/** Starts one. */
export async function startRealServer(): Promise<RealServer> {
  const versitygw = await startVersitygw();
  const { region, root } = versitygw;
  const clientOf = (credentials: AccessKey) =>
    new S3Client({ endpoint: versitygw.s3, region, credentials, forcePathStyle: true, maxAttempts: 1 });
  const [s3, iam] = [clientOf(root), new IAMClient({ endpoint: versitygw.iam, region, credentials: root })];
  const key = await sequencerKey(iam);
  const everything = operationsOn(versitygw, root);
  return {
    versitygw,
    address: { endpoint: versitygw.s3, region, ...key },
    operations: operationsOn(versitygw, key),
    s3,
    clientOf,
    things: () => thingsOn(s3, iam, everything),
    async empty() {
      for (const name of await bucketsOf(s3)) {
        const ask = { name, mark: (await everything.readBucket({ name, signal }))?.mark as string, signal };
        while ((await everything.emptyBucket(ask)) === 'more');
        await everything.deleteBucket(ask);
      }
      for (const name of await usersOf(iam)) {
        const mark = (await everything.readUser({ name, signal }))?.mark as string;
        await everything.deleteUser({ name, mark, signal });
      }
    },
  };
}
