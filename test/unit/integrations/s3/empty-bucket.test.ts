import test, { type ExecutionContext } from 'ava';
import { s3ClientOf } from '../../../../integrations/s3/clients.ts';
import { emptyBucket } from '../../../../integrations/s3/empty-bucket.ts';
import { DefiniteError } from '../../../../sdk/index.ts';
import { aWire, credential, type WireAnswer, type WireRequest } from './fixtures/a-wire.ts';

const { signal } = new AbortController();
const nothing: WireAnswer = [200, '<ListVersionsResult></ListVersionsResult>'];

/** Requests about a bucket at a server that answers so. */
async function aBucket(t: ExecutionContext, answer: (request: WireRequest) => WireAnswer) {
  const { endpoint, requests } = await aWire(t, answer);
  const loaded = await s3ClientOf({ ...credential, endpoint }, 5_000)();
  return { requests, bucket: { ...loaded, of: { Bucket: 'ws-a' }, abort: { abortSignal: signal } } };
}

const versions = (...keys: readonly string[]): WireAnswer => [
  200,
  `<ListVersionsResult><EncodingType>url</EncodingType>${keys
    .map((key) => `<Version><Key>${key}</Key><VersionId>v</VersionId></Version>`)
    .join('')}</ListVersionsResult>`,
];

test('keys are read as they are, and those that no XML can hold are deleted one by one', async (t) => {
  let listed = false;
  const { requests, bucket } = await aBucket(t, ({ line }) => {
    if (!line.includes('versions') || listed) return nothing;
    listed = true;
    return versions('a+b%2B%3C%C3%A9', 'bell%07');
  });
  t.is(await emptyBucket(bucket), 'empty');
  const [many, ...others] = requests.filter(({ line }) => !line.startsWith('GET'));
  t.regex(many!.line, /^POST \/ws-a\?delete/);
  t.regex(many!.body, /<Object><Key>a b\+&lt;é<\/Key><VersionId>v<\/VersionId><\/Object>/);
  t.notRegex(many!.body, /bell/);
  t.deepEqual(
    others.map(({ line }) => line),
    ['DELETE /ws-a/bell%07?versionId=v'],
  );
});

test('a list that never ends takes a bounded number of requests', async (t) => {
  let listed = 0;
  const { requests, bucket } = await aBucket(t, ({ line }) => {
    listed += 1;
    return line.includes('versions') ? versions(`a${listed}`, 'bell%07') : nothing;
  });
  t.is(await emptyBucket(bucket, 10), 'more');
  t.is(requests.length, 10);
});

test('an object that is there again after its deletion is reported, instead of being deleted for ever', async (t) => {
  const { requests, bucket } = await aBucket(t, ({ line }) => (line.includes('versions') ? versions('a') : nothing));
  const message = 'S3 continues listing "a" after its deletion: delete it by hand';
  await t.throwsAsync(emptyBucket(bucket), { instanceOf: DefiniteError, message });
  t.is(requests.length, 4);
});

test('uploads that never end take a bounded number of requests', async (t) => {
  const upload = '<Upload><Key>a</Key><UploadId>u</UploadId></Upload>';
  const { requests, bucket } = await aBucket(t, ({ line }) =>
    line.includes('uploads')
      ? [200, `<ListMultipartUploadsResult>${upload}${upload}</ListMultipartUploadsResult>`]
      : [204],
  );
  t.is(await emptyBucket(bucket, 10), 'more');
  t.is(requests.length, 10);
});

test('an object that cannot be deleted is named, in bounded words', async (t) => {
  const long = 'k'.repeat(10_000);
  const locked = `<DeleteResult><Error><Key>${long}</Key><Code>AccessDenied</Code><Message>${long}</Message></Error></DeleteResult>`;
  const { bucket } = await aBucket(t, ({ line }) => {
    if (line.startsWith('POST')) return [200, locked];
    return line.includes('versions') ? versions('a') : nothing;
  });
  const error = await t.throwsAsync(emptyBucket(bucket), { instanceOf: DefiniteError });
  t.regex(error.message, /^S3 does not delete "k{100}" \(AccessDenied: k+…\)$/);
  t.true(error.message.length < 500);
});

test('a key that cannot be read is reported', async (t) => {
  const { bucket } = await aBucket(t, ({ line }) => (line.includes('versions') ? versions('%E0%A4%A') : nothing));
  await t.throwsAsync(emptyBucket(bucket), {
    instanceOf: DefiniteError,
    message: /a key that cannot be read: %E0%A4%A; delete the object by hand$/,
  });
});
