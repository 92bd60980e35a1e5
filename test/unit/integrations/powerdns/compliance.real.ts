import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { aRealServer } from './a-real-server.ts';
import { integrationOf, subject, wordsOf } from './subject.ts';

const server = await aRealServer();
test.after.always('the server stops', () => server.close());

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  secrets: [server.apiKey],
  async start() {
    await server.clear();
    const { url, apiKey } = server;
    return {
      integration: (run) => integrationOf(run, { url, apiKey, deadline: 1_000, driftInterval: 2_000 }),
      causeDrift: () => server.clear(),
      remote: async () => (await server.rrsets()).map(wordsOf),
    };
  },
});
