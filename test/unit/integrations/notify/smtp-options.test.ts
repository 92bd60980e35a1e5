import test from 'ava';
import { checkedSmtpOptions, isMailAddress } from '../../../../integrations/notify/smtp-options.ts';
import type { Workspace } from '../../../../sdk/index.ts';

const server = { host: 'mail.example.com' };
const from = 'sequencer@example.com';
const to = ['team@example.com'];
const usual = { server, from, to };

const asking = (wish: unknown): Workspace =>
  ({
    metadata: { name: 'shop', namespace: 'default' },
    spec: wish === undefined ? {} : { integrations: { 'announced-by-mail': wish } },
    status: { host: 'shop.example.com' },
  }) as unknown as Workspace;

test('what is left out has its default', (t) => {
  const { operations, message, changes, handles, recipients, ...checked } = checkedSmtpOptions(usual);
  t.is(typeof operations.send, 'function');
  t.deepEqual(checked, {
    condition: 'AnnouncedByMail',
    name: 'announced-by-mail',
    deadline: 10_000,
    limits: { rate: 5, burst: 20 },
    secrets: [],
    endpoints: ['tcp://mail.example.com:587'],
    from: { name: '', address: from },
  });
  t.deepEqual(message({ workspace: asking({}), formerUids: [] }, 'came'), {
    subject: 'default/shop is there',
    text: 'The environment default/shop is there at shop.example.com.\n',
  });
  t.deepEqual(recipients(asking(undefined)), to);
});

test('a password is secret', (t) => {
  const credential = { ...server, user: 'sequencer', password: 'quite-secret' };
  t.deepEqual(checkedSmtpOptions({ ...usual, server: credential }).secrets, ['quite-secret']);
});

test('a workspace names recipients only where, and as, an option allows', (t) => {
  const { recipients: none } = checkedSmtpOptions(usual);
  t.regex(
    String(none(asking({ to: ['team@example.com'] }))),
    /spec\.integrations\.announced-by-mail\.to is not an option/,
  );
  const { recipients } = checkedSmtpOptions({ ...usual, workspaceRecipients: ['@dev.example.com', 'One@example.com'] });
  t.deepEqual(recipients(asking({ to: ['me@DEV.example.com', 'one@example.com', 'team@example.com'].slice(0, 2) })), [
    'team@example.com',
    'me@DEV.example.com',
    'one@example.com',
  ]);
  for (const wrong of [
    'two@example.com',
    'x@evil.dev.example.com',
    'me@dev.example.com\r\nBcc: x@y.z',
    'a@b@dev.example.com',
    '"a b"@dev.example.com',
    7,
  ])
    t.regex(
      String(recipients(asking({ to: [wrong] }))),
      /to must hold mail addresses that option workspaceRecipients allows/,
    );
  for (const [wish, expected] of [
    ['x', /announced-by-mail must be an object; found "x"/],
    [[], /must be an object/],
    [{ cc: [] }, /cc is not an option/],
    [{ to: 'me@dev.example.com' }, /to must be a list of at most 32 mail addresses/],
    [{ to: Array(33).fill('me@dev.example.com') }, /to must be a list of at most 32/],
  ] as const)
    t.regex(String(recipients(asking(wish))), expected);
  const { recipients: own } = checkedSmtpOptions({ server, from, workspaceRecipients: ['@dev.example.com'] });
  t.regex(String(own(asking({}))), /to must name a recipient, since option to names none/);
});

test('addresses are plain', (t) => {
  for (const right of ['a@b', 'first.last+tag@mail.example.com', "o'neil@example.com"])
    t.true(isMailAddress(right), right);
  for (const wrong of [
    '',
    'a',
    '@b',
    'a@',
    'a@b.',
    'a@-b',
    'a b@c',
    'a@b c',
    '<a@b>',
    'a@b,c@d',
    'é@b',
    `${'a'.repeat(65)}@b`,
    `a@${'b.'.repeat(12)}c`,
    undefined,
  ])
    t.false(isMailAddress(wrong), String(wrong));
});

for (const [options, message] of [
  [undefined, /options must be an object \{ server, /],
  [{ from, to }, /server must be an object \{ host, port, security, user, password, ca \}/],
  [{ ...usual, server: {} }, /server\.host must be a host, not "nothing"$/],
  [{ ...usual, server: { ...server, port: 0 } }, /server\.port must be a whole number from 1 to 65535/],
  [
    { ...usual, server: { ...server, security: 'ssl' } },
    /server\.security must be 'tls', 'starttls' or 'none', not "ssl"$/,
  ],
  [{ ...usual, server: { ...server, user: 'me' } }, /server\.user must be given with a password, or neither$/],
  [
    { ...usual, server: { ...server, security: 'none', user: 'me', password: 'quite-secret' } },
    /server\.user must be left out with security 'none'/,
  ],
  [{ ...usual, server: { ...server, user: 'me', password: 'x' } }, /server\.password must be a text of 6/],
  [{ ...usual, server: { ...server, ca: 'x' } }, /server\.ca must be certificates in PEM$/],
  [{ ...usual, from: 'me' }, /from must be a mail address, or \{ name, address \}, not "me"$/],
  [{ ...usual, from: { name: 'a\nb', address: from } }, /from\.name must be a text of at most 100/],
  [{ server, from }, /to must be a list of at least one mail address/],
  [{ ...usual, to: ['@example.com'] }, /to must be a list of mail addresses, not "@example\.com"$/],
  [{ ...usual, to: from }, /to must be a list of at most 32/],
  [{ ...usual, workspaceRecipients: ['example.com'] }, /workspaceRecipients must be a list of mail addresses/],
  [{ ...usual, cc: [] }, /^smtpMessages: options: cc is not an option/],
] as const)
  test(`refused: ${message.source}`, (t) => {
    t.throws(() => checkedSmtpOptions(options as never), { instanceOf: TypeError, message });
  });
