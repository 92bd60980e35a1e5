import test from 'ava';
import { createSeal, type Seal } from '../../../../sdk/host/index.ts';
import { mirrorAnnotation, resolveAnnotation, Secret } from '../../../../sdk/index.ts';
import { operatorSeal, unknownKeys } from '../../../../sequencer/run/operator-seal.ts';
import { aSeal, sealedMirror } from '../../a-seal.ts';
import { aTargetCluster, refusing, type TargetCluster } from '../../a-target-cluster.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { excessiveGrowth, workOn } from '../../growth.ts';

const never = new AbortController().signal;

test('it has no key before it is loaded, and the Secret’s afterwards', async (t) => {
  const { client, clock } = await aTargetCluster();
  const seal = operatorSeal({ client, operatorNamespace: 'default', clock });
  t.is(seal.current().sign('text'), undefined);
  await seal.load(never);
  t.truthy(seal.current().sign('text'));
});

test('a seal that is given is the seal', async (t) => {
  const { client, clock } = await aTargetCluster();
  const seal = operatorSeal({ client, operatorNamespace: 'nowhere', seal: aSeal, clock });
  await seal.load(never);
  t.is(seal.current(), aSeal);
});

test('a server that gives no answer is asked again; one that has no such namespace is an error', async (t) => {
  const target = await aTargetCluster();
  let cut = true;
  target.cluster.intercept((request, next) => (cut ? Promise.reject(new Error('reset')) : next(request)));
  const seal = operatorSeal({ client: target.client, operatorNamespace: 'default', clock: target.clock });
  const loading = seal.load(never);
  for (let turn = 0; turn < 20; turn += 1) await target.clock.advance(1_000);
  t.is(seal.current().sign('text'), undefined);
  cut = false;
  for (let turn = 0; turn < 60; turn += 1) await target.clock.advance(1_000);
  await loading;
  t.truthy(seal.current().sign('text'));
  await t.throwsAsync(operatorSeal({ ...target, operatorNamespace: 'nowhere' }).load(never), { name: 'NotFoundError' });
});

test('without the right there is no key, and nothing is waited for', async (t) => {
  const target = await aTargetCluster();
  refusing(target, ({ url }) => url.includes('/secrets'), { code: 403, reason: 'Forbidden', message: 'no' });
  const seal = operatorSeal({ ...target, operatorNamespace: 'default' });
  await seal.load(never);
  t.is(seal.current().sign('text'), undefined);
});

const bytes = (byte: number) => Buffer.alloc(32, byte);
const sealOf = (...keys: readonly number[]): Seal => createSeal('the-cluster', keys.map(bytes));
const place = { namespace: 'default', name: 'sequencer-seal' };

/** Keys of the Secret, by name. */
const keys = ({ client }: TargetCluster, data: Readonly<Record<string, number>>) => {
  const texts = Object.entries(data).map(([name, byte]) => [name, bytes(byte).toString('base64')]);
  return client.patch(Secret, place, { type: 'merge', value: { data: Object.fromEntries(texts) } });
};

/** An operator's seal with the keys of an existing Secret, and the number of reads of it. */
async function aHolder() {
  const target = await aTargetCluster();
  await target.client.create(Secret, { metadata: place, data: { 'key-1': bytes(1).toString('base64') } });
  const told: string[] = [];
  const say = (_: object, text: string) => void told.push(text);
  const logger = { info: say, warn: say, error: say } as never;
  const seal = operatorSeal({ ...target, operatorNamespace: 'default', logger });
  await seal.load(never);
  const before = target.cluster.audit.length;
  const reads = () =>
    target.cluster.audit.slice(before).filter(({ method, url }) => method === 'GET' && url.includes('sequencer-seal'))
      .length;
  return { stage: target, seal, told, reads };
}

const signed = (by: Seal, name = 'shop') =>
  aWorkspace({ name, annotations: { [resolveAnnotation('DNS')]: `adopt@7={"id":"a"} seal=${by.sign('text')}` } });

test('what bears a signature is reported by its key: of mirrors and answers, and of nothing else', (t) => {
  const mirror = { [mirrorAnnotation('DNS')]: sealedMirror(aWorkspace(), 'DNS') };
  t.deepEqual(unknownKeys(aSeal, aWorkspace({ annotations: mirror })), []);
  t.is(unknownKeys(sealOf(1), aWorkspace({ annotations: mirror })).length, 1);
  t.is(unknownKeys(sealOf(1), signed(sealOf(2))).length, 1);
  for (const text of ['', 'retry@7', 'adopt@7={"id":"a"} seal=', '"seal":"zzz.y"', '"seal":"12345678"', 'seal=\u0000'])
    for (const name of [mirrorAnnotation('DNS'), resolveAnnotation('DNS'), 'other.example.com/x'])
      t.deepEqual(unknownKeys(sealOf(1), aWorkspace({ annotations: { [name]: text } })), [], text);
  t.deepEqual(unknownKeys(sealOf(1), aWorkspace()), []);
});

test('what tenants write is looked through in proportion to its size', async (t) => {
  const seal = sealOf(1);
  for (const pattern of ['"seal":"', '"seal":"12345678.', ' seal=', ' seal=12345678.', '0'])
    for (const name of [mirrorAnnotation('DNS'), resolveAnnotation('DNS')]) {
      const make = (size: number) => aWorkspace({ annotations: { [name]: pattern.repeat(size / pattern.length) } });
      t.is(await excessiveGrowth(workOn(make, (workspace) => unknownKeys(seal, workspace))), undefined, pattern);
    }
});

test('a key that was added is taken up when its signature is met, without a restart', async (t) => {
  const { stage: target, seal, reads } = await aHolder();
  await keys(target, { 'key-2': 2 });
  await target.clock.advance(60_000);
  t.is(await seal.refreshFor(signed(sealOf(1, 2))), 0);
  t.is(reads(), 1);
  t.is(seal.current().verify('text', sealOf(2).sign('text')!), 'valid');
  t.is(seal.current().verify('text', sealOf(1).sign('text')!), 'valid', 'the first one still verifies');
  t.is(seal.current().sign('text'), sealOf(2).sign('text'), 'and the newest signs');
});

test('too early to be asked for, a key that is not asked for yet is waited for, and one without an owner is not', async (t) => {
  const { stage: target, seal, reads } = await aHolder();
  await target.clock.advance(20_000);
  t.is(await seal.refreshFor(signed(sealOf(2))), 40_000);
  await target.clock.advance(40_000);
  await Promise.all([seal.refreshFor(signed(sealOf(2))), seal.refreshFor(signed(sealOf(3)))]);
  t.is(reads(), 1);
  t.is(await seal.refreshFor(signed(sealOf(2))), 0, 'a stranger’s');
  t.is(await seal.refreshFor(aWorkspace()), 0);
  t.is(await seal.refreshFor(signed(sealOf(1))), 0);
});

test('however many signatures of unknown keys come, the Secret is read once a minute at most', async (t) => {
  const { stage: target, seal, reads } = await aHolder();
  for (let second = 0; second < 600; second += 1) {
    await Promise.all(
      [0, 1, 2].map((one) => seal.refreshFor(signed(sealOf(2 + ((3 * second + one) % 200)), `shop-${one}`))),
    );
    await target.clock.advance(1_000);
  }
  t.true(reads() >= 9 && reads() <= 10, String(reads()));
});

test('without any signature the Secret is read every quarter of an hour, until it ends', async (t) => {
  const { stage: target, seal, reads, told } = await aHolder();
  const stop = new AbortController();
  const following = seal.follow(stop.signal);
  await keys(target, { 'key-2': 2 });
  await target.clock.advance(899_000);
  t.is(reads(), 0);
  await target.clock.advance(2_000);
  t.is(seal.current().sign('text'), sealOf(2).sign('text'));
  await target.clock.advance(3_600_000);
  t.is(reads(), 5);
  t.deepEqual(told, ['the seal has a new key']);
  stop.abort();
  await following;
});

test('a Secret that is away, may not be read, or holds no key costs no key', async (t) => {
  const { stage: target, seal, told } = await aHolder();
  const signature = seal.current().sign('text');
  const met = async () => {
    await target.clock.advance(60_000);
    await seal.refreshFor(signed(sealOf(9)));
    t.is(seal.current().sign('text'), signature);
  };
  await target.client.patch(Secret, place, { type: 'merge', value: { data: { 'key-2': 'c2hvcnQ=' } } });
  await met();
  t.is(told[0], 'the Secret of the seal cannot be read: its keys stay as they were');
  const refused = refusing(target, ({ url }) => url.includes('/secrets'), {
    code: 403,
    reason: 'Forbidden',
    message: 'no',
  });
  await met();
  refused.over = true;
  await target.client.delete(Secret, place);
  await met();
  await t.throwsAsync(target.client.get(Secret, place), { name: 'NotFoundError' }, 'and none is made');
});

test('a seal that is given is never asked for', async (t) => {
  const { stage: target } = await aHolder();
  const seal = operatorSeal({ ...target, operatorNamespace: 'nowhere', seal: aSeal });
  await seal.follow(never);
  t.is(await seal.refreshFor(signed(sealOf(1))), 0);
});

test('a Secret that is gone, and a key that has signed and is gone, are reported before a restart makes that final', async (t) => {
  const { stage: target, seal, told } = await aHolder();
  await keys(target, { 'key-1': 2 });
  await target.clock.advance(60_000);
  await seal.refreshFor(signed(sealOf(3)));
  t.true(told.includes('the signing key was removed from the Secret of the seal'), told.join());
  await target.client.delete(Secret, place);
  await target.clock.advance(60_000);
  await seal.refreshFor(signed(sealOf(4)));
  t.true(told.includes('the Secret of the seal was deleted'), told.join());
  t.truthy(seal.current().sign('text'), 'and the key stays in use until then');
});

test('a signature of a key that is nowhere is reported once a minute at most, however many there are', async (t) => {
  const { stage: target, seal, told } = await aHolder();
  for (let second = 0; second < 300; second += 1) {
    await seal.refreshFor(signed(sealOf(2 + (second % 200))));
    await target.clock.advance(1_000);
  }
  const lines = told.filter((text) => text.startsWith('ids in annotations are not trusted')).length;
  t.true(lines >= 1 && lines <= 5, String(lines));
});
