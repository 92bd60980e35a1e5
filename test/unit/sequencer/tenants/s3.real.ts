import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  IAMClient,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import { GetBucketVersioningCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import test from 'ava';
import * as z from 'zod';
import { type AccessKey, s3Bucket } from '../../../../integrations/s3/index.ts';
import { defineTenantIntegration } from '../../../../sequencer/index.ts';
import { startVersitygw, versitygwAvailable } from '../../../system/real/programs/versitygw.ts';
import { startTwoTenants, type Tenant, tenants } from './fixtures/two-tenants.ts';

const real = versitygwAvailable() ? test : test.skip;

/** Server of one tenant, at which its credential may do all with buckets. */
async function aServer() {
  const versitygw = await startVersitygw();
  const { iam: endpoint, region, root } = versitygw;
  const iam = new IAMClient({ endpoint, region, credentials: root });
  const UserName = 'sequencer';
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }],
  });
  await iam.send(new CreateUserCommand({ UserName }));
  await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'buckets', PolicyDocument }));
  const s3 = new S3Client({ endpoint: versitygw.s3, region, credentials: root, forcePathStyle: true });
  return {
    versitygw,
    async newKey() {
      const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
      return { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! };
    },
    revoke: (AccessKeyId: string) => iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId })),
    /** Names of buckets, and whether former versions are kept. */
    async buckets(): Promise<readonly (readonly [string, boolean])[]> {
      const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
      const read = Buckets.map(async ({ Name: Bucket }) => {
        const { Status } = await s3.send(new GetBucketVersioningCommand({ Bucket }));
        return [Bucket!, Status === 'Enabled'] as const;
      });
      return Promise.all(read);
    },
  };
}

real(
  'two tenants have buckets at a server each; a key is rotated without a restart, and the former one revoked',
  async (t) => {
    const [a, b] = (await Promise.all(tenants.map(() => aServer()))) as [
      Awaited<ReturnType<typeof aServer>>,
      Awaited<ReturnType<typeof aServer>>,
    ];
    t.teardown(() => Promise.all([a.versitygw.close(), b.versitygw.close()]));
    const servers = { 'team-a': a, 'team-b': b };
    const create = ({ server }: { server: Tenant }, key: AccessKey) => {
      const { s3: endpoint, region } = servers[server].versitygw;
      return s3Bucket({ server: { endpoint, region, ...key }, prefix: server, driftInterval: 3_600_000 });
    };
    const type = defineTenantIntegration({
      condition: 'Bucket',
      handles: ({ spec }) => spec.integrations?.['s3-bucket'] !== undefined,
      outputs: create({ server: 'team-a' }, { accessKeyId: 'any', secretAccessKey: 'any-secret' }).outputs ?? {},
      options: z.strictObject({ server: z.enum(tenants) }),
      secrets: ['accessKeyId', 'secretAccessKey'],
      create,
    });
    const first: Record<Tenant, Awaited<ReturnType<typeof a.newKey>>> = {
      'team-a': await a.newKey(),
      'team-b': await b.newKey(),
    };
    const { says, rotate, edit, removeAll } = await startTwoTenants(t, {
      name: 's3-bucket',
      type,
      credentials: first,
      specOf: () => ({ integrations: { 's3-bucket': {} } }),
    });
    for (const tenant of tenants) {
      await says(tenant, 'Completed');
      const [[name, isVersioned] = ['', true], ...others] = await servers[tenant].buckets();
      t.regex(name, new RegExp(`^${tenant}-`));
      t.deepEqual([isVersioned, others], [false, []], 'its own, and none of the other');
    }

    await a.revoke(first['team-a'].accessKeyId);
    await edit('team-a', { integrations: { 's3-bucket': { versioning: true } } });
    const refused = await says('team-a', 'Error');
    t.notRegex(refused, new RegExp(first['team-a'].secretAccessKey));
    await rotate('team-a', await a.newKey());
    await says('team-a', 'Completed');
    const later = await b.newKey();
    await rotate('team-b', later);
    await b.revoke(first['team-b'].accessKeyId);
    await edit('team-b', { integrations: { 's3-bucket': { versioning: true } } });
    await says('team-b', 'Completed');
    for (const tenant of tenants)
      t.deepEqual(
        (await servers[tenant].buckets()).map(([, isVersioned]) => isVersioned),
        [true],
        'the same bucket',
      );
    await removeAll();
    for (const tenant of tenants) t.deepEqual(await servers[tenant].buckets(), []);
  },
);
