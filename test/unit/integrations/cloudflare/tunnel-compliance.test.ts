import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { cloudflareStandIn } from './fixtures/stand-in.ts';
import { account, accountId } from './fixtures/subject.ts';
import { tunnelIntegrationOf, tunnelSpoiler, tunnelSubject, tunnelThings } from './fixtures/tunnel-subject.ts';

testIntegration(test.serial, {
  ...tunnelSubject,
  start() {
    const { fetch, tunnels } = cloudflareStandIn({ ...account, accountId });
    return {
      fetch,
      integration: (run) => tunnelIntegrationOf(run),
      causeDrift: tunnelSpoiler(tunnels),
      remote: () => tunnelThings(tunnels),
    };
  },
});
