import test from 'ava';
import { caddyAdmin } from '../../../../integrations/caddy/admin.ts';
import { systemClock } from '../../../../sdk/index.ts';
import { type CaseName, testIntegration } from '../../../compliance/index.ts';
import { startRealCaddy } from './a-real-server.ts';
import { spoilt, thingsOf } from './a-server.ts';
import { integrationOf, subject } from './subject.ts';

const caddy = await startRealCaddy();
test.after.always('the server stops', () => caddy.close());

/** Cases in which servers do not differ: faults are made before the server is asked. */
const elsewhere: readonly CaseName[] = ['signal', 'reports', 'throttled'];

let spoils = 0;

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  cannot: Object.fromEntries(elsewhere.map((name) => [name, 'proved in virtual time'])),
  async start() {
    await caddy.put([]);
    const { url, server } = caddy;
    const operations = caddyAdmin({ url, server, tls: undefined, clock: systemClock, deadline: 1_000 });
    return {
      integration: (run) => integrationOf(run, operations, { url, server, deadline: 1_000, driftInterval: 2_000 }),
      async spoil() {
        if (spoils % 3 === 1)
          await caddy.restart(); // without its routes
        else await caddy.put(spoilt(await caddy.routes(), spoils));
        spoils += 1;
      },
      remote: async () => thingsOf(await caddy.routes()),
    };
  },
});
