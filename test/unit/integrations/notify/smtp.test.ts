import test from 'ava';
import { type Mail, type SmtpMessagesOptions, smtpMessages } from '../../../../integrations/notify/smtp.ts';
import { conditionOf, Workspace, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';

/** Lets a workspace come and go. @returns the mails about it, and what its condition says between */
async function told(options: Partial<SmtpMessagesOptions>, spec: WorkspaceSpec = {}, refused: readonly string[] = []) {
  const stage = await aTargetCluster();
  const mails: Mail[] = [];
  const operations = {
    async send(mail: Mail) {
      mails.push(mail);
      return { refused };
    },
  };
  const server = { host: 'mail.example.com' };
  const usual = { server, from: 'sequencer@example.com', to: ['team@example.com'], workspaces: 'all' } as const;
  const integration = smtpMessages({ ...usual, operations, ...options });
  const actor = stage.actor([integration]);
  await stage.create(spec);
  await actor.walk().catch(() => undefined);
  const { status, reason } = conditionOf(await stage.read(), 'AnnouncedByMail');
  await stage.delete();
  await actor.walk().catch(() => undefined);
  const isGone = await stage.client.get(Workspace, { namespace: 'default', name: 'shop' }).then(
    () => false,
    () => true,
  );
  return { mails, said: `${status}: ${reason}`, isGone };
}

test('people are reported by mail that an environment came and went', async (t) => {
  const { mails, said, isGone } = await told({});
  t.is(said, 'Completed: announced that it came');
  t.deepEqual(
    mails.map(({ subject, to }) => [subject, to]),
    [
      ['default/shop is there', ['team@example.com']],
      ['default/shop is gone', ['team@example.com']],
    ],
  );
  t.true(mails.every(({ messageId }) => /^<ws-u[0-9a-f]{16}-\d+@example\.com>$/.test(messageId)));
  t.true(isGone);
});

test('recipients that the server refuses are reported', async (t) => {
  const { said } = await told({}, {}, ['team@example.com']);
  t.is(said, 'Completed: announced that it came (refused for team@example.com)');
});

test('a subject is one line, and a text holds no other control characters', async (t) => {
  const subject = ' shop\r\nBcc: victim@example.com\u2028\u202egpj ';
  const { mails } = await told({ message: () => ({ subject, text: 'one\r\n\ttwo\0\u001b[2J\n' }) });
  t.like(mails[0], { subject: 'shop Bcc: victim@example.com gpj', text: 'one\n\ttwo[2J\n' });
});

test('a wish that is wrong is reported, sends nothing, and keeps no workspace', async (t) => {
  const { mails, said, isGone } = await told({}, { integrations: { 'announced-by-mail': { to: ['me@example.com'] } } });
  t.deepEqual(mails, []);
  t.regex(said, /^Error: spec\.integrations\.announced-by-mail\.to is not an option/);
  t.true(isGone);
});

for (const [message, expected] of [
  [() => 'text', /^Error: option message of smtpMessages must return \{ subject, text \}, both texts$/],
  [() => null, /both texts$/],
  [() => ({ subject: '\r\n', text: '' }), /the subject of 1 to 400 characters, not 0$/],
  [() => ({ subject: 'x'.repeat(401), text: '' }), /the subject of 1 to 400 characters, not 401$/],
  [() => ({ subject: 'x', text: 'x'.repeat(65_537) }), /the text of at most 65536 characters, not 65537$/],
] as const)
  test(`a text is checked before it is sent: ${expected.source}`, async (t) => {
    const { mails, said } = await told({ message: message as never });
    t.deepEqual(mails, []);
    t.regex(said, expected);
  });
