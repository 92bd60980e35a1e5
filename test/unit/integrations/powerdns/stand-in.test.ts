import test from 'ava';
import { zone } from '../fixtures/a-dns-spec.ts';
import { expectPowerdns } from './contract.ts';
import { powerdnsStandIn } from './stand-in.ts';

const base = 'http://pdns.test/api/v1/servers/localhost';

test('the stand-in answers as PowerDNS does', async (t) => {
  const { fetch } = powerdnsStandIn([zone], 'the-key');
  await expectPowerdns(t, (method, path, body) =>
    fetch(`${base}${path}`, {
      method,
      headers: { 'x-api-key': 'the-key' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  t.is((await fetch(base, { headers: { 'x-api-key': 'other' } })).status, 401);
});
