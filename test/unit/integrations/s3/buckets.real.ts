import {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import test from 'ava';
import { bucketsOn } from '../../../../integrations/s3/buckets.ts';
import { s3ClientOf } from '../../../../integrations/s3/clients.ts';
import { startMoto } from '../../../system/real/programs/moto.ts';

const moto = await startMoto();
test.after.always('moto stops', () => moto.close());

const key = { accessKeyId: 'a-key', secretAccessKey: 'the-secret-of-the-key' };
const region = 'us-east-1';
const client = new S3Client({ endpoint: moto.url, region, credentials: key, forcePathStyle: true, maxAttempts: 1 });
const buckets = bucketsOn(s3ClientOf({ endpoint: moto.url, region, ...key }, 15_000), { region });
const ask = { name: 'ws-shop', mark: 'mark', signal: new AbortController().signal };

test.serial('moto takes a bucket with its mark, versions and expiry, and tells them', async (t) => {
  await buckets.createBucket(ask);
  t.deepEqual(await buckets.readBucket(ask), { mark: 'mark', versioning: false, expireAfterDays: 0 });
  await buckets.configureBucket({ ...ask, versioning: true, expireAfterDays: 3 });
  t.deepEqual(await buckets.readBucket(ask), { mark: 'mark', versioning: true, expireAfterDays: 3 });
});

test.serial('moto keeps the rules of others when the expiry changes, and when it goes', async (t) => {
  const Bucket = ask.name;
  const rules = async () => {
    const { Rules = [] } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    return Rules.map(({ ID, Expiration }) => `${ID} ${Expiration?.Days}`);
  };
  const { Rules: before = [] } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
  const other = { ID: 'logs', Status: 'Enabled' as const, Filter: { Prefix: 'logs/' }, Expiration: { Days: 1 } };
  const LifecycleConfiguration = { Rules: [...before, other] };
  await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
  await buckets.configureBucket({ ...ask, versioning: true, expireAfterDays: 7 });
  t.deepEqual((await rules()).sort(), ['logs 1', 'workspace-sequencer 7']);
  await buckets.configureBucket({ ...ask, versioning: false, expireAfterDays: 0 });
  t.deepEqual(await rules(), ['logs 1']);
  t.deepEqual(await buckets.readBucket(ask), { mark: 'mark', versioning: false, expireAfterDays: 0 });
});

test.serial('the last rule of a bucket goes with the expiry', async (t) => {
  const own = { ...ask, name: 'ws-own' };
  await buckets.createBucket(own);
  await buckets.configureBucket({ ...own, versioning: false, expireAfterDays: 1 });
  await buckets.configureBucket({ ...own, versioning: false, expireAfterDays: 0 });
  const asked = client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: own.name }));
  await t.throwsAsync(asked, { name: 'NoSuchLifecycleConfiguration' });
});

test.serial('a bucket of another mark is left alone, and ours is emptied before it goes', async (t) => {
  await client.send(new CreateBucketCommand({ Bucket: 'ws-theirs' }));
  const refused = buckets.configureBucket({ ...ask, name: 'ws-theirs', versioning: true, expireAfterDays: 0 });
  await t.throwsAsync(refused, { message: /bears no mark/ });
  t.is(await buckets.emptyBucket(ask), 'empty');
  await buckets.deleteBucket(ask);
  t.is(await buckets.readBucket(ask), undefined);
});
