import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { zone } from '../fixtures/a-dns-spec.ts';
import { powerdnsStandIn } from './stand-in.ts';
import { integrationOf, subject, wordsOf } from './subject.ts';

const apiKey = 'a-key-that-nobody-else-may-see';

testIntegration(test.serial, {
  ...subject,
  secrets: [apiKey],
  start() {
    const server = powerdnsStandIn([zone], apiKey);
    return {
      fetch: server.fetch,
      integration: (run) =>
        integrationOf(run, { url: 'http://pdns.test:8081', apiKey, clock: run.clock, driftInterval: 60_000 }),
      causeDrift: () => server.clear(),
      remote: () => server.rrsets().map(wordsOf),
    };
  },
});
