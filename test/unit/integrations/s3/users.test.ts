import test from 'ava';
import { iamClientOf } from '../../../../integrations/s3/clients.ts';
import { bucketIn, usersOn } from '../../../../integrations/s3/users.ts';
import { DefiniteError } from '../../../../sdk/index.ts';
import { aWire, credential, type WireAnswer } from './fixtures/a-wire.ts';

const { signal } = new AbortController();
const ask = { name: 'ws-a', mark: 'uid/Bucket/', signal };
const result = (action: string, xml = ''): WireAnswer => [
  200,
  `<${action}Response><${action}Result>${xml}</${action}Result></${action}Response>`,
];
const userOf = (mark: string): WireAnswer =>
  result(
    'GetUser',
    `<User><UserName>ws-a</UserName><Tags><member><Key>se.quencer.io/owner</Key><Value>${mark}</Value></member></Tags></User>`,
  );
const member = (id: string): string => `<member><AccessKeyId>${id}</AccessKeyId></member>`;

test('a user is created with its mark, its path and its boundary in one request', async (t) => {
  const { endpoint, requests } = await aWire(t, () => result('CreateUser'));
  const settings = { path: '/previews/', permissionsBoundary: 'arn:aws:iam::1:policy/previews' };
  await usersOn(iamClientOf({ ...credential, endpoint }, 5_000), settings).createUser(ask);
  const asked = Object.fromEntries(new URLSearchParams(requests[0]!.body));
  t.like(asked, { Action: 'CreateUser', UserName: 'ws-a', Path: '/previews/' });
  t.like(asked, { 'Tags.member.1.Key': 'se.quencer.io/owner', 'Tags.member.1.Value': ask.mark });
  t.is(asked.PermissionsBoundary, settings.permissionsBoundary);
  t.is(requests.length, 1);
});

test('a new key takes the place of all others, and a user of another owner gets none', async (t) => {
  for (const mark of [ask.mark, 'another']) {
    const { endpoint, requests } = await aWire(t, ({ body }) => {
      const action = new URLSearchParams(body).get('Action')!;
      if (action === 'GetUser') return userOf(mark);
      if (action === 'ListAccessKeys')
        return result(action, `<AccessKeyMetadata>${member('A')}${member('B')}</AccessKeyMetadata>`);
      const key = '<AccessKey><AccessKeyId>C</AccessKeyId><SecretAccessKey>s</SecretAccessKey></AccessKey>';
      return result(action, action === 'CreateAccessKey' ? key : '');
    });
    const users = usersOn(iamClientOf({ ...credential, endpoint }, 5_000), { path: '/' });
    const actions = () => requests.map(({ body }) => new URLSearchParams(body).get('Action'));
    if (mark === ask.mark) {
      t.deepEqual(await users.newKey(ask), { accessKeyId: 'C', secretAccessKey: 's' });
      t.deepEqual(actions(), ['GetUser', 'ListAccessKeys', 'DeleteAccessKey', 'DeleteAccessKey', 'CreateAccessKey']);
    } else {
      await t.throwsAsync(users.newKey(ask), { instanceOf: DefiniteError, message: /bears the mark of another/ });
      await t.throwsAsync(users.deleteUser(ask), { instanceOf: DefiniteError });
      t.deepEqual(actions(), ['GetUser', 'GetUser']);
    }
  }
});

test('an answer of another server is not a user without a mark', async (t) => {
  for (const body of ['', '<html><body>log in</body></html>']) {
    const { endpoint } = await aWire(t, () => [200, body]);
    const users = usersOn(iamClientOf({ ...credential, endpoint }, 5_000), { path: '/' });
    for (const work of [() => users.readUser(ask), () => users.closeUser(ask), () => users.deleteUser(ask)]) {
      const error = await t.throwsAsync(work, { message: 'no user ws-a was returned: check users.endpoint' });
      t.false(error instanceof DefiniteError);
    }
  }
});

test('a policy is that of a bucket when it says exactly that', async (t) => {
  let document = '';
  const { endpoint } = await aWire(t, ({ body }) => {
    const asked = new URLSearchParams(body);
    document = asked.get('PolicyDocument') ?? document;
    return asked.get('Action') === 'GetUser' ? userOf(ask.mark) : result('PutUserPolicy');
  });
  const users = usersOn(iamClientOf({ ...credential, endpoint }, 5_000), { path: '/' });
  await users.allowUser({ ...ask, bucket: 'ws-a' });
  t.is(bucketIn(encodeURIComponent(document)), 'ws-a');
  t.is(bucketIn(encodeURIComponent(document.replace('s3:GetObject', 's3:*'))), '');
  t.is(bucketIn(encodeURIComponent(document.replaceAll('ws-a/*', '*'))), '');
  for (const other of ['', '%', '{}', 'null', '[]', '{"Statement":[]}']) t.is(bucketIn(other), '');
});
