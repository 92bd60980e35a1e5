import test from 'ava';
import { mailErrorOf } from '../../../../integrations/notify/mail-server.ts';
import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';

const answer = (responseCode: number | undefined, command: string): Error =>
  Object.assign(new Error('Message failed:\r\n no'), { responseCode, command });

const kindOf = (error: unknown): string => {
  if (error instanceof DefiniteError) return 'refused';
  return error instanceof ThrottledError ? 'later' : 'unknown';
};

for (const { title, error, isSent, kind } of [
  { title: 'no connection', error: answer(undefined, 'CONN'), isSent: false, kind: 'refused' },
  { title: 'a recipient that is refused', error: answer(550, 'RCPT TO'), isSent: false, kind: 'refused' },
  { title: 'a recipient for later', error: answer(450, 'RCPT TO'), isSent: false, kind: 'later' },
  { title: 'a mail that is refused', error: answer(554, 'DATA'), isSent: true, kind: 'refused' },
  { title: 'a mail for later', error: answer(452, 'DATA'), isSent: true, kind: 'later' },
  {
    title: 'a connection that breaks while the mail is sent',
    error: answer(undefined, 'CONN'),
    isSent: true,
    kind: 'unknown',
  },
  { title: 'a farewell while the mail is sent', error: answer(421, 'CONN'), isSent: true, kind: 'unknown' },
  { title: 'an answer that is none', error: answer(250, 'DATA'), isSent: true, kind: 'unknown' },
  { title: 'a signal while the mail is sent', error: new Error('the lease is over'), isSent: true, kind: 'unknown' },
])
  test(`${title}: ${kind}`, (t) => {
    const made = mailErrorOf(error, isSent);
    t.is(kindOf(made), kind);
    t.regex(made.message, /^SMTP: [^\r\n]+$/);
  });
