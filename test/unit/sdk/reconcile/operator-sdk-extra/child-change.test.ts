import test from 'ava';
import {
  appliedAnnotation,
  appliedText,
  changeOf,
} from '../../../../../sdk/reconcile/operator-sdk-extra/child-change.ts';

const object = (annotations: Readonly<Record<string, string>>, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', annotations },
  ...more,
});

test('what is there already is not a change', (t) => {
  const wanted = { metadata: { name: 'a' }, data: { x: '1' } };
  const current = object({ [appliedAnnotation]: appliedText(wanted) }, { data: { x: '1', y: '2' }, status: {} });
  t.is(changeOf(current, wanted), undefined);
});

test('a change carries the note of what is wanted now', (t) => {
  const current = object({ [appliedAnnotation]: '{"data":{"x":1}}' }, { data: { x: '1', y: '2' } });
  t.deepEqual(changeOf(current, { metadata: {}, data: { z: '3' } }), {
    data: { x: null, z: '3' },
    metadata: { annotations: { [appliedAnnotation]: '{"data":{"z":1},"metadata":{}}' } },
  });
});

test('an ignored member is neither compared nor removed, however deep', (t) => {
  const wanted = { metadata: {}, spec: { a: { replicas: 1, b: 1 } } };
  const ignore = [['spec', 'a', 'replicas']];
  const note = { [appliedAnnotation]: appliedText(wanted, ignore) };
  t.is(changeOf(object(note, { spec: { a: { replicas: 5, b: 1 } } }), wanted, ignore), undefined);
  t.is(appliedText(wanted, ignore), '{"metadata":{},"spec":{"a":{"b":1}}}');
});
