import test from 'ava';
import { SettlingBatches } from '../../../../integrations/route53/settling-batches.ts';
import { DefiniteError, type Result, Workspace } from '../../../../sdk/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { specOf } from '../fixtures/a-dns-spec.ts';
import { aShop } from './a-shop.ts';

const { signal } = new AbortController();

/** Batches, and what is asked about them. */
function aWait() {
  const clock = createManualClock();
  const inSync = new Map<string, boolean | Error>();
  const asked: string[] = [];
  const isInSync = async (id: string) => {
    asked.push(id);
    const state = inSync.get(id) ?? false;
    if (state instanceof Error) throw state;
    return state;
  };
  const batches = new SettlingBatches({ isInSync }, clock);
  return { clock, inSync, asked, batches, stateOf: () => batches.stateOf('uid', signal) };
}

test('batches are asked about one after the other, ever more seldom, and no more than is due', async (t) => {
  const { clock, inSync, asked, batches, stateOf } = aWait();
  for (const id of ['C1', 'C2']) batches.add('uid', { id, isInSync: false });
  batches.add('other', { id: 'C3', isInSync: true });
  t.like(await stateOf(), { wait: 5_000 });
  t.deepEqual(asked, []);
  await clock.advance(5_000);
  t.like(await stateOf(), { wait: 5_000 });
  inSync.set('C1', true);
  await clock.advance(5_000);
  t.like(await stateOf(), { wait: 10_000 });
  t.deepEqual(asked, ['C1', 'C1', 'C2']);
  inSync.set('C2', true);
  await clock.advance(10_000);
  t.is(await stateOf(), undefined);
  t.is(asked.at(-1), 'C2');
  t.is(await stateOf(), undefined);
  t.is(await batches.stateOf('other', signal), undefined);
});

test('it is waited no longer than five minutes, and a question that is refused ends it', async (t) => {
  const { clock, inSync, asked, batches, stateOf } = aWait();
  batches.add('uid', { id: 'C1', isInSync: false });
  inSync.set('C1', new Error('no answer'));
  for (let count = 0; count < 60; count += 1) {
    await clock.advance(5_000);
    const state = await stateOf();
    if (count < 59) t.regex(state!.reason, /PENDING\), until 2026-01-01T00:05:00Z$/);
    else
      t.deepEqual(state, {
        reason: 'Route 53 has not said within 5 minutes that its name servers have it',
        wait: undefined,
      });
  }
  t.true(asked.length <= 15);
  batches.add('uid', { id: 'C2', isInSync: false });
  inSync.set('C2', new DefiniteError('AccessDenied'));
  await clock.advance(5_000);
  t.deepEqual(await stateOf(), { reason: 'propagation could not be checked: AccessDenied', wait: undefined });
  t.is(await stateOf(), undefined);
});

test('a name is Completed once all name servers have it, and without the option at once', async (t) => {
  const shop = await aShop(specOf('shop'), { pending: 2 });
  t.is((await shop.walk()).requeueAfter, 5_000);
  t.regex(
    await shop.condition(),
    /^Waiting: published shop\.example\.test; waiting until the name servers of Route 53/,
  );
  await shop.walkOn(5_000);
  await shop.walkOn(5_000);
  t.regex(await shop.condition(), /^Waiting: /);
  await shop.walkOn(10_000);
  t.is(await shop.condition(), 'Completed: published shop.example.test');
  const hasty = await aShop(specOf('shop'), { pending: 2, waitForSync: false });
  await hasty.walk();
  t.is(await hasty.condition(), 'Completed: published shop.example.test');
});

test('after a restart nothing is waited for, and a workspace that goes is not held up', async (t) => {
  const shop = await aShop(specOf('shop'), { pending: 9 });
  await shop.walk();
  t.regex(await shop.condition(), /^Waiting/);
  await shop.anotherProcess().walk();
  t.is(await shop.condition(), 'Completed: published shop.example.test');
  await shop.delete();
  await shop.walk();
  t.deepEqual(shop.published(), []);
});

test('after a lost journal a name that waits for its name servers is asked for as often as they are', async (t) => {
  const shop = await aShop(specOf('shop'), { pending: 3, driftInterval: 1_000 });
  await shop.walk();
  const place = { namespace: 'default', name: 'shop' };
  const lost = { type: 'merge', value: { status: { guards: null } } } as const;
  await shop.client.patch(Workspace, place, lost, { subresource: 'status' });
  const waits: number[] = [];
  for (let turn = 0; turn < 30 && !(await shop.condition()).startsWith('Completed'); turn++)
    waits.push(((await shop.walkOn(waits.at(-1) ?? 0)) as Result).requeueAfter ?? 40_000);
  t.is(await shop.condition(), 'Completed: published shop.example.test');
  t.true(
    waits.slice(0, -1).every((wait) => wait >= 5_000),
    String(waits),
  );
});
