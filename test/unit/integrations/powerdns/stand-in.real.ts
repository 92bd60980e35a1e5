import test from 'ava';
import { powerdnsAvailable } from '../../../system/real/programs/powerdns.ts';
import { aRealServer } from './a-real-server.ts';
import { expectPowerdns } from './contract.ts';

(powerdnsAvailable() ? test : test.skip)('PowerDNS answers as its stand-in does', async (t) => {
  const server = await aRealServer();
  t.teardown(() => server.close());
  await expectPowerdns(t, server.api);
  const base = `${server.url}/api/v1/servers/localhost`;
  t.is((await fetch(base, { headers: { 'x-api-key': 'other' } })).status, 401);
  t.is((await server.api('GET', '/../other')).status, 404);
});
