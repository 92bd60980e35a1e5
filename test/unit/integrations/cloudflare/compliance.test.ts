import test from 'ava';
import { cloudflareDns } from '../../../../integrations/cloudflare/dns.ts';
import { testIntegration } from '../../../compliance/index.ts';
import { cloudflareStandIn } from './fixtures/stand-in.ts';
import { account, accountId, subject, thingOf } from './fixtures/subject.ts';

testIntegration(test.serial, {
  ...subject,
  start() {
    const server = cloudflareStandIn({ ...account, accountId });
    return {
      fetch: server.fetch,
      integration: ({ fetch, clock }) =>
        cloudflareDns({ ...account, target: '192.0.2.1', random: () => 0.5, driftInterval: 60_000, fetch, clock }),
      causeDrift: () => server.clear(),
      remote: () => server.records().map(thingOf),
    };
  },
});
