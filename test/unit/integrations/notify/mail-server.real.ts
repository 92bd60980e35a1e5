import test, { type ExecutionContext } from 'ava';
import { mailServerAt } from '../../../../integrations/notify/mail-server.ts';
import type { Mail, MailServerAddress } from '../../../../integrations/notify/smtp.ts';
import { DefiniteError, systemClock, ThrottledError } from '../../../../sdk/index.ts';
import { startSmtp } from '../../../system/real/programs/smtp.ts';
import { readKept } from './fixtures/a-kept-mail.ts';

const credential = { user: 'sequencer', password: 'a-password' };
const { signal } = new AbortController();

const mail: Mail = {
  from: { name: 'Séquencer', address: 'sequencer@example.test' },
  to: ['one@example.test', 'two@example.test'],
  subject: 'default/shop is there',
  text: 'The environment is there: naïve, .dot\n.\nFrom here on.\n',
  messageId: '<key-1@example.test>',
};

/** Ways in which a mail is sent otherwise. */
interface Sending {
  readonly at?: Partial<MailServerAddress>;
  readonly until?: AbortSignal;
  readonly deadline?: number;
}

/** Server of a test, and a way to send to it. */
async function aServer(t: ExecutionContext) {
  const smtp = await startSmtp(credential);
  t.teardown(() => smtp.close());
  const { host, port, ca } = smtp;
  const send = (more: Partial<Mail> = {}, { at = {}, until = signal, deadline = 5_000 }: Sending = {}) =>
    mailServerAt({ server: { host, port, ca, ...credential, ...at }, deadline, clock: systemClock }).send(
      { ...mail, ...more },
      until,
    );
  return { smtp, send };
}

test('a mail is sent after STARTTLS and with the credential, and says that no person wrote it', async (t) => {
  const { smtp, send } = await aServer(t);
  t.deepEqual(await send(), { refused: [] });
  const [kept] = smtp.mails();
  t.like(kept, { from: 'sequencer@example.test', to: mail.to });
  const { headers, text } = readKept(kept!);
  t.like(headers, {
    to: 'one@example.test, two@example.test',
    subject: mail.subject,
    'message-id': mail.messageId,
    'auto-submitted': 'auto-generated',
    'mime-version': '1.0',
  });
  t.regex(headers.from!, /^=\?UTF-8\?.*\?= <sequencer@example\.test>$/);
  t.is(text.replaceAll('\r\n', '\n'), mail.text.trimEnd());
});

test('what is in a subject or a name becomes no header and no recipient', async (t) => {
  const { smtp, send } = await aServer(t);
  const evil = 'hello\r\nBcc: victim@example.test\r\n\r\nbody';
  await send({ subject: evil, from: { name: `x" <y@z>\r\nBcc: victim@example.test`, address: mail.from.address } });
  const [kept] = smtp.mails();
  t.deepEqual(kept?.to, mail.to);
  t.deepEqual(
    readKept(kept!).lines.filter((line) => /^(bcc|cc)/i.test(line)),
    [],
  );
});

test('what the server refuses was not sent', async (t) => {
  const { smtp, send } = await aServer(t);
  const refused = (sent: Promise<unknown>, message: RegExp) =>
    t.throwsAsync(sent, { instanceOf: DefiniteError, message });
  await refused(send({ to: ['refused@example.test'] }), /^SMTP: .*550 5\.1\.1 no such mailbox/);
  await refused(send({}, { at: { password: 'another-password' } }), /^SMTP: .*535/);
  await refused(send({}, { at: { ca: 'none' } }), /^SMTP: /);
  await refused(send({}, { at: { security: 'tls' } }), /^SMTP: /);
  await refused(send({}, { at: { port: 1 } }), /ECONNREFUSED/);
  await refused(send({}, { at: { host: 'nowhere.invalid' } }), /^SMTP: /);
  smtp.behave('refused');
  await refused(send(), /554 5\.7\.1 not wanted/);
  const late = { instanceOf: ThrottledError, message: /come again later/ };
  await t.throwsAsync(send({ to: ['later@example.test'] }), late);
  smtp.behave('later');
  await t.throwsAsync(send(), late);
  t.deepEqual(smtp.mails(), []);
});

test('a mail that some recipients may not have goes to the others', async (t) => {
  const { smtp, send } = await aServer(t);
  t.deepEqual(await send({ to: ['one@example.test', 'refused@example.test'] }), { refused: ['refused@example.test'] });
  t.deepEqual(smtp.mails()[0]?.to, ['one@example.test']);
});

test('a server that takes a mail and does not say so leaves it unknown', async (t) => {
  const { smtp, send } = await aServer(t);
  smtp.behave('cut');
  const error = await t.throwsAsync(send());
  t.false(error instanceof DefiniteError || error instanceof ThrottledError);
  t.is(smtp.mails().length, 1);
});

test('nothing is sent without TLS where that is asked for', async (t) => {
  const smtp = await startSmtp();
  t.teardown(() => smtp.close());
  const server = { host: smtp.host, port: smtp.port };
  const sent = mailServerAt({ server, deadline: 5_000, clock: systemClock }).send(mail, signal);
  await t.throwsAsync(sent, { instanceOf: ThrottledError, message: /454 TLS not available/ });
  const plain = mailServerAt({ server: { ...server, security: 'none' }, deadline: 5_000, clock: systemClock });
  t.deepEqual(await plain.send(mail, signal), { refused: [] });
  t.is(smtp.mails().length, 1);
});

test('a signal that has aborted, and one that aborts, end the mail', async (t) => {
  const { smtp, send } = await aServer(t);
  await t.throwsAsync(send({}, { until: AbortSignal.abort(new Error('over')) }), { message: /over/ });
  await t.throwsAsync(send({}, { deadline: 1 }));
  t.deepEqual(smtp.mails(), []);
});
