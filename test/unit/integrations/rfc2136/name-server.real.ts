import test, { type ExecutionContext } from 'ava';
import { exchange } from '../../../../integrations/rfc2136/exchange.ts';
import { nameServer } from '../../../../integrations/rfc2136/name-server.ts';
import { createUpdate, removeUpdate } from '../../../../integrations/rfc2136/update.ts';
import { rcode, rcodeName } from '../../../../integrations/rfc2136/wire.ts';
import { type Clock, DefiniteError, systemClock } from '../../../../sdk/index.ts';
import {
  type NameServer,
  type NameServerOptions,
  nameServerAvailable,
  startNameServer,
} from '../../../system/real/programs/name-server.ts';

const zone = 'example.test';
const name = 'shop.example.test';
const signal = new AbortController().signal;

async function started(t: ExecutionContext, implementation: NameServerOptions['implementation']): Promise<NameServer> {
  const server = await startNameServer({ implementation, zone });
  t.teardown(() => server.close());
  return server;
}

/** Reports whether the name or its owner's mark is published. */
const published = async (server: NameServer): Promise<boolean> =>
  (await server.transfer()).some((record) => record.name.endsWith(name));

const clientOf = (server: NameServer, key: Partial<NameServer['key']> = {}, clock: Clock = systemClock) => {
  const { name, algorithm, secret } = { ...server.key, ...key };
  return nameServer({
    exchange,
    server,
    key: { name, algorithm, secret: Buffer.from(secret, 'base64') },
    fudge: 15,
    deadline: 5_000,
    clock,
  });
};

const publication = (owner: string) =>
  createUpdate({
    name,
    owner,
    ttl: 60,
    records: [{ zone, name: 'shop.example.test', type: 'A', target: '192.0.2.1' }],
  });

for (const implementation of ['bind', 'knot'] as const) {
  const real = nameServerAvailable(implementation) ? test.serial : test.serial.skip;

  real(`${implementation}: the same update again is refused, as is one by another owner`, async (t) => {
    const server = await started(t, implementation);
    const client = clientOf(server);
    const send = async (update: Parameters<typeof client.update>[1]) =>
      rcodeName(await client.update(zone, update, signal));
    t.deepEqual(
      [
        await send(publication('uid-1')),
        await send(publication('uid-1')),
        await send(publication('uid-2')),
        await send(removeUpdate(name, 'uid-2')),
        await send(removeUpdate(name, 'uid-1')),
        await send(removeUpdate(name, 'uid-1')),
      ],
      ['NOERROR', 'YXDOMAIN', 'YXDOMAIN', 'NXRRSET', 'NOERROR', 'NXRRSET'],
    );
    t.false(await published(server));
  });

  real(`${implementation}: refusals are definite and say what to look at`, async (t) => {
    const server = await started(t, implementation);
    const refused = async (client: ReturnType<typeof clientOf>, message: RegExp, inZone = zone) =>
      t.throwsAsync(client.update(inZone, publication('uid-1'), signal), { instanceOf: DefiniteError, message });
    await refused(clientOf(server, { secret: Buffer.from('wrong').toString('base64') }), /NOTAUTH\/BADSIG/);
    await refused(clientOf(server, { name: 'nobody' }), /NOTAUTH\/BADKEY: it does not know the key nobody/);
    await refused(
      clientOf(server, {}, { ...systemClock, now: () => Date.now() - 4_000_000 }),
      /BADTIME: .* differ by (399\d|400\d) s/,
    );
    await refused(clientOf(server), /NOTAUTH: it is not the primary of the zone other.test/, 'other.test');
    const elsewhere = removeUpdate('shop.other.test', 'uid-1');
    await t.throwsAsync(clientOf(server).update(zone, elsewhere, signal), {
      instanceOf: DefiniteError,
      message: /NOTZONE/,
    });
    t.false(await published(server));
  });

  real(`${implementation}: of twenty creates at once, one is carried out`, async (t) => {
    const server = await started(t, implementation);
    const client = clientOf(server);
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.update(zone, publication(`uid-${index}`), signal)),
    );
    t.is(codes.filter((code) => code === rcode.NOERROR).length, 1);
    t.is(codes.filter((code) => code === rcode.YXDOMAIN).length, 19);
  });
}
