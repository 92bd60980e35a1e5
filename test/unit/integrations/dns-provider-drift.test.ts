import test from 'ava';
import { Workspace } from '../../../sdk/index.ts';
import { aDnsShop, key, minute, record, whole } from './fixtures/a-dns-shop.ts';
import { specOf, zone } from './fixtures/a-dns-spec.ts';

test('a name that was removed outside comes back, under guard, and an event tells what was missing', async (t) => {
  const { walk, again, provider, names, condition, events, read } = await aDnsShop();
  await walk();
  provider.erase('api.example.test');
  const result = await again();
  t.deepEqual(names(), whole);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  t.deepEqual(events('Drifted'), ['api.example.test: it is not there']);
  t.deepEqual((await read()).status?.guards?.DNS?.input, { names: [{ zone, name: 'api.example.test' }] });
  t.is(result.requeueAfter, 3.5 * minute);
});

test('a record that was changed outside is corrected, and only that', async (t) => {
  const { walk, again, provider, names, uid, events } = await aDnsShop();
  await walk();
  provider.occupy(uid, [record('shop.example.test', '192.0.2.66')]);
  await again();
  t.deepEqual(names(), whole);
  t.deepEqual(events('Drifted'), ['shop.example.test: A 127.0.0.1 is missing, A 192.0.2.66 was added']);
  t.deepEqual(
    provider.changes().map(({ name }) => name),
    ['shop.example.test', 'api.example.test', 'shop.example.test'],
  );
});

test('what another owner keeps at the name, of a type that is not wanted there, stays', async (t) => {
  const { walk, again, provider, uid } = await aDnsShop({ subdomains: ['shop'] });
  await walk();
  const note = { zone, name: 'shop.example.test', type: 'TXT', target: 'verified' } as const;
  provider.occupy(uid, [note]);
  await again();
  t.deepEqual(
    provider.records().map(({ type, target }) => `${type} ${target}`),
    ['A 127.0.0.1', 'TXT verified'],
  );
});

test('between two looks nothing is asked and nothing written', async (t) => {
  const { walk, again, looks: driftSchedule, clock, read } = await aDnsShop();
  t.is((await walk()).requeueAfter, minute / 2, 'the first look comes soon');
  await again();
  const { resourceVersion } = (await read()).metadata;
  t.is(driftSchedule.count, 1);
  for (let round = 0; round < 3; round += 1) {
    await clock.advance(minute);
    t.is((await walk()).requeueAfter, (2.5 - round) * minute);
  }
  t.is(driftSchedule.count, 1);
  await clock.advance(minute / 2);
  await walk();
  t.is(driftSchedule.count, 2);
  t.is((await read()).metadata.resourceVersion, resourceVersion, 'nor does a look write anything');
});

test('a fresh process looks soon, though not at once', async (t) => {
  const { walk, again, restart, provider, names, looks: driftSchedule } = await aDnsShop();
  await again();
  provider.erase('api.example.test');
  const before = driftSchedule.count;
  restart();
  t.is((await walk()).requeueAfter, minute / 2);
  t.is(driftSchedule.count, before);
  await again();
  t.deepEqual(names(), whole);
});

test('a name that another owner has taken is left alone and reported; it is ours again once it is free', async (t) => {
  const { walk, clock, provider, names, condition } = await aDnsShop({ subdomains: ['shop'] });
  await walk();
  provider.occupy('uid-other', [record('shop.example.test', '192.0.2.9')]);
  await clock.advance(minute);
  await t.throwsAsync(walk(), { message: 'shop.example.test belongs to uid-other' });
  t.is(await condition(), 'Error: shop.example.test belongs to uid-other');
  t.deepEqual(names(), ['shop.example.test 192.0.2.9 uid-other']);
  provider.erase('shop.example.test');
  await walk();
  t.deepEqual(names(), ['shop.example.test 127.0.0.1 ours']);
  t.is(await condition(), 'Completed: published shop.example.test');
});

test('a look that fails leaves the condition as it is: an event tells, and an interval later it looks again', async (t) => {
  const { walk, again, looks: driftSchedule, provider, names, condition, events } = await aDnsShop();
  await walk();
  provider.erase('api.example.test');
  driftSchedule.failure = new Error('name server: no answer');
  t.is((await again()).requeueAfter, 3.5 * minute);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  t.deepEqual(events('LookFailed'), ['published records could not be read: name server: no answer']);
  driftSchedule.failure = undefined;
  await again();
  t.deepEqual(names(), whole);
});

test('a look that fails does not hold up what else is wanted', async (t) => {
  const { walk, clock, client, looks: driftSchedule, names } = await aDnsShop({ subdomains: ['shop'] });
  await walk();
  driftSchedule.failure = new Error('away');
  await client.patch(Workspace, key, { type: 'merge', value: { spec: specOf('store') } });
  await clock.advance(minute);
  await walk();
  t.deepEqual(names(), ['store.example.test 127.0.0.1 ours']);
});

test('a repair whose answer was lost is carried out again', async (t) => {
  const { walk, clock, provider, names, condition } = await aDnsShop();
  await walk();
  provider.erase('api.example.test');
  provider.failNext('lost before');
  await clock.advance(minute);
  await walk().catch(() => undefined);
  t.regex(await condition(), /^Locked: outcome not known yet/);
  for (let round = 0; round < 3; round += 1) {
    await clock.advance(20_000);
    await walk().catch(() => undefined);
  }
  t.deepEqual(names(), whole);
  t.regex(await condition(), /^Completed/);
});

test('no look for a workspace without names, nor with an interval of Infinity, nor after its end', async (t) => {
  const empty = await aDnsShop({ subdomains: [] });
  t.is((await empty.walk()).requeueAfter, undefined);
  const never = await aDnsShop({ driftInterval: Infinity });
  t.is((await never.walk()).requeueAfter, undefined);
  await never.clock.advance(1_000 * minute);
  await never.walk();
  t.is(never.looks.count + empty.looks.count, 0);
  const gone = await aDnsShop();
  await gone.walk();
  await gone.delete();
  await gone.walk();
  t.deepEqual(gone.names(), []);
  t.is(gone.looks.count, 0);
});
