import test from 'ava';
import { createRecorder } from '../../../../../sdk/client/events/recorder.ts';
import { subjectOf } from '../real-subject.ts';

interface Events {
  readonly items: readonly {
    readonly reason: string;
    readonly note: string;
    readonly series?: { readonly count: number };
  }[];
}

test('kube-apiserver: events are accepted, put together, and shown through both APIs', async (t) => {
  const { client } = await subjectOf(t);
  const recorder = createRecorder({ client, component: 'sequencer' });
  const about = {
    apiVersion: 'se.quencer.io/v1alpha1',
    kind: 'Workspace',
    metadata: { namespace: 'default', name: 'w', uid: 'u' },
  };
  recorder.event(about, 'Normal', 'Made', 'made it');
  await recorder.flush();
  recorder.event(about, 'Normal', 'Made', 'made it');
  recorder.event(about, 'Warning', 'Failed', 'ü'.repeat(3_000));
  recorder.event({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }, 'Normal', 'Seen', 'a node');
  await recorder.close();
  t.is(recorder.dropped, 0);
  const path = '/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=reportingController%3Dsequencer';
  const { items } = (await client.raw('GET', path)) as Events;
  t.deepEqual(items.map(({ reason, series }) => `${reason} ${series?.count ?? 1}`).toSorted(), [
    'Failed 1',
    'Made 2',
    'Seen 1',
  ]);
  const core = (await client.raw(
    'GET',
    '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dw',
  )) as Events;
  t.is(core.items.length, 2);
});
