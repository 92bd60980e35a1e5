import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { pausedAnnotation } from '../../../../sdk/api/pause.ts';
import { pausable } from '../../../../sdk/reconcile/pause.ts';
import { requeueAfter } from '../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';
import { aConfigMap } from '../operator/controlled.ts';

const annotations = { 'example.com/paused': 'true' };
const deletionTimestamp = '2026-01-01T00:00:00Z';

const request = (value: string, more: { readonly deletionTimestamp?: string } = {}) => {
  const object = aConfigMap('a');
  const metadata = { ...object.metadata, annotations: { 'example.com/paused': value }, ...more };
  return requestFor(ConfigMap, { ...object, metadata });
};

const inner = async () => requeueAfter(1);

test('leaves a paused object alone, and no other', async (t) => {
  const reconcile = pausable<ConfigMap>({ annotations }, inner);
  t.deepEqual(await reconcile(request('true')), {});
  for (const value of ['false', '']) t.deepEqual(await reconcile(request(value)), requeueAfter(1), value);
  t.deepEqual(await reconcile(requestFor(ConfigMap, aConfigMap('b'))), requeueAfter(1));
});

test('the annotation that pauses a workspace pauses any object', async (t) => {
  const object = aConfigMap('a');
  const metadata = { ...object.metadata, annotations: { [pausedAnnotation]: 'true' } };
  const there = requestFor(ConfigMap, { ...object, metadata });
  t.deepEqual(await pausable<ConfigMap>({}, inner)(there), {});
  t.deepEqual(await pausable<ConfigMap>({ annotations }, inner)(there), requeueAfter(1));
});

test('lets the deletion of a paused object continue, unless told to pause that as well', async (t) => {
  const deleting = request('true', { deletionTimestamp });
  t.deepEqual(await pausable<ConfigMap>({ annotations }, inner)(deleting), requeueAfter(1));
  t.deepEqual(await pausable<ConfigMap>({ annotations, pauseDeletion: true }, inner)(deleting), {});
});

test('the end of a paused object is reported, unless told to pause that as well', async (t) => {
  const { object } = request('true');
  const event = { action: 'deleted', object: object! } as const;
  const gone = requestFor(ConfigMap, { namespace: 'default', name: 'a' }, { cause: 'deleted', event });
  t.deepEqual(await pausable<ConfigMap>({ annotations }, inner)(gone), requeueAfter(1));
  t.deepEqual(await pausable<ConfigMap>({ annotations, pauseDeletion: true }, inner)(gone), {});
});
