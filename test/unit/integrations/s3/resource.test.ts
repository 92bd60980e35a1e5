import test from 'ava';
import { bucketName } from '../../../../integrations/s3/names.ts';
import { checkedS3Options } from '../../../../integrations/s3/options.ts';
import { bucketResource } from '../../../../integrations/s3/resource.ts';
import { DefiniteError, ExternalAlreadyExistsError } from '../../../../sdk/index.ts';
import { createMemoryServer } from './fixtures/a-server.ts';
import { server } from './fixtures/subject.ts';

const { signal } = new AbortController();
const ownerOf = (uid: string) => {
  const place = { uid, namespace: 'default', workspace: 'shop' };
  return { ...place, condition: 'Bucket', slot: '', mark: `${uid}/Bucket/` };
};
const [owner, other] = [ownerOf('uid-1'), ownerOf('uid-2')];
const context = { owner, signal, key: 'key' };
const name = bucketName('ws', owner);

function aResource(hasUsers = true) {
  const s3 = createMemoryServer();
  const users = hasUsers ? { users: { endpoint: 'https://iam.example.test' } } : {};
  return { s3, resource: bucketResource(checkedS3Options({ server, ...users, operations: s3 })) };
}

const wanted = { versioning: true, expireAfterDays: 3, access: 'own user' } as const;

test('creation is one claim, which can do nothing yet; the update makes what is wanted, and the key comes last', async (t) => {
  const { s3, resource } = aResource();
  const made = await resource.create(wanted, context);
  t.deepEqual(made, { id: { name }, upToDate: false });
  t.deepEqual([s3.buckets.size, [...s3.users.values()]], [0, [{ mark: owner.mark, bucket: '', keys: [] }]]);
  t.deepEqual(await resource.find?.(owner, { signal }), { name });
  const nothing = { versioning: false, expireAfterDays: 0, access: 'none' };
  t.deepEqual(await resource.observe?.({ name }, context), { state: nothing, mark: owner.mark });
  await resource.update?.({ name }, wanted, context);
  t.deepEqual(await resource.observe?.({ name }, context), { state: wanted, mark: owner.mark });
  t.deepEqual(s3.users.get(name)?.keys, []);
  const { AWS_ACCESS_KEY_ID } = (await resource.secretOf?.({ name }, context)) ?? {};
  t.deepEqual(s3.users.get(name)?.keys, [AWS_ACCESS_KEY_ID!]);
});

test('without users the bucket is the claim, and there is no key to ask for', async (t) => {
  const { s3, resource } = aResource(false);
  await resource.create({ ...wanted, access: 'no user' }, context);
  t.deepEqual([s3.buckets.size, s3.users.size, resource.secretOf], [1, 0, undefined]);
  t.is((await resource.observe?.({ name }, context))?.state.access, 'no user');
  s3.buckets.clear();
  t.is(await resource.observe?.({ name }, context), undefined);
});

test('a name that is taken is not a second claim, whosever it is', async (t) => {
  for (const hasUsers of [true, false]) {
    const { s3, resource } = aResource(hasUsers);
    await resource.create(wanted, context);
    const before = JSON.stringify([[...s3.users], [...s3.buckets]]);
    await t.throwsAsync(resource.create(wanted, context), { instanceOf: ExternalAlreadyExistsError });
    t.is(JSON.stringify([[...s3.users], [...s3.buckets]]), before);
    t.is(await resource.find?.(other, { signal }), undefined);
  }
});

test('a bucket of another owner in the place of the own one is reported, and left alone', async (t) => {
  const { s3, resource } = aResource();
  await resource.create(wanted, context);
  const state = { versioning: false, expireAfterDays: 0, holds: 1, account: 'own' } as const;
  s3.buckets.set(name, { ...state, mark: other.mark });
  t.is((await resource.observe?.({ name }, context))?.mark, other.mark);
  await t.throwsAsync(resource.update?.({ name }, wanted, context) ?? t.fail(), { instanceOf: DefiniteError });
  await t.throwsAsync(async () => resource.delete({ name }, context), { instanceOf: DefiniteError });
  t.deepEqual(s3.buckets.get(name), { ...state, mark: other.mark });
});

test('a bucket that is taken between reading and creating it is a refusal, not an open question', async (t) => {
  const { s3, resource } = aResource();
  await resource.create(wanted, context);
  s3.readBucket = async () => undefined;
  s3.buckets.set(name, { versioning: false, expireAfterDays: 0, holds: 0, account: 'another', mark: undefined });
  await t.throwsAsync(resource.update?.({ name }, wanted, context) ?? t.fail(), {
    instanceOf: DefiniteError,
    message: /^the bucket ws-default-shop-\w+ belongs to another account: S3 says BucketAlreadyExists/,
  });
});

test('the user loses its keys before the bucket is emptied, and goes last', async (t) => {
  const { s3, resource } = aResource();
  await resource.create(wanted, context);
  await resource.update?.({ name }, wanted, context);
  await resource.secretOf?.({ name }, context);
  s3.buckets.set(name, { ...s3.buckets.get(name)!, holds: 4 });
  t.is(await resource.delete({ name }, context), 'deleting');
  t.deepEqual([s3.users.get(name)?.keys, s3.buckets.get(name)?.holds], [[], 1]);
  t.deepEqual(await resource.find?.(owner, { signal }), { name });
  t.is(await resource.delete({ name }, context), 'gone');
  t.deepEqual([s3.users.size, s3.buckets.size], [0, 0]);
  t.is(await resource.delete({ name }, context), 'gone');
});
