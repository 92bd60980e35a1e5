import test from 'ava';
import { pino } from 'pino';
import { aborted } from '../../../../../sdk/aborted.ts';
import { Lease } from '../../../../../sdk/api/kinds.ts';
import type { Clock } from '../../../../../sdk/clock.ts';
import { DrainError } from '../../../../../sdk/operator/engine/drain.ts';
import { LeadershipLostError, withLeaderElection } from '../../../../../sdk/operator/leader-election/leader.ts';
import { failuresOf, OperatorError } from '../../../../../sdk/operator/operator.ts';
import { theServer } from '../controlled.ts';
import { candidates, onWire } from './candidates.ts';

/** Explains a leadership that one lost request costs. */
const quarter = 'a lost request takes half of renewDeadline: retryPeriod must be less than a quarter of it';

test('one of two leads, and the other takes over at once when it stops', async (t) => {
  const { server, log, candidate, record } = await candidates();
  const a = candidate('a', { takes: 3000 });
  await server.clock.advance(500);
  const b = candidate('b');
  await server.clock.advance(60_000);
  t.deepEqual(log, ['a begins at 0']);
  t.deepEqual([a.elected.isLeader(), b.elected.isLeader()], [true, false]);
  t.like(await record(), { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
  a.stop.abort();
  await server.clock.advance(2900);
  t.is((await record())?.holderIdentity, 'a', 'its work is not over yet');
  await server.clock.advance(5000);
  await a.ended;
  t.is(log[1], 'a ends at 63.5');
  t.regex(log[2]!, /b begins at 6[3-6]/);
  t.like(await record(), { holderIdentity: 'b', leaseTransitions: 1 });
  b.stop.abort();
  await server.clock.advance(10);
  await b.ended;
  t.like(await record(), { holderIdentity: '', leaseDurationSeconds: 1 });
});

test('a candidate that waits names the leader, once', async (t) => {
  const { server, candidate } = await candidates();
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const a = candidate('a');
  await server.clock.advance(500);
  const b = candidate('b', { logger });
  await server.clock.advance(60_000);
  t.is(lines.length, 1);
  t.like(JSON.parse(lines[0]!), { msg: 'waiting to lead: another one holds the lease', identity: 'b', holder: 'a' });
  for (const { stop } of [a, b]) stop.abort();
  await Promise.all([a.ended, b.ended, server.clock.advance(20_000)]);
});

test('one request without an answer does not cost the leadership', async (t) => {
  const world = await candidates();
  const { server, log, candidate } = world;
  const wire = onWire(world);
  const a = candidate('a', { client: wire.client });
  await server.clock.advance(5_000);
  wire.set('cut');
  await server.clock.advance(2_500); // a renewal is sent, and never answered
  wire.set('up');
  await server.clock.advance(60_000);
  t.deepEqual(log, ['a begins at 0'], quarter);
  t.true(a.elected.isLeader());
  a.stop.abort();
  await Promise.all([a.ended, server.clock.advance(20_000)]);
});

test('one that is cut off stops before the other begins, and says why', async (t) => {
  const world = await candidates();
  const { server, log, candidate, overlaps } = world;
  const wire = onWire(world);
  const a = candidate('a', { client: wire.client });
  await server.clock.advance(100);
  candidate('b');
  await server.clock.advance(20_000);
  wire.set('cut');
  await server.clock.advance(60_000);
  await t.throwsAsync(a.ended, {
    instanceOf: LeadershipLostError,
    message: /^the Lease [\w-]+\/operator was not renewed within 10000 ms$/,
  });
  t.is(log.length, 3);
  t.is(log[1], 'a ends at 30', 'renewDeadline after the last renewal, which is at a multiple of retryPeriod');
  t.regex(log[2]!, /b begins at 3[5-7]/);
  t.is(overlaps(), 0);
});

test('one that is cut off while its work does not end in time says both', async (t) => {
  const world = await candidates();
  const wire = onWire(world);
  const work = (signal: AbortSignal) =>
    aborted(signal).then(() => Promise.reject(new DrainError('work', ['default/shop'])));
  const a = world.candidate('a', { client: wire.client, work });
  await world.server.clock.advance(100);
  wire.set('cut');
  await world.server.clock.advance(60_000);
  const error = await t.throwsAsync(a.ended, { instanceOf: OperatorError });
  const [lost, drain] = failuresOf(error);
  t.true(lost instanceof LeadershipLostError);
  t.true(drain instanceof DrainError);
});

test('a wrong wall clock changes nothing', async (t) => {
  const world = await candidates();
  const { server, log, candidate, overlaps } = world;
  const hour = 3_600_000;
  const skewed = (by: number): Clock => ({ ...server.clock, now: () => server.clock.now() + by });
  const wire = onWire(world);
  candidate('slow', { clock: skewed(-hour), client: wire.client });
  await server.clock.advance(100);
  candidate('fast', { clock: skewed(hour) });
  await server.clock.advance(600_000);
  t.deepEqual(log, ['slow begins at 0']);
  wire.set('cut');
  await server.clock.advance(60_000);
  t.is(log.length, 3);
  t.is(overlaps(), 0);
});

test('errors of the server are lived through for as long as the deadline allows', async (t) => {
  const world = await candidates();
  const { server, log, candidate } = world;
  const wire = onWire(world);
  const a = candidate('a', { client: wire.client });
  await server.clock.advance(100);
  for (let i = 0; i < 5; i += 1) {
    wire.set('broken');
    await server.clock.advance(7000);
    wire.set('up');
    await server.clock.advance(5000);
  }
  t.deepEqual(log, ['a begins at 0'], 'renewals are a retryPeriod apart: one must succeed in the 3 s that are left');
  wire.set('broken');
  await server.clock.advance(11_000);
  await t.throwsAsync(a.ended, { instanceOf: LeadershipLostError });
});

test('of two that write at once one wins: a conflict is a no', async (t) => {
  const { server, log, candidate, overlaps } = await candidates();
  for (const identity of ['a', 'b', 'c']) candidate(identity);
  await server.clock.advance(30_000);
  t.is(log.length, 1);
  t.is(overlaps(), 0);
});

test('a lease taken away by hand ends the leader, and controllers that fail release it', async (t) => {
  const { server, lease, candidate, record } = await candidates();
  const a = candidate('a');
  await server.clock.advance(100);
  const current = await server.client.get(Lease, lease);
  await server.client.update(Lease, { ...current, spec: { ...current.spec, holderIdentity: 'somebody' } });
  await server.clock.advance(3000);
  const message = /^the Lease [\w-]+\/operator was taken by "somebody"$/;
  await t.throwsAsync(a.ended, { instanceOf: LeadershipLostError, message });
  await server.client.delete(Lease, lease);
  const b = candidate('b', { work: () => Promise.reject(new Error('out of luck')) });
  await server.clock.advance(100);
  await t.throwsAsync(b.ended, { message: 'work of b: out of luck' });
  t.is((await record())?.holderIdentity, '');
});

test('one that is stopped while it waits ends without having led', async (t) => {
  const { server, log, candidate, record } = await candidates();
  candidate('a');
  await server.clock.advance(100);
  const b = candidate('b');
  await server.clock.advance(5000);
  b.stop.abort();
  await server.clock.advance(0);
  await b.ended;
  t.deepEqual(log, ['a begins at 0']);
  t.is((await record())?.holderIdentity, 'a');
});

test('an empty identity is refused', async (t) => {
  const { client, key } = await theServer();
  const options = { client, lease: key('operator'), identity: '', controllers: [] };
  t.throws(() => withLeaderElection(options), { instanceOf: TypeError, message: /identity is empty/ });
});

test('of two processes of one identity, one waits for the lease of the other, labels and all', async (t) => {
  const { server, log, candidate, overlaps } = await candidates();
  const options = { labels: { team: 'a' } };
  const first = candidate('a', { ...options, processId: 'one' });
  await server.clock.advance(1000);
  const second = candidate('a', { ...options, processId: 'two' });
  await server.clock.advance(60_000);
  t.deepEqual([log, first.elected.isLeader(), second.elected.isLeader()], [['a begins at 0'], true, false]);
  const { metadata, spec } = await server.client.get(Lease, server.key('operator'));
  t.like(metadata, { labels: { team: 'a' }, annotations: { 'se.quencer.io/process': 'one' } });
  t.is(spec?.leaseTransitions, 0);
  first.stop.abort();
  await server.clock.advance(3000);
  t.is(log.length, 3);
  t.true(second.elected.isLeader());
  t.is(overlaps(), 0);
  second.stop.abort();
  await server.clock.advance(10);
});

test('a candidate that waits logs the leader once, and for how long at most', async (t) => {
  const { server, candidate } = await candidates();
  candidate('a');
  await server.clock.advance(100);
  const told: object[] = [];
  const logger = { info: (about: object) => void told.push(about), warn: () => undefined, debug: () => undefined };
  const b = candidate('b', { logger } as object);
  await server.clock.advance(60_000);
  t.is(told.length, 1);
  t.like(told[0], { identity: 'b', holder: 'a' });
  b.stop.abort();
  await server.clock.advance(0);
  await b.ended;
});
