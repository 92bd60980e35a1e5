import test from 'ava';
import { aRealServer } from './a-real-server.ts';
import { expectRoute53 } from './contract.ts';

test('moto behind the strict proxy answers the official client as the stand-in does', async (t) => {
  const server = await aRealServer();
  t.teardown(() => server.close());
  await expectRoute53(t, server.client, server.hostedZoneId);
});
