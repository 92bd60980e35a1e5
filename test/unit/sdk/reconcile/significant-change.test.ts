import test from 'ava';
import type { KubeObject } from '../../../../sdk/api/object.ts';
import { isSignificantChange } from '../../../../sdk/reconcile/significant-change.ts';
import { aWidget } from '../operator/a-widget.ts';
import { aConfigMap } from '../operator/controlled.ts';

const plain = aWidget('a');
const map = aConfigMap('a', { x: '1' });
const withMetadata = (object: KubeObject, metadata: object): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});

const cases: readonly (readonly [string, KubeObject, KubeObject, boolean])[] = [
  ['a status', plain, { ...plain, status: { note: 'x' } } as KubeObject, false],
  [
    'finalizers, version and managed fields',
    plain,
    withMetadata(plain, { finalizers: ['a/b'], resourceVersion: '2', managedFields: [{}] }),
    false,
  ],
  ['a spec', plain, aWidget('a', { generation: 2 }, 2), true],
  ['a label', plain, withMetadata(plain, { labels: { a: 'b' } }), true],
  ['an annotation', plain, withMetadata(plain, { annotations: { a: 'b' } }), true],
  ['the wish to delete it', plain, withMetadata(plain, { deletionTimestamp: 'now' }), true],
  ['another object of that name', plain, withMetadata(plain, { uid: 'another' }), true],
  ['data of a kind without a generation', map, { ...map, data: { x: '2' } } as KubeObject, true],
  [
    'finalizers of a kind without a generation',
    map,
    withMetadata(map, { finalizers: ['a/b'], resourceVersion: '9' }),
    false,
  ],
];
for (const [title, before, after, expected] of cases)
  test(`GRAF-c14: ${title} ${expected ? 'matters' : 'does not matter'}`, (t) => {
    t.is(isSignificantChange(before, after), expected);
  });

test('what was not known before matters', (t) => t.true(isSignificantChange(undefined, plain)));
