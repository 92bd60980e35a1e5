import test from 'ava';
import { type CaseName, testIntegration } from '../../../compliance/index.ts';
import { aRealServer } from './a-real-server.ts';
import { integrationOf, subject, wordsOf } from './subject.ts';

/** Cases of many lives, whose faults are made by the kit: minutes, in which moto is asked for what the others ask it for, too. */
const swept: readonly CaseName[] = ['definite', 'ambiguous', 'signal', 'crash'];

const server = await aRealServer();
test.after.always('the server stops', () => server.close());

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  cannot: Object.fromEntries(swept.map((name) => [name, 'proved in virtual time'])),
  async start() {
    await server.empty();
    const options = { endpoint: server.url, deadline: 1_000, driftInterval: 2_000, requestsPerSecond: 1_000 };
    return {
      integration: (run) => integrationOf(run, options),
      causeDrift: () => server.empty(),
      remote: async () => (await server.sets()).map(wordsOf),
    };
  },
});
