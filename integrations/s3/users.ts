/** Operations on the users that may use buckets, by the client of IAM. */

import { isDeepStrictEqual } from 'node:util';
import type { IAMClient } from '@aws-sdk/client-iam';
import { DefiniteError } from '../../sdk/index.ts';
import { hasCode } from '../aws/aws-error.ts';
import type { LoadIam } from './clients.ts';
import type { Ask, FoundUser, S3Server } from './server.ts';
import { markIn, ownerTags, refuseForeign, type Tag } from './tags.ts';

type UserOperations = Pick<S3Server, 'readUser' | 'createUser' | 'allowUser' | 'newKey' | 'closeUser' | 'deleteUser'>;

/** One user, as the requests about it name it. */
interface UserRequests {
  readonly library: typeof import('@aws-sdk/client-iam');
  readonly client: IAMClient;
  readonly of: { readonly UserName: string };
  readonly abort: { readonly abortSignal: AbortSignal };
}

/** Settings of users. */
export interface UserSettings {
  /** Path of the users, such as `/previews/`. */
  readonly path: string;
  /** ARN of the permissions boundary of the users. */
  readonly permissionsBoundary?: string | undefined;
}

const policyName = 'bucket';

/** Returns the policy for reading and writing the objects of one bucket. */
const policyOf = (bucket: string) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: ['s3:ListBucket', 's3:ListBucketVersions', 's3:ListBucketMultipartUploads', 's3:GetBucketLocation'],
      Resource: `arn:aws:s3:::${bucket}`,
    },
    {
      Effect: 'Allow',
      Action: [
        ...['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion'],
        ...['s3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
      ],
      Resource: `arn:aws:s3:::${bucket}/*`,
    },
  ],
});

/** Returns the bucket that a policy is about, as IAM answers it; empty when it is none of this integration. */
export function bucketIn(document: string): string {
  try {
    const policy = JSON.parse(decodeURIComponent(document));
    const bucket = String(policy.Statement[0].Resource).slice('arn:aws:s3:::'.length);
    return isDeepStrictEqual(policy, policyOf(bucket)) ? bucket : '';
  } catch {
    return '';
  }
}

/** Returns the response to a request about a user; undefined when the user or the requested item does not exist. */
const orNothing = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (hasCode(error, 'NoSuchEntity', 'NoSuchEntityException')) return undefined;
    throw error;
  });

/** Returns the tags of a user; undefined without the user. @throws Error for the response of another server: it says nothing of the user */
async function tagsOf({ library, client, of, abort }: UserRequests): Promise<readonly Tag[] | undefined> {
  const answer = await orNothing(client.send(new library.GetUserCommand(of), abort));
  if (answer === undefined) return undefined;
  if (answer.User === undefined) throw new Error(`no user ${of.UserName} was returned: check users.endpoint`);
  return answer.User.Tags ?? [];
}

/** Refuses a user with another mark. @returns whether the user exists */
async function isOwn(requests: UserRequests, ask: Ask): Promise<boolean> {
  const tags = await tagsOf(requests);
  if (tags !== undefined) refuseForeign('user', markIn(tags), ask);
  return tags !== undefined;
}

async function requireOwn(requests: UserRequests, ask: Ask): Promise<void> {
  if (!(await isOwn(requests, ask))) throw new DefiniteError(`there is no user ${ask.name}`);
}

async function readUser(requests: UserRequests): Promise<FoundUser | undefined> {
  const { library, client, of, abort } = requests;
  const tags = await tagsOf(requests);
  if (tags === undefined) return undefined;
  const ask = { ...of, PolicyName: policyName };
  const policy = await orNothing(client.send(new library.GetUserPolicyCommand(ask), abort));
  return { mark: markIn(tags), bucket: bucketIn(policy?.PolicyDocument ?? '') };
}

/** Deletes all access keys: a user has a few at most. */
async function deleteKeys({ library, client, of, abort }: UserRequests): Promise<void> {
  const { AccessKeyMetadata = [] } = await client.send(new library.ListAccessKeysCommand(of), abort);
  for (const { AccessKeyId } of AccessKeyMetadata)
    await orNothing(client.send(new library.DeleteAccessKeyCommand({ ...of, AccessKeyId }), abort));
}

/** Deletes all access keys, and the policy. */
async function close(requests: UserRequests): Promise<void> {
  const { library, client, of, abort } = requests;
  await deleteKeys(requests);
  await orNothing(client.send(new library.DeleteUserPolicyCommand({ ...of, PolicyName: policyName }), abort));
}

/** Returns the operations on the users of a real server. */
export function usersOn(load: LoadIam, { path, permissionsBoundary }: UserSettings): UserOperations {
  const about = async ({ name, signal }: Pick<Ask, 'name' | 'signal'>): Promise<UserRequests> => ({
    ...(await load()),
    of: { UserName: name },
    abort: { abortSignal: signal },
  });
  const boundary = permissionsBoundary === undefined ? {} : { PermissionsBoundary: permissionsBoundary };
  return {
    readUser: async (ask) => readUser(await about(ask)),
    async createUser(ask) {
      const { library, client, of, abort } = await about(ask);
      const user = { ...of, Path: path, Tags: ownerTags(ask), ...boundary };
      await client.send(new library.CreateUserCommand(user), abort);
    },
    async allowUser(ask) {
      const requests = await about(ask);
      const { library, client, of, abort } = requests;
      await requireOwn(requests, ask);
      const PolicyDocument = JSON.stringify(policyOf(ask.bucket));
      await client.send(new library.PutUserPolicyCommand({ ...of, PolicyName: policyName, PolicyDocument }), abort);
    },
    async newKey(ask) {
      const requests = await about(ask);
      const { library, client, of, abort } = requests;
      await requireOwn(requests, ask);
      await deleteKeys(requests);
      const { AccessKey } = await client.send(new library.CreateAccessKeyCommand(of), abort);
      const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey } = AccessKey ?? {};
      if (accessKeyId === undefined || secretAccessKey === undefined) throw new Error('IAM answers no access key');
      return { accessKeyId, secretAccessKey };
    },
    async closeUser(ask) {
      const requests = await about(ask);
      if (await isOwn(requests, ask)) await close(requests);
    },
    async deleteUser(ask) {
      const requests = await about(ask);
      const { library, client, of, abort } = requests;
      if (!(await isOwn(requests, ask))) return;
      await close(requests);
      await orNothing(client.send(new library.DeleteUserCommand(of), abort));
    },
  };
}
