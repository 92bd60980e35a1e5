import test, { type ExecutionContext } from 'ava';
import { exchange } from '../../../../integrations/rfc2136/exchange.ts';
import { nameServer } from '../../../../integrations/rfc2136/name-server.ts';
import type { TsigKey } from '../../../../integrations/rfc2136/tsig.ts';
import { createUpdate, removeUpdate } from '../../../../integrations/rfc2136/update.ts';
import { rcode, type } from '../../../../integrations/rfc2136/wire.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { startTestNameServer } from './fixtures/name-server.ts';
import type { Fault } from './fixtures/responder.ts';

const key: TsigKey = { name: 'op-key', algorithm: 'hmac-sha256', secret: Buffer.from('0123456789abcdef') };
const zone = 'example.test';
const name = 'www.example.test';
const create = createUpdate({
  name,
  owner: 'uid-1',
  ttl: 60,
  records: [{ zone, name, type: 'A', target: '192.0.2.1' }],
});
const signal = new AbortController().signal;

async function aServer(
  t: ExecutionContext,
  { behind = 0, ...change }: Partial<Parameters<typeof nameServer>[0]> & { readonly behind?: number } = {},
) {
  const server = await startTestNameServer({ key, now: () => Date.now() / 1000 - behind });
  t.teardown(() => server.close());
  const client = nameServer({ server, key, fudge: 15, deadline: 2_000, clock: systemClock, exchange, ...change });
  return { server, client };
}

test('an update is carried out once, and refused when its prerequisites no longer hold', async (t) => {
  const { server, client } = await aServer(t);
  t.is(await client.update(zone, create, signal), rcode.NOERROR);
  t.is(await client.update(zone, create, signal), rcode.YXDOMAIN);
  t.deepEqual(server.records(), [
    '_op-owner.www.example.test TXT heritage=workspace-sequencer,owner=uid-1,condition=DNS',
    'www.example.test A 192.0.2.1',
  ]);
  t.is(await client.update(zone, removeUpdate(name, 'uid-2'), signal), rcode.NXRRSET);
  t.is(await client.update(zone, removeUpdate(name, 'uid-1'), signal), rcode.NOERROR);
  t.deepEqual(server.records(), []);
});

test('a lookup answers what is there, nothing when there is nothing', async (t) => {
  const { client } = await aServer(t);
  await client.update(zone, create, signal);
  t.deepEqual(
    (await client.lookup(name, type.A, signal)).map(({ data }) => data.join('.')),
    ['192.0.2.1'],
  );
  t.deepEqual(await client.lookup(name, type.TXT, signal), []);
  t.deepEqual(await client.lookup('none.example.test', type.A, signal), []);
});

for (const [why, change, behind, message] of [
  [
    'another secret',
    { key: { ...key, secret: Buffer.from('x') } },
    0,
    /NOTAUTH\/BADSIG: the signature by op-key does not hold/,
  ],
  ['a key it does not know', { key: { ...key, name: 'other' } }, 0, /NOTAUTH\/BADKEY: it does not know the key other/],
  ['another algorithm', { key: { ...key, algorithm: 'hmac-sha512' } }, 0, /NOTAUTH\/BADKEY/],
  [
    'a clock an hour off',
    {},
    3600,
    /NOTAUTH\/BADTIME: the two clocks differ by 3[56]\d\d s, more than the fudge of 15 s/,
  ],
] as const)
  test(`${why} is refused definitely, saying what to look at`, async (t) => {
    const { server, client } = await aServer(t, { ...change, behind });
    await t.throwsAsync(client.update(zone, create, signal), { instanceOf: DefiniteError, message });
    t.is(server.updates, 0);
    await server.close();
  });

test('a zone it does not serve is refused definitely', async (t) => {
  const { client } = await aServer(t);
  const message = /NOTAUTH: it is not the primary of the zone other.test/;
  await t.throwsAsync(client.update('other.test', create, signal), { instanceOf: DefiniteError, message });
});

test('a name outside the zone is refused definitely', async (t) => {
  const { client } = await aServer(t);
  const elsewhere = removeUpdate('www.other.test', 'uid-1');
  await t.throwsAsync(client.update(zone, elsewhere, signal), { instanceOf: DefiniteError, message: /NOTZONE/ });
});

for (const [fault, message, carriedOut] of [
  ['lost before', /closed the connection without an answer|ECONNRESET/, 0],
  ['lost after', /closed the connection without an answer|ECONNRESET/, 1],
  ['unsigned', /its NOERROR is not trusted: an unsigned NOERROR/, 1],
  ['other id', /returned another request than \d+/, 1],
  [{ code: rcode.SERVFAIL }, /SERVFAIL for example.test/, 0],
] as const satisfies readonly (readonly [Fault, RegExp, number])[])
  test(`after ${JSON.stringify(fault)} the outcome is reported as not known`, async (t) => {
    const { server, client } = await aServer(t);
    server.failNext(fault);
    const error = await t.throwsAsync(client.update(zone, create, signal), { message });
    t.false(error instanceof DefiniteError);
    t.is(server.updates, carriedOut);
    await server.close();
  });

test('a server that says nothing is given up after the deadline, its outcome unknown', async (t) => {
  const clock = createManualClock(Date.now());
  const { server, client } = await aServer(t, { clock });
  server.failNext('silent');
  const update = client.update(zone, create, signal);
  update.catch(() => undefined);
  while (server.requests === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(2_000);
  const error = await t.throwsAsync(update, { message: /no answer within 2000 ms/ });
  t.false(error instanceof DefiniteError);
});

test('an abort ends the exchange at once', async (t) => {
  const { server, client } = await aServer(t);
  const abort = new AbortController();
  server.failNext('silent');
  const update = client.update(zone, create, abort.signal);
  update.catch(() => undefined);
  while (server.requests === 0) await new Promise((resolve) => setImmediate(resolve));
  abort.abort(new Error('stopping'));
  t.false((await t.throwsAsync(update, { message: /aborted/ })) instanceof DefiniteError);
});

test('what never left is definite: no server listens, or it was aborted before', async (t) => {
  const { server, client } = await aServer(t);
  await t.throwsAsync(client.update(zone, create, AbortSignal.abort()), {
    instanceOf: DefiniteError,
    message: /aborted/,
  });
  await server.close();
  await t.throwsAsync(client.update(zone, create, signal), {
    instanceOf: DefiniteError,
    message: /name server 127.0.0.1:\d+: .*ECONNREFUSED/,
  });
});
