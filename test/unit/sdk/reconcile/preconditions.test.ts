import test from 'ava';
import { preconditionedPatch, uidPrecondition } from '../../../../sdk/reconcile/preconditions.ts';

const metadata = { name: 'a', uid: 'u', resourceVersion: '7' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata };

test('a patch names the object and the version that were seen, beside what it changes', (t) => {
  t.deepEqual(preconditionedPatch(object, { data: { x: '1' } }), {
    type: 'merge',
    value: { data: { x: '1' }, metadata: { uid: 'u', resourceVersion: '7' } },
  });
  t.like(preconditionedPatch(object, { metadata: { labels: { a: 'b' } } }), {
    value: { metadata: { labels: { a: 'b' }, uid: 'u', resourceVersion: '7' } },
  });
});

test('a deletion is of this very object, where it is known which', (t) => {
  t.deepEqual(uidPrecondition(object), { preconditions: { uid: 'u' } });
  t.deepEqual(uidPrecondition({ ...object, metadata: { name: 'a' } }), {});
});
