import test from 'ava';
import { caddyAdmin } from '../../../../integrations/caddy/admin.ts';
import { systemClock } from '../../../../sdk/index.ts';
import { testIntegration } from '../../../compliance/index.ts';
import { startRealCaddy } from './a-real-server.ts';
import { spoilt, thingsOf } from './a-server.ts';
import { integrationOf, subject } from './subject.ts';

const caddy = await startRealCaddy();
test.after.always('the server stops', () => caddy.close());

let spoils = 0;

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  async start() {
    await caddy.put([]);
    const { url, server } = caddy;
    const operations = caddyAdmin({ url, server, tls: undefined, clock: systemClock, deadline: 1_000 });
    return {
      integration: (run) => integrationOf(run, operations, { url, server, deadline: 1_000, driftInterval: 2_000 }),
      async causeDrift() {
        if (spoils % 3 === 1)
          await caddy.restart(); // without its routes
        else await caddy.put(spoilt(await caddy.routes(), spoils));
        spoils += 1;
      },
      remote: async () => thingsOf(await caddy.routes()),
    };
  },
});
