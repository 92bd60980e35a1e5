import {
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import test from 'ava';
import { s3ClientOf } from '../../../../integrations/s3/clients.ts';
import { emptyBucket } from '../../../../integrations/s3/empty-bucket.ts';
import { type S3BucketOptions, s3Bucket } from '../../../../integrations/s3/index.ts';
import { conditionOf, Secret } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { createTagged, heldIn, startRealServer } from './fixtures/a-real-server.ts';

const { versitygw, address, operations, s3, clientOf, things } = await startRealServer();
test.after.always('the server stops', () => versitygw.close());

const { signal } = new AbortController();
const spec = { integrations: { 's3-bucket': { versioning: true } } };

/** A sequencer with the integration on the server, which looks at it every minute. */
async function aSequencer(options: Partial<S3BucketOptions> = {}) {
  const stage = await aTargetCluster();
  const actor = stage.actor([
    s3Bucket({ server: address, users: { endpoint: versitygw.iam }, driftInterval: 60_000, ...options }),
  ]);
  const bucket = async () => (await stage.read()).status?.outputs?.Bucket?.values?.bucket ?? '';
  const tenant = async () => {
    const { data = {} } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-bucket' });
    const [accessKeyId, secretAccessKey] = [data.AWS_ACCESS_KEY_ID, data.AWS_SECRET_ACCESS_KEY].map((one) =>
      atob(one!),
    );
    return clientOf({ accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey! });
  };
  const look = async () => {
    await stage.clock.advance(60_000);
    await actor.walk();
  };
  return { ...stage, actor, bucket, tenant, look };
}

test.serial(
  'the key in the Secret opens a bucket of its own and nothing else, and nothing is left of it',
  async (t) => {
    const { actor, create, delete: remove, read, bucket, tenant } = await aSequencer();
    await createTagged(s3, 'somebody-elses', {});
    await create(spec);
    await actor.walk();
    t.is(conditionOf(await read(), 'Bucket').status, 'Completed');
    const [Bucket, own] = [await bucket(), await tenant()];
    await own.send(new PutObjectCommand({ Bucket, Key: 'cart', Body: 'one' }));
    await own.send(new PutObjectCommand({ Bucket, Key: 'cart', Body: 'two' }));
    const { Body } = await own.send(new GetObjectCommand({ Bucket, Key: 'cart' }));
    t.is(await Body?.transformToString(), 'two');
    for (const refused of [
      new ListObjectsV2Command({ Bucket: 'somebody-elses' }),
      new DeleteBucketCommand({ Bucket }),
      new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Suspended' } }),
    ])
      await t.throwsAsync(own.send(refused as ListObjectsV2Command), { name: 'AccessDenied' });
    await own.send(new DeleteObjectCommand({ Bucket, Key: 'cart' }));
    await own.send(new CreateMultipartUploadCommand({ Bucket, Key: 'large' }));
    t.deepEqual(await heldIn(s3, Bucket), [2, 1, 1]);
    await remove();
    await actor.walk();
    t.deepEqual(await things(), []);
    await t.throwsAsync(own.send(new ListObjectsV2Command({ Bucket })), { name: 'InvalidAccessKeyId' });
  },
);

test.serial('a key is rotated by deleting its Secret, and objects stay', async (t) => {
  const { actor, client, create, delete: remove, bucket, tenant, look } = await aSequencer();
  await create(spec);
  await actor.walk();
  const [Bucket, before] = [await bucket(), await tenant()];
  await before.send(new PutObjectCommand({ Bucket, Key: 'cart', Body: 'one' }));
  await client.delete(Secret, { namespace: 'default', name: 'shop-bucket' });
  await look();
  await t.throwsAsync(before.send(new ListObjectsV2Command({ Bucket })), { name: 'InvalidAccessKeyId' });
  t.is((await (await tenant()).send(new ListObjectsV2Command({ Bucket }))).Contents?.length, 1);
  await remove();
  await actor.walk();
  t.deepEqual(await things(), []);
});

test.serial('a bucket that an administrator has deleted comes back, for the same key', async (t) => {
  const { actor, create, delete: remove, bucket, tenant, look } = await aSequencer();
  await create(spec);
  await actor.walk();
  const [Bucket, own] = [await bucket(), await tenant()];
  await s3.send(new DeleteBucketCommand({ Bucket }));
  await look();
  await own.send(new PutObjectCommand({ Bucket, Key: 'cart', Body: 'one' }));
  await remove();
  await actor.walk();
  t.deepEqual(await things(), []);
});

test.serial('a bucket is emptied in as many calls as it takes, whatever its keys are', async (t) => {
  const ask = { name: 'ws-full', mark: 'mark', signal };
  await operations.createBucket(ask);
  await operations.configureBucket({ ...ask, versioning: true, expireAfterDays: 0 });
  const keys = ['a b+c', '<é>&"\'', '%41', 'line\nbreak', 'deep/er/est'];
  for (const Key of [...keys, ...keys]) await s3.send(new PutObjectCommand({ Bucket: ask.name, Key, Body: Key }));
  t.deepEqual(await heldIn(s3, ask.name), [10, 0, 0]);
  const bucket = { ...(await s3ClientOf(address, 15_000)()), of: { Bucket: ask.name }, abort: { abortSignal: signal } };
  t.is(await emptyBucket(bucket, 4), 'more');
  while ((await emptyBucket(bucket, 4)) === 'more');
  t.deepEqual(await heldIn(s3, ask.name), [0, 0, 0]);
  const unlisted = { Bucket: ask.name, Key: 'bell\u0007' };
  const { VersionId } = await s3.send(new PutObjectCommand({ ...unlisted, Body: 'x' }));
  await t.throwsAsync(operations.emptyBucket(ask), { message: /^S3 continues listing "bell.*: delete it by hand$/ });
  await s3.send(new DeleteObjectCommand({ ...unlisted, VersionId }));
  await operations.deleteBucket(ask);
});

test.serial('a bucket that holds something stays where the operator says so', async (t) => {
  const { actor, create, delete: remove, read, bucket, tenant } = await aSequencer({ emptyOnDelete: false });
  await create({ integrations: { 's3-bucket': {} } });
  await actor.walk();
  const Bucket = await bucket();
  await (await tenant()).send(new PutObjectCommand({ Bucket, Key: 'cart', Body: 'one' }));
  await remove();
  await t.throwsAsync(actor.walk());
  t.regex(conditionOf(await read(), 'Bucket').reason, /\(BucketNotEmpty\); empty it, or set the option emptyOnDelete/);
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'cart' }));
  await actor.walk();
  t.deepEqual(await things(), []);
});

test.serial('a bucket without any tag that is empty is taken up, and one with something in it is not', async (t) => {
  const ask = { name: 'ws-begun', mark: 'mark', signal };
  await createTagged(s3, ask.name, {});
  await operations.createBucket(ask);
  t.is((await operations.readBucket(ask))?.mark, 'mark');
  await operations.deleteBucket(ask);
  await createTagged(s3, ask.name, { team: 'a' });
  await t.throwsAsync(operations.createBucket(ask), { name: 'BucketAlreadyOwnedByYou' });
  await s3.send(new DeleteBucketCommand({ Bucket: ask.name }));
});

test.serial('a server without lifecycle rules says so, and a credential without rights is reported', async (t) => {
  const one = await aSequencer();
  await one.create({ integrations: { 's3-bucket': { expireAfterDays: 1 } } });
  await t.throwsAsync(one.actor.walk());
  t.regex(
    conditionOf(await one.read(), 'Bucket').reason,
    /\(NotImplemented\); this server does not have what is asked for/,
  );
  await one.delete();
  await one.actor.walk();
  const poor = await operations
    .createUser({ name: 'ws-poor', mark: 'mark', signal })
    .then(() => operations.newKey({ name: 'ws-poor', mark: 'mark', signal }));
  const other = await aSequencer({ server: { ...address, ...poor } });
  await other.create(spec);
  await t.throwsAsync(other.actor.walk());
  const { status, reason } = conditionOf(await other.read(), 'Bucket');
  t.is(status, 'Error');
  t.regex(reason, /\(AccessDenied\); it belongs to another account, or the credential lacks what the README/);
  await operations.deleteUser({ name: 'ws-poor', mark: 'mark', signal });
  t.deepEqual(await things(), []);
});
