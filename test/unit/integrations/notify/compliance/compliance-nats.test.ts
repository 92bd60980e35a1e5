import test from 'ava';
import { testIntegration } from '../../../../compliance/index.ts';
import { environmentsTold } from '../fixtures/a-reader.ts';
import { createMemoryStream, readMessage } from '../fixtures/a-stream.ts';
import { integrationOf, subject } from '../fixtures/nats-subject.ts';

testIntegration(test.serial, {
  ...subject,
  start({ clock }) {
    const stream = createMemoryStream(clock);
    return {
      integration: (run) => integrationOf(run, stream),
      remote: () => environmentsTold(stream.messages.map(readMessage)),
    };
  },
});
