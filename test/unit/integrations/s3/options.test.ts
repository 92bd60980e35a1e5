import test from 'ava';
import { type S3BucketOptions, s3Bucket } from '../../../../integrations/s3/index.ts';
import { checkedS3Options } from '../../../../integrations/s3/options.ts';

const server = { region: 'eu-central-1', accessKeyId: 'sequencer', secretAccessKey: 'quite-secret' };
const endpoint = 'https://s3.example.com';

test('what is left out has its default', (t) => {
  const { operations, limits, ...checked } = checkedS3Options({ server });
  t.is(typeof operations.readBucket, 'function');
  t.deepEqual(limits, { rate: 20, burst: 20 });
  t.deepEqual(checked, {
    address: 'https://s3.eu-central-1.amazonaws.com',
    endpoints: ['https://s3.eu-central-1.amazonaws.com'],
    region: 'eu-central-1',
    hasUsers: false,
    sharedKey: undefined,
    prefix: 'ws',
    expireAfterDays: 0,
    versioning: false,
    emptyOnDelete: true,
    deadline: 15_000,
    driftInterval: 300_000,
  });
  t.not(checkedS3Options({ server }).limits, limits);
});

test('workspaces get the address that they use', (t) => {
  t.is(checkedS3Options({ server: { ...server, endpoint: `${endpoint}/` } }).address, endpoint);
  t.is(
    checkedS3Options({ server: { ...server, endpoint }, address: 'http://s3.team.svc:9000' }).address,
    'http://s3.team.svc:9000',
  );
});

test('the credential may be left to the AWS SDK', (t) => {
  t.deepEqual(s3Bucket({ server: { region: 'eu-central-1' } }).secrets, []);
});

const key = { accessKeyId: 'SHARED', secretAccessKey: 'shared-by-all' };

for (const [options, message] of [
  [undefined, /options must be an object \{ server, .*not "nothing"$/],
  [{ server, bucket: 'x' }, /^s3Bucket: options: bucket is not an option; known are server, /],
  [{}, /server must be an object \{ endpoint, region, accessKeyId, secretAccessKey, pathStyle, ca \}/],
  [{ server: { ...server, host: 'x' } }, /server: host is not an option/],
  [
    { server: { ...server, region: 'EU' } },
    /server\.region must be the name of a region, such as us-east-1, not "EU"$/,
  ],
  [{ server: { ...server, endpoint: 's3.example.com' } }, /server\.endpoint must be an address https:/],
  [{ server: { ...server, endpoint: 'https://me:pw@s3.example.com' } }, /without credentials/],
  [{ server: { ...server, accessKeyId: undefined } }, /server\.accessKeyId must be 3 to 128 printable/],
  [{ server: { ...server, secretAccessKey: undefined } }, /server\.secretAccessKey must be a text of 6/],
  [{ server: { ...server, pathStyle: 1 } }, /server\.pathStyle must be true or false, not 1$/],
  [{ server: { ...server, ca: 'x' } }, /server\.ca must be certificates in PEM/],
  [{ server, address: 'x' }, /address must be an address https:/],
  [{ server, users: true }, /users must be an object \{ endpoint, path, permissionsBoundary \}, not true$/],
  [{ server, users: false }, /users must be an object \{ endpoint, path, permissionsBoundary \}, not false$/],
  [{ server, users: '' }, /users must be an object .*, not "a text of 0 characters"$/],
  [{ server, users: null }, /users must be an object .*, not "nothing"$/],
  [{ server, users: { paths: '/' } }, /users: paths is not an option/],
  [{ server, users: { path: 'previews' } }, /users\.path must be a path that begins and ends with \/, not "previews"$/],
  [{ server, users: { permissionsBoundary: 'x' } }, /users\.permissionsBoundary must be the ARN of a policy, not "x"$/],
  [{ server: { ...server, endpoint }, users: {} }, /users\.endpoint must be the address of IAM, since/],
  [{ server, users: {}, sharedKey: key }, /sharedKey must be left out where there are users$/],
  [{ server, sharedKey: { ...key, id: 1 } }, /sharedKey: id is not an option/],
  [{ server, sharedKey: { accessKeyId: 'SHARED' } }, /sharedKey\.secretAccessKey must be a text of 6/],
  [{ server, account: '123' }, /account must be 12 digits, not "123"$/],
  [{ server, prefix: 'Ws' }, /prefix must be up to 16 characters of a-z, 0-9 and -, none of the words .* not "Ws"$/],
  [{ server, expireAfterDays: -1 }, /expireAfterDays must be a whole number from 0 to 3650, not -1$/],
  [{ server, versioning: 'yes' }, /versioning must be true or false, not "yes"$/],
  [{ server, emptyOnDelete: 0 }, /emptyOnDelete must be true or false, not 0$/],
  [{ server, deadline: 0 }, /deadline must be a whole number from 1 to/],
  [{ server, driftInterval: Number.POSITIVE_INFINITY }, /driftInterval must be a whole number from 1 to/],
] as const)
  test(`refused: ${message.source}`, (t) => {
    const wrong = options as unknown as S3BucketOptions;
    const error = t.throws(() => checkedS3Options(wrong), { instanceOf: TypeError, message });
    t.notRegex(error.message, /quite-secret|shared-by-all/);
  });
