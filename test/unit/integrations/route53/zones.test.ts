import test from 'ava';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';
import { aShop } from './a-shop.ts';

const line = `shop.${zone} A 192.0.2.1`;

test('a name without a public zone is an Error, and its workspace can go', async (t) => {
  const {
    walk,
    walkOn,
    condition,
    read,
    delete: remove,
  } = await aShop(specOf('shop'), {
    zones: [{ id: 'ZPRIVATE', name: zone, isPrivate: true }],
  });
  await t.throwsAsync(walk());
  t.regex(await condition(), /^Error: Route 53: the account has no public hosted zone for shop\.example\.test/);
  await remove();
  await walkOn(60_000);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('the zone with the longest suffix is taken; one of that name cannot be owned', async (t) => {
  const zones = [
    { id: 'ZSHORT', name: zone },
    { id: 'ZLONG', name: `apps.${zone}` },
  ];
  const { server, published, walk, condition } = await aShop(specOf('shop.apps'), { zones });
  await walk();
  t.deepEqual(published().length, 2);
  server.change(['CREATE', { name: `x.apps.${zone}`, type: 'A', ttl: 300, values: ['192.0.2.9'] }]);
  t.is(server.sets().length, 3);
  const { walk: walkApex, condition: ofApex } = await aShop(specOf('apps'), { zones });
  await t.throwsAsync(walkApex());
  t.regex(await ofApex(), /^Error: apps\.example\.test is a zone itself/);
  t.regex(await condition(), /^Completed/);
});

test('a zone that was deleted and made anew is found again', async (t) => {
  const zones = [{ id: 'ZFIRST', name: zone }];
  const { walk, walkOn, condition, names, ask } = await aShop(specOf('shop'), { zones });
  await walk();
  zones[0] = { id: 'ZSECOND', name: zone };
  await ask([{ recordType: 'A', name: 'shop', target: '192.0.2.2' }]);
  await t.throwsAsync(walk());
  t.regex(await condition(), /NoSuchHostedZone/);
  t.deepEqual(names(), [line]);
  await walkOn(20_000);
  t.false((await condition()).includes('NoSuchHostedZone'));
});

test('with the id of the zone nothing is searched', async (t) => {
  const { server, walk, published } = await aShop(specOf('shop'), { hostedZoneId: 'ZPUBLIC', zone });
  await walk();
  t.is(server.count.requests, 1);
  t.is(published().length, 2);
});
