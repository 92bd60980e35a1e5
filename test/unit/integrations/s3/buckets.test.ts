import test, { type ExecutionContext } from 'ava';
import { s3ErrorOf } from '../../../../integrations/s3/aws-error.ts';
import { bucketsOn } from '../../../../integrations/s3/buckets.ts';
import { s3ClientOf } from '../../../../integrations/s3/clients.ts';
import { DefiniteError, ExternalAlreadyExistsError } from '../../../../sdk/index.ts';
import { aWire, credential, errorXml, type WireAnswer, type WireRequest } from './fixtures/a-wire.ts';

const { signal } = new AbortController();
const ask = { name: 'ws-a', mark: 'uid/Bucket/', signal };
const tagged = (mark: string): WireAnswer => [
  200,
  `<Tagging><TagSet><Tag><Key>team</Key><Value>a</Value></Tag><Tag><Key>se.quencer.io/owner</Key><Value>${mark}</Value></Tag></TagSet></Tagging>`,
];
const untagged: WireAnswer = [404, errorXml('NoSuchTagSet')];
const nothing: WireAnswer = [200, '<ListVersionsResult></ListVersionsResult>'];

/** Buckets at a server that answers so: to what its line contains. */
async function atServer(
  t: ExecutionContext,
  answers: Readonly<Record<string, WireAnswer>>,
  settings: { readonly region?: string; readonly account?: string } = {},
) {
  const answer = ({ line }: WireRequest): WireAnswer =>
    Object.entries(answers).find(([part]) => line.includes(part))?.[1] ?? [200];
  const { endpoint, requests } = await aWire(t, answer);
  const region = settings.region ?? 'us-east-1';
  const buckets = bucketsOn(s3ClientOf({ ...credential, region, endpoint }, 5_000), { region, ...settings });
  return { buckets, requests, lines: () => requests.map(({ line }) => line) };
}

test('a bucket is created with its mark in one request', async (t) => {
  const { buckets, requests, lines } = await atServer(t, { 'GET /ws-a?tagging': tagged(ask.mark) });
  await buckets.createBucket(ask);
  t.deepEqual(lines(), ['PUT /ws-a', 'GET /ws-a?tagging']);
  t.regex(
    requests[0]!.body,
    /<Tags><Tag><Key>se\.quencer\.io\/owner<\/Key><Value>uid\/Bucket\/<\/Value><\/Tag><\/Tags>/,
  );
  t.notRegex(requests[0]!.body, /LocationConstraint/);
});

test('a region is named where it is not the first one, and an account where it is known', async (t) => {
  const settings = { region: 'eu-central-1', account: '123456789012' };
  const { buckets, requests } = await atServer(t, { 'GET /ws-a?tagging': tagged(ask.mark) }, settings);
  await buckets.createBucket(ask);
  t.regex(requests[0]!.body, /<LocationConstraint>eu-central-1</);
  t.is(requests[1]!.headers['x-amz-expected-bucket-owner'], settings.account);
});

test('a success that is none, for a bucket that the account has already, is seen by its tags', async (t) => {
  for (const found of [
    tagged('another'),
    [200, '<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>'] as const,
  ]) {
    const { buckets } = await atServer(t, { 'GET /ws-a?tagging': found });
    const error = await t.throwsAsync(buckets.createBucket(ask), { message: /^the bucket ws-a bears (no|the) mark/ });
    t.true(s3ErrorOf(error) instanceof ExternalAlreadyExistsError);
  }
});

test('a bucket without any tag is marked when it is empty, and left alone when it is not', async (t) => {
  const empty = { 'GET /ws-a?tagging': untagged, versions: nothing, uploads: nothing };
  for (const first of [[200], [409, errorXml('BucketAlreadyOwnedByYou')]] as const) {
    const { buckets, lines } = await atServer(t, { 'PUT /ws-a?tagging': [200], 'PUT /ws-a': first, ...empty });
    await buckets.createBucket(ask);
    t.is(lines().at(-1), 'PUT /ws-a?tagging');
  }
  const version = '<ListVersionsResult><Version><Key>a</Key></Version></ListVersionsResult>';
  const full = await atServer(t, {
    'PUT /ws-a?tagging': [500],
    'PUT /ws-a': [409, errorXml('BucketAlreadyOwnedByYou')],
    ...empty,
    versions: [200, version],
  });
  await t.throwsAsync(full.buckets.createBucket(ask), { name: 'BucketAlreadyOwnedByYou' });
});

test('what fails after a creation is not a refusal of it', async (t) => {
  const { buckets } = await atServer(t, { 'GET /ws-a?tagging': [403, errorXml('AccessDenied')] });
  const error = await t.throwsAsync(buckets.createBucket(ask), {
    message: 'the bucket ws-a was made, and then: AccessDenied!',
  });
  t.false(s3ErrorOf(error) instanceof DefiniteError);
});

test('rules of others stay when the own one is set, changed and removed', async (t) => {
  const other =
    '<Rule><ID>other</ID><Status>Enabled</Status><Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>1</Days></Expiration></Rule>';
  const lifecycle = (...rules: readonly string[]): WireAnswer => [
    200,
    `<LifecycleConfiguration>${rules.join('')}</LifecycleConfiguration>`,
  ];
  const answers = { tagging: tagged(ask.mark), versioning: [200, '<VersioningConfiguration/>'] as const };
  const one = await atServer(t, { ...answers, 'GET /ws-a?lifecycle': lifecycle(other) });
  await one.buckets.configureBucket({ ...ask, versioning: false, expireAfterDays: 3 });
  const { line, body } = one.requests.at(-1)!;
  t.regex(line, /^PUT \/ws-a\?lifecycle/);
  t.regex(body, /<ID>other<.*<Days>3<\/Days><\/Expiration><ID>workspace-sequencer</);
  const [own] = /<Rule>(?:(?!<Rule>).)*workspace-sequencer.*?<\/Rule>/.exec(body)!;
  const same = await atServer(t, { ...answers, 'GET /ws-a?lifecycle': lifecycle(other, own) });
  t.is((await same.buckets.readBucket(ask))?.expireAfterDays, 3);
  await same.buckets.configureBucket({ ...ask, versioning: false, expireAfterDays: 3 });
  t.true(same.requests.every(({ line: asked }) => asked.startsWith('GET ')));
  await same.buckets.configureBucket({ ...ask, versioning: false, expireAfterDays: 0 });
  t.notRegex(same.requests.at(-1)!.body, /workspace-sequencer/);
  const last = await atServer(t, { ...answers, 'GET /ws-a?lifecycle': lifecycle(own) });
  await last.buckets.configureBucket({ ...ask, versioning: false, expireAfterDays: 0 });
  t.regex(last.requests.at(-1)!.line, /^DELETE \/ws-a\?lifecycle/);
});

test('a server without lifecycle rules is no obstacle until one is asked for', async (t) => {
  const none: WireAnswer = [501, errorXml('NotImplemented')];
  const { buckets } = await atServer(t, { tagging: tagged(ask.mark), lifecycle: none });
  await buckets.configureBucket({ ...ask, versioning: false, expireAfterDays: 0 });
  const error = await t.throwsAsync(buckets.configureBucket({ ...ask, versioning: false, expireAfterDays: 1 }));
  t.regex(String(s3ErrorOf(error)), /^DefiniteError: S3 says .*\(NotImplemented\); this server does not have/);
});

test('an answer of another server is not taken for a bucket that is gone', async (t) => {
  for (const body of ['', '<html><body>log in</body></html>', '<Tagging></Tagging>']) {
    const { buckets, lines } = await atServer(t, { tagging: [200, body] });
    const configured = { ...ask, versioning: true, expireAfterDays: 1 };
    for (const work of [
      () => buckets.readBucket(ask),
      () => buckets.configureBucket(configured),
      () => buckets.emptyBucket(ask),
      () => buckets.deleteBucket(ask),
    ]) {
      const error = await t.throwsAsync(work, {
        message: 'no list of the tags of ws-a was returned: check server.endpoint',
      });
      t.false(s3ErrorOf(error) instanceof DefiniteError);
    }
    t.true(lines().every((line) => line === 'GET /ws-a?tagging'));
  }
  const { buckets } = await atServer(t, { tagging: [200, '<Tagging><TagSet></TagSet></Tagging>'] });
  await t.throwsAsync(buckets.deleteBucket(ask), { instanceOf: DefiniteError, message: /bears no mark/ });
});

test('nothing is sent about a bucket with another mark but the question whose it is', async (t) => {
  const { buckets, requests } = await atServer(t, { tagging: tagged('another') });
  const configured = { ...ask, versioning: true, expireAfterDays: 1 };
  for (const work of [
    () => buckets.configureBucket(configured),
    () => buckets.emptyBucket(ask),
    () => buckets.deleteBucket(ask),
  ])
    await t.throwsAsync(work, {
      instanceOf: DefiniteError,
      message: /bears the mark of another: it is left alone; remove it there, or have its owner tag it again$/,
    });
  t.true(requests.every(({ line }) => line.startsWith('GET /ws-a?tagging')));
});
