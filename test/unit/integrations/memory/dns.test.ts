import test from 'ava';
import { createMemoryDnsProvider, type MemoryDnsFault, memoryDns } from '../../../../integrations/memory/dns.ts';
import { DefiniteError } from '../../../../sdk/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';

const zone = 'example.test';
const name = 'shop.example.test';
const record = { zone, name, type: 'A', target: '192.0.2.1' } as const;
const create = { op: 'create', zone, name, records: [record] } as const;
const remove = { op: 'delete', zone, name, records: [] } as const;
const signal = new AbortController().signal;
const me = { owner: 'me', signal };
const you = { owner: 'you', signal };

test('a change is carried out once; asked for again, nothing happens', async (t) => {
  const provider = createMemoryDnsProvider();
  await provider.apply(create, me);
  await provider.apply(create, me);
  t.deepEqual(provider.records(), [{ ...record, owner: 'me' }]);
  t.is(provider.changes().length, 1);
  await provider.apply(remove, me);
  await provider.apply(remove, me);
  t.deepEqual(provider.records(), []);
  t.is(provider.changes().length, 2);
});

test('a name has one owner: others can neither take nor remove it', async (t) => {
  const provider = createMemoryDnsProvider();
  await provider.apply(create, me);
  await t.throwsAsync(provider.apply(create, you), { instanceOf: DefiniteError, message: `${name} belongs to me` });
  t.is(await provider.apply(remove, you), `${name} belongs to me and was left alone`);
  t.like(provider.records(), [{ owner: 'me' }]);
});

test('a look tells whose a name is, and what is there of the types asked for', async (t) => {
  const provider = createMemoryDnsProvider();
  const note = { zone, name, type: 'TXT', target: 'x' } as const;
  provider.occupy('me', [record, note]);
  const [there, free] = await provider.observe(
    [
      { zone, name, types: ['A'] },
      { zone, name: 'x', types: ['A'] },
    ],
    me,
  );
  t.deepEqual(there, { zone, name, owner: 'me', records: [record] });
  t.deepEqual(free, { zone, name: 'x', owner: undefined, records: [] });
});

test('a change of some types leaves others at the name', async (t) => {
  const provider = createMemoryDnsProvider();
  const note = { zone, name, type: 'TXT', target: 'x' } as const;
  provider.occupy('me', [{ ...record, target: '192.0.2.9' }, note]);
  await provider.apply({ ...create, op: 'update', types: ['A'] }, me);
  t.deepEqual(provider.records(), [
    { ...record, owner: 'me' },
    { ...note, owner: 'me' },
  ]);
});

test('what is erased is gone, whosever it was', async (t) => {
  const provider = createMemoryDnsProvider();
  await provider.apply(create, you);
  provider.erase(name);
  t.deepEqual(provider.records(), []);
});

for (const [fault, definite, atOnce, later] of [
  ['refused', true, 0, 0],
  ['lost before', false, 0, 0],
  ['lost after', false, 1, 1],
  [{ lateBy: 500 }, false, 0, 1],
] as const satisfies readonly (readonly [MemoryDnsFault, boolean, number, number])[])
  test(`a change that is told to be ${JSON.stringify(fault)} is, once`, async (t) => {
    const clock = createManualClock();
    const provider = createMemoryDnsProvider({ clock });
    provider.failNext(fault);
    const error = await t.throwsAsync(provider.apply(create, me));
    t.is(error instanceof DefiniteError, definite);
    t.is(provider.records().length, atOnce);
    await clock.advance(500);
    t.is(provider.records().length, later);
    await t.notThrowsAsync(provider.apply(create, me));
  });

test('what arrives late does not take a name that another owner has got meanwhile', async (t) => {
  const clock = createManualClock();
  const provider = createMemoryDnsProvider({ clock });
  provider.failNext({ lateBy: 500 });
  await t.throwsAsync(provider.apply(create, me));
  await provider.apply(create, you);
  await clock.advance(500);
  t.like(provider.records(), { 0: { owner: 'you' }, length: 1 });
});

test('a whole integration: published, and gone with its workspace', async (t) => {
  const stage = await aTargetCluster();
  const provider = createMemoryDnsProvider({ clock: stage.clock });
  const actor = stage.actor([memoryDns({ provider, target: 'lb.other.test' })]);
  const rules = [{ name: 'web', path: '/', component: 'web', network: 'http' }];
  await stage.create({ networking: { dns: { zone }, ingress: { rules, className: 'nginx' } } });
  await actor.walk();
  t.like(provider.records(), [{ name, type: 'CNAME', target: 'lb.other.test' }]);
  await stage.delete();
  await actor.walk();
  t.deepEqual(provider.records(), []);
});

test('unknown options are refused by name', (t) => {
  t.throws(() => memoryDns({ targt: 'x' } as object), {
    instanceOf: TypeError,
    message:
      /memoryDns: targt is not an option; known are provider, names, wildcards, target, driftInterval, clock, random/,
  });
  t.throws(() => createMemoryDnsProvider({ delay: 5 } as object), { message: /delay is not an option/ });
});

test('a third party with latency takes its time by the clock', async (t) => {
  const clock = createManualClock();
  const provider = createMemoryDnsProvider({ latency: 50, clock });
  const change = {
    op: 'create',
    zone,
    name: 'x',
    records: [{ zone, name: 'x', type: 'A', target: '192.0.2.1' }],
  } as const;
  const done = provider.apply(change, { owner: 'me', signal: new AbortController().signal });
  await clock.advance(49);
  t.is(provider.records().length, 0);
  await clock.advance(1);
  await done;
  t.is(provider.records().length, 1);
});

for (const [options, message] of [
  [{ provider: {} }, /^memoryDns: provider must be an object with the functions apply, observe$/],
  [{ target: 5 }, /^memoryDns: target must be an address, or a name for a CNAME, not 5$/],
  [{ target: '' }, /^memoryDns: target must be an address, or a name for a CNAME, not ""$/],
] as const)
  test(`options that cannot be are refused at the start: ${JSON.stringify(options)}`, (t) => {
    t.throws(() => memoryDns(options as never), { instanceOf: TypeError, message });
  });
