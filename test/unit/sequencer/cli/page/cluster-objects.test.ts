import test from 'ava';
import { createClient, type KubeObject, Secret, systemClock } from '../../../../../sdk/index.ts';
import { followObjects, stateOf } from '../../../../../sequencer/cli/page/cluster-objects.ts';
import { createCluster } from '../../../../cluster/index.ts';

test('objects are listed by name and state, live; those of the system are left out', async (t) => {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const stop = new AbortController();
  const objects = followObjects(client, systemClock, stop.signal);
  const told = Promise.withResolvers<void>();
  const mute = objects.listen(() => {
    if (objects.list().length > 0) told.resolve();
  });
  await client.create(Secret, {
    metadata: { name: 'token', namespace: 'default' },
    stringData: { password: 'hunter2' },
  } as never);
  await told.promise;
  t.deepEqual(objects.list(), [{ resource: 'secrets', namespace: 'default', name: 'token', state: '' }]);
  mute();
  stop.abort();
  await client.close();
  await cluster.close();
});

test('the state of an object is a word or two', (t) => {
  const state = (kind: string, rest: object) => stateOf({ kind, metadata: { name: 'a' }, ...rest } as KubeObject);
  t.is(state('Pod', { status: { phase: 'Pending' } }), 'Pending');
  t.is(state('Pod', { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }), 'Ready');
  t.is(state('Deployment', { spec: { replicas: 3 }, status: { readyReplicas: 2 } }), '2/3 ready');
  t.is(state('Lease', { spec: { holderIdentity: 'me' } }), 'me');
  t.is(state('Service', { metadata: { deletionTimestamp: 'now' } }), 'Terminating');
  t.is(state('Service', {}), '');
});
