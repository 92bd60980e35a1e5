import test from 'ava';
import { Workspace } from '../../../sdk/index.ts';
import { aDnsShop, key, minute, record, whole } from './fixtures/a-dns-shop.ts';
import { specOf } from './fixtures/a-dns-spec.ts';

test('observeOnly: what differs is said and left as it is, and looked at again', async (t) => {
  const { walk, restart, again, provider, names, condition, uid } = await aDnsShop();
  await walk();
  restart('observeOnly');
  t.is((await walk()).requeueAfter, 3.5 * minute);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  provider.erase('api.example.test');
  provider.occupy(uid, [record('shop.example.test', '192.0.2.66')]);
  t.is((await again()).requeueAfter, 3.5 * minute);
  t.is(
    await condition(),
    'Not Healthy: observeOnly: "correcting shop.example.test: A 127.0.0.1 is missing, A 192.0.2.66 was added, api.example.test: it is not there" is not run',
  );
  t.deepEqual(names(), ['shop.example.test 192.0.2.66 ours']);
  provider.occupy(uid, [record('shop.example.test'), record('api.example.test')]);
  await again();
  t.regex(await condition(), /^Completed/);
});

test('observeOnly: what is no longer wanted and still there is said', async (t) => {
  const { walk, restart, client, condition, names } = await aDnsShop();
  await walk();
  restart('observeOnly');
  await client.patch(Workspace, key, { type: 'merge', value: { spec: specOf('shop') } });
  await walk();
  t.is(await condition(), 'Not Healthy: observeOnly: "correcting api.example.test: it is not wanted" is not run');
  t.deepEqual(names(), whole);
});

test('plan: what would be done about drift is said, and not done', async (t) => {
  const { walk, restart, provider, names, condition } = await aDnsShop();
  await walk();
  provider.erase('api.example.test');
  restart('plan');
  t.is((await walk()).requeueAfter, 3.5 * minute);
  t.is(await condition(), 'Waiting: plan: would start "correcting api.example.test: it is not there"');
  t.is(names().length, 1);
});

test('plan and observeOnly: a look that fails leaves what was said; where nothing was said yet it is an error', async (t) => {
  for (const policy of ['plan', 'observeOnly'] as const) {
    const { walk, restart, looks: driftSchedule, condition } = await aDnsShop();
    await walk();
    driftSchedule.failure = new Error('away');
    restart(policy);
    await t.throwsAsync(walk(), { name: 'ThrottledError', message: 'published records could not be read: away' });
    t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
    const fresh = await aDnsShop({ policy });
    fresh.looks.failure = new Error('away');
    await t.throwsAsync(fresh.walk(), { message: 'away' });
    t.is(await fresh.condition(), 'Error: away');
  }
});

test('plan: while something is unresolved there is no look', async (t) => {
  const { walk, restart, provider, clock, looks: driftSchedule, condition } = await aDnsShop({ subdomains: ['shop'] });
  provider.failNext('refused');
  await t.throwsAsync(walk(), { message: 'shop.example.test: refused' });
  restart('plan');
  await walk();
  await clock.advance(minute);
  t.is((await walk()).requeueAfter, undefined);
  t.is(driftSchedule.count, 0);
  t.is(await condition(), 'Waiting: plan: would start "publishing shop.example.test"');
});

test('orphan: what is missing comes back, what was added stays', async (t) => {
  const { walk, again, provider, uid, events } = await aDnsShop({ policy: 'orphan' });
  await walk();
  provider.erase('api.example.test');
  const added = record('shop.example.test', '192.0.2.66');
  provider.occupy(uid, [record('shop.example.test'), added]);
  await again();
  t.deepEqual(
    provider.records().map(({ name, target }) => `${name} ${target}`),
    ['shop.example.test 127.0.0.1', 'shop.example.test 192.0.2.66', 'api.example.test 127.0.0.1'],
  );
  t.deepEqual(events('Drifted'), ['api.example.test: it is not there']);
});
