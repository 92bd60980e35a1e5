import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { type NameServer, nameServerAvailable } from '../../../system/real/programs/name-server.ts';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';
import { aShop, started } from './fixtures/a-real-shop.ts';

/** Records in the zone beyond the initial ones. */
const records = async (server: NameServer): Promise<readonly string[]> =>
  (await server.transfer())
    .filter(({ name, type }) => name !== zone && name !== `ns1.${zone}` && type !== 'SOA')
    .map(({ name, ttl, type, value }) => `${name} ${ttl} ${type} ${value}`)
    .sort();

/** Changes the zone by hand. */
async function nsupdate({ host, port, key }: NameServer, lines: readonly string[]): Promise<void> {
  const secret = `${key.algorithm}:${key.name}:${key.secret}`;
  const script = [`server ${host} ${port}`, `zone ${zone}`, ...lines, 'send', ''].join('\n');
  const running = promisify(execFile)('nsupdate', ['-y', secret], { timeout: 20_000 });
  running.child.stdin?.end(script);
  await running;
}

for (const implementation of ['bind', 'knot'] as const) {
  const real = nameServerAvailable(implementation) ? test.serial : test.serial.skip;

  real(
    `${implementation}: what nsupdate removes or changes comes back, and what it adds for others stays`,
    async (t) => {
      const server = await started(t, implementation);
      const { create, actor, clock, condition } = await aShop(server, { driftInterval: 240_000, random: () => 0.5 });
      await create(specOf('shop', 'api'));
      await actor.walk();
      const before = await records(server);
      await nsupdate(server, [
        'update delete shop.example.test',
        'update delete _op-owner.shop.example.test',
        'update delete api.example.test A',
        'update add api.example.test 5 A 192.0.2.66',
        'update add api.example.test 60 TXT verified',
      ]);
      t.deepEqual(await server.lookup('shop.example.test', 'A'), []);
      t.deepEqual(await server.lookup('api.example.test', 'A'), ['192.0.2.66']);
      await clock.advance(30_000);
      t.deepEqual(await actor.walk(), { requeueAfter: 210_000 });
      const after = await records(server);
      t.deepEqual(
        after.filter((record) => !record.includes('verified')),
        before,
      );
      t.deepEqual(await server.lookup('api.example.test', 'TXT'), ['verified']);
      t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
      t.deepEqual(
        actor.events.filter(({ reason }) => reason === 'Drifted').map(({ message }) => message),
        ['shop.example.test: it is not there, api.example.test: A 192.0.2.1 is missing, A 192.0.2.66 was added'],
      );
      await clock.advance(210_000);
      await actor.walk();
      t.deepEqual(await records(server), after, 'and then all is well');
      t.is(actor.events.filter(({ reason }) => reason === 'Drifted').length, 1);
    },
  );

  real(
    `${implementation}: a server that is away when it is looked at is not an Error, and is looked at again`,
    async (t) => {
      const server = await started(t, implementation);
      const { create, actor, clock, condition } = await aShop(server, { driftInterval: 240_000, random: () => 0.5 });
      await create(specOf('shop'));
      await actor.walk();
      await nsupdate(server, ['update delete shop.example.test A']);
      await server.kill();
      await clock.advance(30_000);
      await actor.walk();
      t.is(await condition(), 'Completed: published shop.example.test');
      t.regex(actor.events.find(({ reason }) => reason === 'LookFailed')?.message ?? '', /ECONNREFUSED/);
      await server.restart();
      await clock.advance(210_000);
      await actor.walk();
      t.deepEqual(await server.lookup('shop.example.test', 'A'), ['192.0.2.1']);
    },
  );
}
