import '@aws-sdk/client-route-53'; // loaded here, so that no virtual time passes meanwhile
import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { route53StandIn } from './stand-in.ts';
import { credential, integrationOf, subject, wordsOf, zones } from './subject.ts';

testIntegration(test.serial, {
  ...subject,
  start() {
    const server = route53StandIn({ zones, ...credential, pending: 1 });
    return {
      fetch: server.fetch,
      integration: (run) => integrationOf(run, { clock: run.clock, driftInterval: 60_000 }),
      causeDrift: () => server.clear(),
      remote: () => server.sets().map(wordsOf),
    };
  },
});
