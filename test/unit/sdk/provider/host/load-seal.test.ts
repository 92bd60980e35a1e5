import test from 'ava';
import { Namespace, NotFoundError, Secret } from '../../../../../sdk/index.ts';
import { loadSeal, readSeal, sealSecretName } from '../../../../../sdk/provider/host/load-seal.ts';
import { aTargetCluster, refusing } from '../../../a-target-cluster.ts';

const key = { namespace: 'default', name: sealSecretName };
const random = (byte: number) => Buffer.alloc(32, byte).toString('base64');

test('the key is made once, and every process signs with the same', async (t) => {
  const { client } = await aTargetCluster();
  const seals = await Promise.all([loadSeal(client, 'default'), loadSeal(client, 'default')]);
  const later = await loadSeal(client, 'default');
  t.is(new Set([...seals, later].map((seal) => seal.sign('text'))).size, 1);
  const { data } = await client.get(Secret, key);
  t.is(Buffer.from(data?.['key-1'] ?? '', 'base64').length, 32);
  const { metadata } = await client.get(Namespace, { name: 'kube-system' });
  t.is(later.cluster, String(metadata.uid));
});

test('what is only read is not made; without the right it has no key', async (t) => {
  const stage = await aTargetCluster();
  const { client } = stage;
  t.is(await readSeal(client, 'default'), undefined);
  t.is(await readSeal(client, 'nowhere'), undefined);
  await t.throwsAsync(client.get(Secret, key), { instanceOf: NotFoundError });
  const made = await loadSeal(client, 'default');
  t.is((await readSeal(client, 'default'))?.sign('text'), made.sign('text'));
  t.is((await readSeal(client, 'default'))?.cluster, made.cluster);
  refusing(stage, ({ url }) => url.includes('/secrets'), { code: 403, reason: 'Forbidden', message: 'no' });
  const blind = await readSeal(client, 'default');
  t.truthy(blind);
  t.is(blind?.sign('text'), undefined);
});

test('a key that is added signs from then on, by the order of their names', async (t) => {
  const { client } = await aTargetCluster();
  const data = { 'key-9': random(9), 'key-10': random(10) };
  await client.create(Secret, { metadata: key, data });
  const seal = await loadSeal(client, 'default');
  await client.patch(Secret, key, { type: 'merge', value: { data: { 'key-9': null } } });
  const newest = await loadSeal(client, 'default');
  t.is(seal.sign('text'), newest.sign('text'));
});

test('a Secret that holds no key of enough bytes is named, with what to do', async (t) => {
  const { client } = await aTargetCluster();
  await client.create(Secret, { metadata: key, data: { 'key-1': 'c2hvcnQ=' } });
  const error = await t.throwsAsync(loadSeal(client, 'default'), { code: 'E#3010' });
  t.regex(String(error?.message), /default\/sequencer-seal: key-1 must hold 32 random bytes/);
});

test('where the right is missing there is no key; where the namespace is missing that is said', async (t) => {
  const stage = await aTargetCluster();
  refusing(stage, ({ url }) => url.includes('/secrets'), { code: 403, reason: 'Forbidden', message: 'no' });
  const seal = await loadSeal(stage.client, 'default');
  t.is(seal.sign('text'), undefined);
  const other = await aTargetCluster();
  await t.throwsAsync(loadSeal(other.client, 'nowhere'), { instanceOf: NotFoundError });
});
