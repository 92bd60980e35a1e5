import { creating, ownOf } from '../subjects.ts';
import {
  applies,
  appliesOwn,
  creates,
  labels,
  lastApplied,
  lastAppliedOf,
  patches,
  puts,
  reads,
  type StepBuilder,
} from './applies.ts';

/** Creates an object as `kubectl apply` without --server-side does. */
const appliedOnClient: StepBuilder = (subject) =>
  creating(
    subject,
    {
      'metadata.labels': { x: '1', y: '1' },
      'metadata.annotations': { [lastApplied]: lastAppliedOf(subject, { 'metadata.labels': { x: '1', y: '1' } }) },
    },
    '?fieldManager=kubectl-client-side-apply',
  );

/** Scenarios of any kind that mix applies with other writes. */
export const longStories: Readonly<Record<string, readonly StepBuilder[]>> = {
  'while it is being deleted': [
    creates('a', { 'metadata.finalizers': ['example.com/a'] }),
    (subject) => ({ method: 'DELETE', path: ownOf(subject) }),
    applies('b', labels({ x: '1' })),
    applies('b', { metadata: { finalizers: ['example.com/a'] } }),
    applies('b', { metadata: { finalizers: ['example.com/b'] } }),
    applies('b', {}),
    patches('merge', 'c', { metadata: { finalizers: null } }),
    reads,
    appliesOwn('b'),
  ],
  'what kubectl applied on the client': [
    appliedOnClient,
    appliesOwn('kubectl', { labels: { x: '2' } }),
    reads,
    appliesOwn('kubectl', { labels: { x: '3' } }),
  ],
  'what kubectl applied on the client, and others changed': [
    appliedOnClient,
    patches('merge', 'other', labels({ x: '5' })),
    appliesOwn('kubectl', { labels: { x: '2' } }),
    appliesOwn('kubectl', { labels: { x: '2' } }, '&force=true'),
    applies('third', labels({ y: '2' })),
  ],
  'a broken annotation of kubectl': [
    creates('kubectl-client-side-apply', {
      'metadata.labels': { x: '1' },
      'metadata.annotations': { [lastApplied]: '{' },
    }),
    appliesOwn('kubectl', { labels: { x: '2' } }),
    applies('other', { metadata: { annotations: { [lastApplied]: 'x' } } }),
    patches('merge', 'z', { metadata: { annotations: { [lastApplied]: null } } }),
    appliesOwn('kubectl', { labels: { x: '2' } }),
  ],
  'many writers': [
    appliesOwn('a'),
    ...Array.from({ length: 13 }, (_, index) =>
      patches('merge', `w${String(index).padStart(2, '0')}`, labels({ [`l${index}`]: '1' })),
    ),
    applies('b', labels({ l0: '1' })),
    applies('b', labels({ l0: '2' })),
    reads,
  ],
  'through every kind of write': [
    creates('a'),
    patches('merge', 'b', labels({ b: '1' })),
    patches('json', 'c', [{ op: 'add', path: '/metadata/labels/c', value: '1' }]),
    patches('strategic', 'd', labels({ d: '1' })),
    (subject) => ({ path: ownOf(subject) }),
    puts('e', 4, { 'metadata.labels.e': '1', 'metadata.resourceVersion': undefined }),
    (subject) => ({
      method: 'PUT',
      path: ownOf(subject),
      from: 4,
      set: { 'metadata.labels.f': '1', 'metadata.resourceVersion': undefined },
    }),
    reads,
    applies('g', labels({ b: '1', c: '1' })),
  ],
  'agents of users': [
    (subject) => ({ ...creating(subject), headers: { 'user-agent': 'my agent/1.2 (x; y)' } }),
    (subject) => ({
      ...patches('merge', '', labels({ a: 'c' }))(subject),
      path: ownOf(subject),
      headers: { 'user-agent': `${'x'.repeat(200)}/1` },
    }),
    (subject) => ({
      ...patches('merge', '', labels({ a: 'd' }))(subject),
      path: ownOf(subject),
      headers: { 'user-agent': '' },
    }),
    reads,
  ],
};
