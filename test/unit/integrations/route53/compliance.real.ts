import test from 'ava';
import { type CaseName, testIntegration } from '../../../compliance/index.ts';
import { motoAvailable, motoMissing } from '../../../system/real/moto.ts';
import { zone } from '../a-dns-spec.ts';
import { aListener } from './a-listener.ts';
import { aRealServer, type RealServer } from './a-real-server.ts';
import { route53StandIn } from './stand-in.ts';
import { credential, integrationOf, subject, wordsOf } from './subject.ts';

type Server = Pick<RealServer, 'url' | 'sets' | 'empty' | 'close'>;

/** The stand-in behind HTTP. */
async function aServerInMemory(): Promise<Server> {
  const server = route53StandIn({ zones: [{ id: 'Z1', name: zone }], ...credential });
  const { url, close } = await aListener(server.fetch);
  return { url, sets: async () => server.sets(), empty: async () => server.clear(), close: async () => close() };
}

/** Cases of many lives, whose faults are made by the kit: without moto they prove nothing more than in virtual time. */
const swept: readonly CaseName[] = ['ambiguous', 'throttled', 'signal', 'crash', 'copied', 'forged', 'restored'];

const server = motoAvailable() ? await aRealServer() : await aServerInMemory();
if (!motoAvailable()) test.skip(`with moto: ${motoMissing}`, () => {});
test.after.always('the server stops', () => server.close());

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  cannot: motoAvailable() ? {} : Object.fromEntries(swept.map((name) => [name, 'proved in virtual time'])),
  async start() {
    await server.empty();
    const options = { endpoint: server.url, deadline: 1_000, driftInterval: 2_000, requestsPerSecond: 1_000 };
    return {
      integration: (run) => integrationOf(run, options),
      spoil: () => server.empty(),
      remote: async () => (await server.sets()).map(wordsOf),
    };
  },
});
