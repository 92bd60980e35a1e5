import test from 'ava';
import { s3Bucket } from '../../../../integrations/s3/index.ts';
import { rulesOf } from '../../../../sdk/host/index.ts';
import { Secret } from '../../../../sdk/index.ts';
import { aBucket, users } from './fixtures/a-bucket.ts';
import { emptiedAtOnce, type MemoryServer } from './fixtures/a-server.ts';
import { server } from './fixtures/subject.ts';

/** Changes all entries of a map. */
function change<Value extends object>(map: Map<string, Value>, members: Partial<Value>): void {
  for (const [name, value] of map) map.set(name, { ...value, ...members });
}

const only = <Value>(map: Map<string, Value>): readonly [string, Value] => [...map][0]!;
const content = ({ buckets, users: found }: MemoryServer): string => JSON.stringify([[...buckets], [...found]]);

test('a workspace gets a bucket and a user that may use it, whose key is in a Secret; others find both by outputs', async (t) => {
  const address = 'https://s3.example.com/';
  const { actor, said, secret, s3, delete: remove, read } = await aBucket({}, { users, address });
  await actor.walk();
  t.is(await said(), 'Completed: bucket is there');
  const { metadata, status } = await read();
  const [name, bucket] = only(s3.buckets);
  const mark = `${metadata.uid}/Bucket/`;
  t.like(bucket, { mark, versioning: false, expireAfterDays: 0 });
  const accessKeyId = only(s3.users)[1].keys[0]!;
  t.deepEqual([...s3.users], [[name, { mark, bucket: name, keys: [accessKeyId] }]]);
  t.deepEqual(await secret(), { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: `secret-of-${accessKeyId}` });
  t.deepEqual(status?.outputs?.Bucket, {
    values: { bucket: name, endpoint: 'https://s3.example.com', region: 'us-east-1' },
    secrets: {
      accessKeyId: { name: 'shop-bucket', key: 'AWS_ACCESS_KEY_ID' },
      secretAccessKey: { name: 'shop-bucket', key: 'AWS_SECRET_ACCESS_KEY' },
    },
  });
  await remove();
  await actor.walk();
  t.is(content(s3), '[[],[]]');
});

test('without users there is a bucket and no Secret, and no output names one', async (t) => {
  const { actor, said, s3, read, secret, integration } = await aBucket({}, {});
  await actor.walk();
  t.is(await said(), 'Completed: bucket is there');
  t.is(s3.users.size, 0);
  const values = { bucket: only(s3.buckets)[0], endpoint: server.endpoint, region: server.region };
  t.deepEqual((await read()).status?.outputs?.Bucket, { values });
  await t.throwsAsync(secret(), { message: /not found/ });
  t.deepEqual(rulesOf(integration), []);
});

test('a shared key is in the Secret of each workspace, and changes with the options', async (t) => {
  const sharedKey = { accessKeyId: 'SHARED', secretAccessKey: 'shared-by-all' };
  const stage = await aBucket({}, { sharedKey });
  const { actor, said, s3, secret, read } = stage;
  await actor.walk();
  t.is(await said(), 'Completed: bucket is there');
  t.deepEqual(await secret(), { AWS_ACCESS_KEY_ID: 'SHARED', AWS_SECRET_ACCESS_KEY: 'shared-by-all' });
  t.deepEqual(Object.keys((await read()).status?.outputs?.Bucket?.secrets ?? {}), ['accessKeyId', 'secretAccessKey']);
  const rotated = { ...sharedKey, secretAccessKey: 'shared-anew' };
  await stage.sequencer([s3Bucket({ server, operations: s3, sharedKey: rotated })], { holder: 'next' }).walk();
  t.is((await secret()).AWS_SECRET_ACCESS_KEY, 'shared-anew');
});

test('what a workspace asks for is set, changed, and taken back', async (t) => {
  const { actor, s3, want } = await aBucket({ versioning: true, expireAfterDays: 3 });
  const state = () => {
    const { versioning, expireAfterDays } = only(s3.buckets)[1];
    return [versioning, expireAfterDays];
  };
  await actor.walk();
  t.deepEqual(state(), [true, 3]);
  await want({ versioning: null, expireAfterDays: null });
  await actor.walk();
  t.deepEqual(state(), [false, 0]);
});

test('a wish that cannot be is reported in the condition, and nothing is made or removed', async (t) => {
  const { actor, said, s3, want } = await aBucket({ expireAfterDays: 0.5 }, { users, expireAfterDays: 7 });
  await actor.walk();
  t.is(
    await said(),
    'Error: spec.integrations.s3-bucket.expireAfterDays must be a whole number from 1 to 7; found 0.5',
  );
  t.is(content(s3), '[[],[]]');
  await want({ expireAfterDays: 7 });
  await actor.walk();
  const before = content(s3);
  await want({ expireAfterDays: 8 });
  await actor.walk();
  t.is(content(s3), before);
});

test('a full bucket is emptied over many walks, when its user can write no more', async (t) => {
  const { actor, s3, said, clock, delete: remove } = await aBucket({});
  await actor.walk();
  change(s3.buckets, { holds: 2 * emptiedAtOnce + 1 });
  await remove();
  await actor.walk();
  t.is(await said(), 'In Progress: bucket still being deleted');
  t.deepEqual(only(s3.users)[1].keys, []);
  for (const left of [1, 0]) {
    await clock.advance(5_000);
    await actor.walk();
    t.is([...s3.buckets.values()][0]?.holds ?? 0, left);
  }
  t.is(content(s3), '[[],[]]');
});

test('what is written while a bucket is deleted is deleted with it', async (t) => {
  const { actor, s3, clock, delete: remove } = await aBucket({});
  await actor.walk();
  const { emptyBucket } = s3;
  s3.emptyBucket = async (ask) => {
    const answer = await emptyBucket(ask);
    change(s3.buckets, { holds: 1 });
    s3.emptyBucket = emptyBucket;
    return answer;
  };
  await remove();
  await actor.walk();
  t.is(s3.buckets.size, 1);
  await clock.advance(5_000);
  await actor.walk();
  t.is(content(s3), '[[],[]]');
});

test('a bucket that holds something stays where the operator says so, until it is empty', async (t) => {
  const { actor, s3, said, delete: remove } = await aBucket({}, { users, emptyOnDelete: false });
  await actor.walk();
  change(s3.buckets, { holds: 1 });
  await remove();
  await t.throwsAsync(actor.walk());
  t.regex(
    await said(),
    /^Error: S3 says The bucket is not empty \(BucketNotEmpty\); empty it, or set the option emptyOnDelete/,
  );
  t.is(only(s3.buckets)[1].holds, 1);
  change(s3.buckets, { holds: 0 });
  await actor.walk();
  t.is(content(s3), '[[],[]]');
});

for (const [what, causeDrift] of [
  ['a deleted bucket', ({ buckets }) => buckets.clear()],
  ['another versioning', ({ buckets }) => change(buckets, { versioning: true })],
  ['another expiry', ({ buckets }) => change(buckets, { expireAfterDays: 1 })],
  ['another policy of the user', ({ users: found }) => change(found, { bucket: 'another' })],
] as readonly [string, (s3: MemoryServer) => void][])
  test(`corrected: ${what}`, async (t) => {
    const { actor, look, s3, said, secret } = await aBucket({});
    await actor.walk();
    const before = [content(s3), await secret()];
    causeDrift(s3);
    t.not(content(s3), before[0]);
    await look();
    t.deepEqual([content(s3), await secret()], before);
    t.is(await said(), 'Completed: bucket is there');
    t.is(actor.events.filter(({ reason }) => reason === 'Drifted').length, 1);
  });

test('a user that was deleted comes back with a new key, and its bucket stays', async (t) => {
  const { actor, look, s3, said, secret } = await aBucket({});
  await actor.walk();
  const [before, bucket] = [await secret(), only(s3.buckets)];
  s3.users.clear();
  await look();
  t.is(await said(), 'Completed: bucket is there');
  t.deepEqual(only(s3.buckets), bucket);
  const { AWS_ACCESS_KEY_ID } = await secret();
  t.not(AWS_ACCESS_KEY_ID, before.AWS_ACCESS_KEY_ID);
  t.deepEqual(only(s3.users)[1].keys, [AWS_ACCESS_KEY_ID!]);
});

test('a key is rotated by deleting its Secret', async (t) => {
  const { actor, client, look, s3, secret } = await aBucket({});
  await actor.walk();
  const before = await secret();
  await client.delete(Secret, { namespace: 'default', name: 'shop-bucket' });
  await look();
  const { AWS_ACCESS_KEY_ID } = await secret();
  t.not(AWS_ACCESS_KEY_ID, before.AWS_ACCESS_KEY_ID);
  t.deepEqual(only(s3.users)[1].keys, [AWS_ACCESS_KEY_ID!]);
});

test('what bears another mark, or none, is neither changed nor deleted', async (t) => {
  for (const mark of ['of-another/Bucket/', undefined]) {
    const { actor, look, s3, said, delete: remove } = await aBucket({});
    await actor.walk();
    change(s3.buckets, { mark, holds: 1 });
    change(s3.users, { mark });
    const before = content(s3);
    await t.throwsAsync(look());
    t.is(
      await said(),
      `Error: bucket bears the mark of ${mark ?? 'no owner'}: it is neither changed nor deleted; have its owner remove it, or ask for another name`,
    );
    await remove();
    await t.throwsAsync(actor.walk());
    t.is(content(s3), before);
  }
});

test('a name that another account has taken after the bucket was deleted is reported, and left alone', async (t) => {
  const { actor, look, s3, said } = await aBucket({});
  await actor.walk();
  change(s3.buckets, { account: 'another' });
  const before = content(s3);
  await t.throwsAsync(look());
  t.regex(await said(), /^Error: S3 says Access Denied\. \(AccessDenied\); it belongs to another account, or/);
  t.is(content(s3), before);
});

test('users may be given to workspaces that have a bucket already', async (t) => {
  const stage = await aBucket({}, {});
  const { actor, s3, said, secret } = stage;
  await actor.walk();
  const bucket = only(s3.buckets);
  const next = stage.sequencer([s3Bucket({ server, users, operations: s3 })], { holder: 'next' });
  await next.walk();
  t.is(await said(), 'Completed: bucket is there');
  t.deepEqual(only(s3.buckets), bucket);
  t.deepEqual(only(s3.users)[1].keys, [(await secret()).AWS_ACCESS_KEY_ID!]);
});

test('it may write Secrets where there are keys, and its own is taken out of texts', async (t) => {
  const { integration } = await aBucket({});
  t.deepEqual(rulesOf(integration), [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch'] }]);
  t.deepEqual(integration.secrets, [server.secretAccessKey]);
  t.deepEqual(integration.limits, { rate: 20, burst: 20 });
});
