import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import type { AnswerDetail } from '../../../../../sdk/client/cache/own-writes.ts';
import { trackingClient } from '../../../../../sdk/client/cache/tracking-client.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { createCluster } from '../../../../cluster/index.ts';

test('a tracking client notes every write that the server carried out, and nothing else', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const noted: string[] = [];
  const tracking = trackingClient(client, {
    written: (kind, { metadata }, answer?: AnswerDetail) => noted.push(`${kind.plural} ${metadata.name} ${answer}`),
    untilSeen: async () => undefined,
    read: (kind, { metadata }) => noted.push(`${kind.plural} ${metadata.name} read`),
  });
  const key = { namespace: 'default', name: 'a' };
  const fresh = { metadata: key, data: { x: '1' } };
  const made = await tracking.create(ConfigMap, fresh);
  await tracking.update(ConfigMap, { ...made, data: { x: '2' } });
  await tracking.patch(ConfigMap, key, { type: 'merge', value: { data: { x: '3' } } }, { answer: 'metadata' });
  await tracking.patch(ConfigMap, key, { type: 'merge', value: { data: { x: '4' } } }, { dryRun: true });
  await t.throwsAsync(tracking.create(ConfigMap, fresh));
  await t.throwsAsync(tracking.update(ConfigMap, made));
  t.is((await tracking.get(ConfigMap, key)).data?.x, '3');
  t.is((await tracking.list(ConfigMap, { namespace: 'default', fields: 'metadata.name=a' })).items.length, 1);
  t.is(await tracking.delete(ConfigMap, key), 'gone');
  t.is(tracking.server, client.server);
  t.deepEqual(noted, ['configmaps a object', 'configmaps a object', 'configmaps a metadata', 'configmaps a read']);
  await tracking.close();
  await cluster.close();
});
