import test from 'ava';
import type { Mail } from '../../../../../integrations/notify/smtp.ts';
import { testIntegration } from '../../../../compliance/index.ts';
import { environmentsTold } from '../fixtures/a-reader.ts';
import { integrationOf, readMail, subject } from '../fixtures/smtp-subject.ts';

testIntegration(test.serial, {
  ...subject,
  start() {
    const mails: Mail[] = [];
    const server = {
      async send(mail: Mail) {
        mails.push(mail);
        return { refused: [] };
      },
    };
    return {
      integration: (run) => integrationOf(run, server),
      remote: () => environmentsTold(mails.map(readMail)),
    };
  },
});
