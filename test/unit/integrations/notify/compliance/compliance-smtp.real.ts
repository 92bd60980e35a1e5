import test from 'ava';
import { mailServerAt } from '../../../../../integrations/notify/mail-server.ts';
import { systemClock } from '../../../../../sdk/index.ts';
import { type CaseName, testIntegration } from '../../../../compliance/index.ts';
import { startSmtp } from '../../../../system/real/programs/smtp.ts';
import { readKept } from '../fixtures/a-kept-mail.ts';
import { environmentsTold } from '../fixtures/a-reader.ts';
import { integrationOf, password, readMail, subject } from '../fixtures/smtp-subject.ts';

const user = 'sequencer';
const smtp = await startSmtp({ user, password });
test.after.always('the server stops', () => smtp.close());

/** Cases in which servers do not differ: faults are made before the server is asked. */
const elsewhere: readonly CaseName[] = ['signal', 'definite', 'ambiguous', 'restored'];

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  limits: { lease: 3_000 }, // it is not known what became of a mail that takes longer
  cannot: { ...subject.cannot, ...Object.fromEntries(elsewhere.map((name) => [name, 'proved in virtual time'])) },
  start() {
    smtp.clear();
    const { host, port, ca } = smtp;
    const server = { host, port, ca, user, password };
    const operations = mailServerAt({ server, deadline: 10_000, clock: systemClock });
    return {
      integration: (run) => integrationOf(run, operations, { server, deadline: 10_000 }),
      remote: () => environmentsTold(smtp.mails().map((mail) => readMail(readKept(mail)))),
    };
  },
});
