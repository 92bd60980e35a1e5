import test from 'ava';
import { defineIntegration, mirrorAnnotation, Workspace } from '../../../../../sdk/index.ts';
import {
  addIntegrationFinalizers,
  removeIntegrationFinalizers,
} from '../../../../../sequencer/engine/finalizers/integration-finalizers.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';

const key = { namespace: 'default', name: 'shop' };

const idle = defineIntegration({
  name: 'dns',
  condition: 'DNS',
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});

test('a release leaves the mirror to another integration that claims the condition, and an empty one where it has none', async (t) => {
  const target = await aTargetCluster();
  const { host } = target.actor([]);
  const other = { ...idle, name: 'other' };
  const both = { released: [idle], registered: [idle, other] };
  const gone = { phase: 'gone', op: 'delete', key: 'k', token: 1, holder: 'x/y', formerly: ['earlier-uid'] };
  await addIntegrationFinalizers(host, await target.create(), [other]);
  const own = (await target.read()).metadata.annotations;
  await target.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { guards: { DNS: gone } } } },
    { subresource: 'status' },
  );
  await addIntegrationFinalizers(host, await target.read(), [idle]);
  const kept = await removeIntegrationFinalizers(host, await target.read(), both);
  t.deepEqual(kept.metadata.annotations, own);
  t.deepEqual(kept.metadata.finalizers, ['se.quencer.io/other']);

  const finalizers = ['se.quencer.io/other'];
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers, annotations: null } } });
  await addIntegrationFinalizers(host, await target.read(), [idle]);
  const { metadata } = await removeIntegrationFinalizers(host, await target.read(), both);
  const { refs, claim: owner, uid, formerly } = JSON.parse(metadata.annotations?.[mirrorAnnotation('DNS')] ?? '{}');
  t.deepEqual([refs, owner, uid, formerly], [[], 'se.quencer.io/other', metadata.uid, ['earlier-uid']]);
});
