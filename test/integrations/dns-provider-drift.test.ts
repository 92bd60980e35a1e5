import test from 'ava';
import { createMemoryDnsProvider, type MemoryDnsProvider, memoryDns } from '../../integrations/memory/dns.ts';
import { conditionOf, type Policy, Workspace, type WorkspaceSpec } from '../../sdk/index.ts';
import { aStage } from '../a-stage.ts';

const zone = 'example.test';
const key = { namespace: 'default', name: 'shop' };
const specOf = (...subdomains: readonly string[]): WorkspaceSpec => ({
  networking: {
    dns: { zone },
    ingress: {
      className: 'nginx',
      rules: subdomains.map((subdomain) => ({
        name: subdomain,
        subdomain,
        path: '/',
        component: 'web',
        network: 'http',
      })),
    },
  },
});
const record = (name: string, target = '127.0.0.1') => ({ zone, name, type: 'A', target }) as const;
const minute = 60_000;

interface Setting {
  readonly policy?: Policy;
  readonly driftInterval?: number;
  readonly subdomains?: readonly string[];
}

/** A workspace with published names, and a third party whose looks are counted and can be made to fail. */
async function aShop({ policy = 'manage', driftInterval = 4 * minute, subdomains = ['shop', 'api'] }: Setting = {}) {
  const stage = await aStage();
  const memory = createMemoryDnsProvider({ clock: stage.clock });
  const looks = { count: 0, failure: undefined as Error | undefined };
  const provider: MemoryDnsProvider = {
    ...memory,
    look: async (...args) => {
      looks.count += 1;
      if (looks.failure !== undefined) throw looks.failure;
      return memory.look(...args);
    },
  };
  const start = (holder: string, rule: Policy = policy) => {
    const dns = memoryDns({ provider, driftInterval, clock: stage.clock, random: () => 0.5 });
    return stage.actor([{ ...dns, policy: rule }], { holder });
  };
  let actor = start('one');
  await stage.create(specOf(...subdomains));
  const { uid = '' } = (await stage.read()).metadata;
  return {
    ...stage,
    provider: memory,
    looks,
    uid,
    events: (reason: string) => actor.events.filter((event) => event.reason === reason).map(({ message }) => message),
    walk: () => actor.walk(),
    /** A fresh process takes over. */
    restart: (rule?: Policy) => {
      actor.die();
      actor = start('two', rule);
    },
    /** Waits for as long as the last walk asked, and walks again. */
    async again() {
      const { requeueAfter = 0 } = await actor.walk();
      await stage.clock.advance(requeueAfter);
      return actor.walk();
    },
    async condition() {
      const { status, reason } = conditionOf(await stage.read(), 'DNS');
      return `${status}: ${reason}`;
    },
    names: () =>
      memory.records().map(({ name, target, owner }) => `${name} ${target} ${owner === uid ? 'ours' : owner}`),
  };
}

const whole = ['shop.example.test 127.0.0.1 ours', 'api.example.test 127.0.0.1 ours'];

test('a name that somebody removed comes back, under guard, and an event tells what was missing', async (t) => {
  const { walk, again, provider, names, condition, events, read } = await aShop();
  await walk();
  provider.erase('api.example.test');
  const result = await again();
  t.deepEqual(names(), whole);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  t.deepEqual(events('Drifted'), ['api.example.test: it is not there']);
  t.deepEqual((await read()).status?.guards?.DNS?.input, { names: [{ zone, name: 'api.example.test' }] });
  t.is(result.requeueAfter, 3.5 * minute);
});

test('a record that somebody changed is put right, and only that', async (t) => {
  const { walk, again, provider, names, uid, events } = await aShop();
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

test('what somebody else keeps at the name, of a type that is not wanted there, stays', async (t) => {
  const { walk, again, provider, uid } = await aShop({ subdomains: ['shop'] });
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
  const { walk, again, looks, clock, read } = await aShop();
  t.is((await walk()).requeueAfter, minute / 2, 'the first look comes soon');
  await again();
  const { resourceVersion } = (await read()).metadata;
  t.is(looks.count, 1);
  for (let round = 0; round < 3; round += 1) {
    await clock.advance(minute);
    t.is((await walk()).requeueAfter, (2.5 - round) * minute);
  }
  t.is(looks.count, 1);
  await clock.advance(minute / 2);
  await walk();
  t.is(looks.count, 2);
  t.is((await read()).metadata.resourceVersion, resourceVersion, 'nor does a look write anything');
});

test('a fresh process looks soon, though not at once', async (t) => {
  const { walk, again, restart, provider, names, looks } = await aShop();
  await again();
  provider.erase('api.example.test');
  const before = looks.count;
  restart();
  t.is((await walk()).requeueAfter, minute / 2);
  t.is(looks.count, before);
  await again();
  t.deepEqual(names(), whole);
});

test('a name that somebody else has taken is left alone and told; it is ours again once it is free', async (t) => {
  const { walk, clock, provider, names, condition } = await aShop({ subdomains: ['shop'] });
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
  const { walk, again, looks, provider, names, condition, events } = await aShop();
  await walk();
  provider.erase('api.example.test');
  looks.failure = new Error('name server: no answer');
  t.is((await again()).requeueAfter, 3.5 * minute);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  t.deepEqual(events('LookFailed'), ['not looked at what is published: name server: no answer']);
  looks.failure = undefined;
  await again();
  t.deepEqual(names(), whole);
});

test('a look that fails does not hold up what else is wanted', async (t) => {
  const { walk, clock, client, looks, names } = await aShop({ subdomains: ['shop'] });
  await walk();
  looks.failure = new Error('away');
  await client.patch(Workspace, key, { type: 'merge', value: { spec: specOf('store') } });
  await clock.advance(minute);
  await walk();
  t.deepEqual(names(), ['store.example.test 127.0.0.1 ours']);
});

test('a repair whose answer was lost is carried out again', async (t) => {
  const { walk, clock, provider, names, condition } = await aShop();
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

test('nobody looks for a workspace without names, nor with an interval of Infinity, nor after its end', async (t) => {
  const empty = await aShop({ subdomains: [] });
  t.is((await empty.walk()).requeueAfter, undefined);
  const never = await aShop({ driftInterval: Infinity });
  t.is((await never.walk()).requeueAfter, undefined);
  await never.clock.advance(1_000 * minute);
  await never.walk();
  t.is(never.looks.count + empty.looks.count, 0);
  const gone = await aShop();
  await gone.walk();
  await gone.delete();
  await gone.walk();
  t.deepEqual(gone.names(), []);
  t.is(gone.looks.count, 0);
});

test('observeOnly: what differs is said and left as it is, and looked at again', async (t) => {
  const { walk, restart, again, provider, names, condition, uid } = await aShop();
  await walk();
  restart('observeOnly');
  t.is((await walk()).requeueAfter, 3.5 * minute);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  provider.erase('api.example.test');
  provider.occupy(uid, [record('shop.example.test', '192.0.2.66')]);
  t.is((await again()).requeueAfter, 3.5 * minute);
  t.is(
    await condition(),
    'Not Healthy: observeOnly: "putting right shop.example.test: A 127.0.0.1 is missing, A 192.0.2.66 was added, api.example.test: it is not there" is left undone',
  );
  t.deepEqual(names(), ['shop.example.test 192.0.2.66 ours']);
  provider.occupy(uid, [record('shop.example.test'), record('api.example.test')]);
  await again();
  t.regex(await condition(), /^Completed/);
});

test('observeOnly: what nobody wants any more and is still there is said', async (t) => {
  const { walk, restart, client, condition, names } = await aShop();
  await walk();
  restart('observeOnly');
  await client.patch(Workspace, key, { type: 'merge', value: { spec: specOf('shop') } });
  await walk();
  t.is(
    await condition(),
    'Not Healthy: observeOnly: "putting right api.example.test: it is not wanted" is left undone',
  );
  t.deepEqual(names(), whole);
});

test('plan: what would be done about drift is said, and not done', async (t) => {
  const { walk, restart, provider, names, condition } = await aShop();
  await walk();
  provider.erase('api.example.test');
  restart('plan');
  t.is((await walk()).requeueAfter, 3.5 * minute);
  t.is(await condition(), 'Waiting: plan: would start "putting right api.example.test: it is not there"');
  t.is(names().length, 1);
});

test('plan and observeOnly: a look that fails leaves what was said; where nothing was said yet it is an error', async (t) => {
  for (const policy of ['plan', 'observeOnly'] as const) {
    const { walk, restart, looks, condition } = await aShop();
    await walk();
    looks.failure = new Error('away');
    restart(policy);
    await t.throwsAsync(walk(), { name: 'ThrottledError', message: 'not looked at what is published: away' });
    t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
    const fresh = await aShop({ policy });
    fresh.looks.failure = new Error('away');
    await t.throwsAsync(fresh.walk(), { message: 'away' });
    t.is(await fresh.condition(), 'Error: away');
  }
});

test('orphan: what is missing comes back, what was added stays', async (t) => {
  const { walk, again, provider, uid, events } = await aShop({ policy: 'orphan' });
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
