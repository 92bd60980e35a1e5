import test from 'ava';
import { asksForBucket, bucketSettingsOf } from '../../../../integrations/s3/settings.ts';
import { aWorkspace } from '../../a-workspace.ts';

const options = { versioning: false, expireAfterDays: 0 };
const asking = (wish: unknown) => ({ ...aWorkspace(), spec: { integrations: { 's3-bucket': wish as object } } });

test('a workspace asks by the member of its spec alone', (t) => {
  t.true(asksForBucket(asking({})));
  t.true(asksForBucket(asking(null)));
  t.false(asksForBucket({ ...aWorkspace(), spec: {} }));
});

test('what is left open is as the operator says; days may be fewer, and any number where the operator says none', (t) => {
  t.deepEqual(bucketSettingsOf(asking({}), { versioning: true, expireAfterDays: 7 }), {
    versioning: true,
    expireAfterDays: 7,
  });
  t.deepEqual(bucketSettingsOf(asking({ expireAfterDays: 1 }), { ...options, expireAfterDays: 7 }), {
    ...options,
    expireAfterDays: 1,
  });
  t.deepEqual(bucketSettingsOf(asking({ expireAfterDays: 3_650, versioning: true }), options), {
    versioning: true,
    expireAfterDays: 3_650,
  });
  t.deepEqual(bucketSettingsOf(asking({ expireAfterDays: 0 }), options), options);
});

for (const [wish, message] of [
  [null, /^spec\.integrations\.s3-bucket must be an object, \{\} for the defaults; found null$/],
  [[], /must be an object/],
  [{ expires: 1 }, /^spec\.integrations\.s3-bucket\.expires is not an option; known are versioning, expireAfterDays$/],
  [{ versioning: 'yes' }, /\.versioning must be true or false; found "yes"$/],
  [{ expireAfterDays: 3_651 }, /\.expireAfterDays must be a whole number from 1 to 3650; found 3651$/],
  [{ expireAfterDays: '3' }, /from 1 to 3650; found "3"$/],
  [{ expireAfterDays: null }, /found null$/],
  [{ expireAfterDays: -1 }, /found -1$/],
] as const)
  test(`a wish that cannot be says so: ${JSON.stringify(wish)}`, (t) => {
    t.regex(String(bucketSettingsOf(asking(wish), options)), message);
  });

test('objects that never expire are not to be had where the operator says when they do', (t) => {
  t.regex(
    String(bucketSettingsOf(asking({ expireAfterDays: 0 }), { ...options, expireAfterDays: 7 })),
    /from 1 to 7; found 0$/,
  );
});

test('what a mistake quotes is bounded', (t) => {
  for (const wish of ['x'.repeat(100_000), { ['y'.repeat(100_000)]: 1 }, { versioning: 'z'.repeat(100_000) }])
    t.true(String(bucketSettingsOf(asking(wish), options)).length < 400);
});
