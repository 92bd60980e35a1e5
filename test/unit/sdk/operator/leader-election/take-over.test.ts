import test from 'ava';
import type { Client } from '../../../../../sdk/client/client.ts';
import { ForbiddenError } from '../../../../../sdk/errors.ts';
import { LeadershipLostError } from '../../../../../sdk/operator/leader-election/leader.ts';
import { candidates, onWire } from './candidates.ts';

test('a lease that is released is taken in the same moment, one that is not renewed when it has expired', async (t) => {
  const world = await candidates();
  const { server, log, candidate, record } = world;
  const wire = onWire(world);
  const a = candidate('a', { client: wire.client });
  await server.clock.advance(100);
  const b = candidate('b');
  await server.clock.advance(4321);
  a.stop.abort();
  for (let turn = 0; turn < 20; turn += 1) await server.clock.advance(0);
  t.deepEqual(log, ['a begins at 0', 'a ends at 4.4', 'b begins at 4.4'], 'no time passes in between');

  const c = candidate('c', { client: wire.client });
  await server.clock.advance(0);
  b.stop.abort();
  for (let turn = 0; turn < 20; turn += 1) await server.clock.advance(0);
  t.is((await record())?.holderIdentity, 'c');
  const d = candidate('d');
  await server.clock.advance(10_000);
  wire.set('cut');
  const { renewTime } = (await record())!;
  await server.clock.advance(60_000);
  await t.throwsAsync(c.ended, { instanceOf: LeadershipLostError });
  const { holderIdentity, acquireTime } = (await record())!;
  t.is(holderIdentity, 'd');
  const waited = Date.parse(acquireTime!) - Date.parse(renewTime!);
  t.true(waited >= 15_000 && waited <= 15_010, `${waited} ms after the last renewal`);
  d.stop.abort();
});

test('without the right to watch the lease it is asked for again and again', async (t) => {
  const { server, log, candidate } = await candidates();
  const refused = {
    kind: 'Status' as const,
    apiVersion: 'v1' as const,
    code: 403,
    reason: 'Forbidden',
    message: 'no right to watch leases',
  };
  const forbidden = new ForbiddenError(refused, { method: 'GET', path: '/leases', server: server.client.server });
  const client = new Proxy(server.client, {
    get: (target, member: keyof Client) =>
      member === 'watch'
        ? () => {
            throw forbidden;
          }
        : target[member],
  });
  const a = candidate('a');
  await server.clock.advance(100);
  candidate('b', { client });
  await server.clock.advance(5000);
  a.stop.abort();
  await server.clock.advance(5000);
  t.is(log.length, 3);
  t.regex(log[2]!, /^b begins at [5-9]/);
});
