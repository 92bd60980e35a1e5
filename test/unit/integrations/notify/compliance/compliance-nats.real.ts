import test from 'ava';
import { type CaseName, testIntegration } from '../../../../compliance/index.ts';
import { environmentsTold } from '../fixtures/a-reader.ts';
import { startRealStream } from '../fixtures/a-real-stream.ts';
import { readMessage } from '../fixtures/a-stream.ts';
import { integrationOf, subject } from '../fixtures/nats-subject.ts';

const stream = await startRealStream();
test.after.always('the server stops', () => stream.close());

/** Cases in which servers do not differ: the kit keeps each call from the server, one in a life, for as long as its lease. */
const elsewhere: readonly CaseName[] = ['signal'];

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  cannot: { ...subject.cannot, ...Object.fromEntries(elsewhere.map((name) => [name, 'proved in virtual time'])) },
  async start() {
    await stream.clear();
    return {
      integration: (run) => integrationOf(run, stream.operations, { deadline: 1_000 }),
      remote: async () => environmentsTold((await stream.messages()).map(readMessage)),
    };
  },
});
