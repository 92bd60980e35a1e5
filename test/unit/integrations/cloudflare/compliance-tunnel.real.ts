import test from 'ava';
import { type CaseName, testIntegration } from '../../../compliance/index.ts';
import { cloudflareStandIn } from './fixtures/stand-in.ts';
import { account, accountId } from './fixtures/subject.ts';
import { tunnelIntegrationOf, tunnelSpoiler, tunnelSubject, tunnelThings } from './fixtures/tunnel-subject.ts';

/** Cases of many lives, whose faults are made by the kit. */
const swept: readonly CaseName[] = ['ambiguous', 'throttled', 'signal', 'crash', 'copied', 'forged', 'restored'];

testIntegration(test.serial, {
  ...tunnelSubject,
  time: 'real',
  cannot: Object.fromEntries(swept.map((name) => [name, 'proved in virtual time'])),
  start() {
    const { fetch, tunnels } = cloudflareStandIn({ ...account, accountId });
    return {
      fetch,
      integration: (run) => tunnelIntegrationOf(run, { deadline: 1_000, driftInterval: 2_000 }),
      causeDrift: tunnelSpoiler(tunnels),
      remote: () => tunnelThings(tunnels),
    };
  },
});
