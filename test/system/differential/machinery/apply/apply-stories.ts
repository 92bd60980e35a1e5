import type { Scenario } from '../../runner/scenario.ts';
import { everySubject, objectOf, ownOf, scenarioOf } from '../subjects.ts';
import { applies, appliesOwn, creates, forces, labels, patches, puts, reads, type StepBuilder } from './applies.ts';
import { longStories } from './apply-long-stories.ts';

/** Scenarios for any kind. */
const stories: Readonly<Record<string, readonly StepBuilder[]>> = {
  'created, again, changed, given up': [
    appliesOwn('a', { labels: { x: '1' } }),
    appliesOwn('a', { labels: { x: '1' } }),
    appliesOwn('a', { labels: { x: '2', y: '1' } }),
    appliesOwn('a'),
    applies('a', {}),
    reads,
  ],
  'in conflict, forced, shared': [
    appliesOwn('a', { labels: { x: '1', y: '1' } }),
    applies('b', labels({ x: '2', y: '2' })),
    applies('b', labels({ x: '1' })),
    applies('b', labels({ x: '2' })),
    forces('b', labels({ x: '2' })),
    appliesOwn('a', { labels: { x: '2' } }),
    appliesOwn('a'),
    applies('b', {}),
    applies('c', labels({ x: '3' })),
  ],
  'beside plain writers': [
    creates('a', { 'metadata.labels': { x: '1', y: '1' } }),
    applies('b', labels({ x: '1' })),
    applies('b', labels({ x: '2' })),
    forces('b', labels({ x: '2' })),
    patches('merge', 'a', labels({ x: '3' })),
    applies('b', labels({ x: '2' })),
    applies('b', {}),
    patches('merge', 'c', labels({ x: null, z: '1' })),
    reads,
  ],
  'by the same manager in both ways': [
    creates('a', { 'metadata.labels': { x: '1' } }),
    applies('a', labels({ x: '2' })),
    forces('a', labels({ x: '2' })),
    patches('merge', 'a', labels({ x: '4' })),
    applies('a', labels({ y: '2' })),
    puts('a', 4, { 'metadata.managedFields': undefined, 'metadata.labels.z': '5' }),
    reads,
  ],
  'dry runs': [
    appliesOwn('a', {}, '&dryRun=All'),
    reads,
    appliesOwn('a'),
    applies('a', labels({ x: '1' }), '&dryRun=All'),
    applies('b', labels({ x: '1' }), '&dryRun=All&force=true'),
    reads,
    applies('b', labels({ x: '1' })),
  ],
  finalizers: [
    appliesOwn('a', { finalizers: ['example.com/a', 'example.com/b'] }),
    applies('b', { metadata: { finalizers: ['example.com/b', 'example.com/c'] } }),
    appliesOwn('a', { finalizers: ['example.com/a'] }),
    appliesOwn('a', { finalizers: [] }),
    applies('b', { metadata: { finalizers: ['example.com/c', 'example.com/c'] } }),
    patches('merge', 'c', { metadata: { finalizers: ['example.com/d'] } }),
    applies('b', {}),
    patches('merge', 'c', { metadata: { finalizers: null } }),
  ],
  owners: [
    appliesOwn('a', { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }] }),
    applies('b', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'p', uid: 'v' }] } }),
    applies('b', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'q', uid: 'u' }] } }),
    applies('b', { metadata: { ownerReferences: [{ uid: 'w' }] } }),
    applies('b', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'p' }] } }),
    applies('b', {
      metadata: { ownerReferences: [{ uid: 'v', apiVersion: 'v1', kind: 'X', name: 'p', controller: true }] },
    }),
    appliesOwn('a'),
    reads,
  ],
  'managed fields reset': [
    appliesOwn('a', { labels: { x: '1' } }),
    patches('merge', 'b', { metadata: { managedFields: [{}] } }),
    patches('merge', 'b', labels({ x: '2' })),
    applies('a', labels({ x: '3' })),
    applies('c', labels({ x: '4' })),
    patches('json', 'b', [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]),
    forces('c', labels({ x: '4' })),
  ],
  'managed fields by JSON patch': [
    appliesOwn('a', { labels: { x: '1' } }),
    patches('json', 'b', [{ op: 'replace', path: '/metadata/managedFields', value: [] }]),
    patches('json', 'b', [{ op: 'remove', path: '/metadata/managedFields' }]),
    patches('json', 'b', [{ op: 'remove', path: '/metadata/managedFields/0' }]),
    patches('json', 'b', [{ op: 'replace', path: '/metadata/managedFields/0/manager', value: 'renamed' }]),
    reads,
    appliesOwn('a', { labels: { x: '2' } }),
  ],
  'managed fields renamed': [
    appliesOwn('a', { labels: { x: '1' } }),
    patches('merge', 'b', labels({ y: '1' })),
    reads,
    puts('b', 2, { 'metadata.managedFields[0].manager': 'z', 'metadata.labels.y': '2' }),
    puts('b', 3, { 'metadata.managedFields[0].time': 'x' }),
    puts('b', 3, { 'metadata.managedFields[0].operation': 'Other' }),
    puts('b', 3, { 'metadata.managedFields[0].apiVersion': '' }),
    puts('b', 3, { 'metadata.managedFields[0].apiVersion': 'nope/v9', 'metadata.labels.y': '3' }),
    reads,
    appliesOwn('a', { labels: { x: '1' } }),
  ],
  'without what is needed': [
    (subject) => ({ ...appliesOwn('a')(subject), path: ownOf(subject) }),
    (subject) => ({ ...appliesOwn('a')(subject), path: `${ownOf(subject)}?fieldManager=` }),
    (subject) => ({ ...appliesOwn('a')(subject), path: `${ownOf(subject)}?fieldManager=a&force=x` }),
    (subject) => ({ ...appliesOwn('a')(subject), path: `${ownOf(subject)}?fieldManager=a&fieldValidation=x` }),
    (subject) => ({ ...appliesOwn('a')(subject), path: `${ownOf(subject)}?fieldManager=a&dryRun=x` }),
    (subject) => ({ ...appliesOwn('a')(subject), path: `${ownOf(subject)}?fieldManager=${'x'.repeat(129)}` }),
    ...[
      {},
      { kind: undefined },
      { apiVersion: undefined },
      { apiVersion: 'v9' },
      { kind: 'Other' },
      { metadata: undefined },
      { metadata: null },
      { metadata: 5 },
      { 'metadata.name': undefined },
      { 'metadata.name': 'other' },
      { 'metadata.namespace': 'other' },
      { 'metadata.name': 5 },
      { 'metadata.generateName': 'x-' },
      { 'metadata.uid': 'u' },
      { 'metadata.resourceVersion': '1' },
      { 'metadata.resourceVersion': 'x' },
      { 'metadata.labels': { a: 5 } },
      { 'metadata.labels': { 'a b': 'c' } },
      { 'metadata.labels': [] },
      { 'metadata.managedFields': [] },
      { 'metadata.managedFields': [{}] },
      { 'metadata.managedFields': null },
      { 'metadata.creationTimestamp': null },
      { 'metadata.creationTimestamp': '2020-01-01T00:00:00Z' },
      { 'metadata.generation': 5, 'metadata.selfLink': 'x' },
      { 'metadata.nope': 1 },
      { nope: { a: 1 } },
      { nope: null },
    ].map(
      (changes): StepBuilder =>
        (subject) => ({ ...appliesOwn('a', {}, '&dryRun=All')(subject), body: objectOf(subject, changes) }),
    ),
    ...['', '[]', '{}', 'null', '"x"', '{', 'a: b\n- c', '5', '---\n---\n'].map(
      (body): StepBuilder =>
        (subject) => ({ ...appliesOwn('a')(subject), body }),
    ),
  ],
  'unknown fields': [
    ...['Strict', 'Warn', 'Ignore'].flatMap((level): StepBuilder[] => [
      (subject) => ({
        ...appliesOwn('a', {}, `&fieldValidation=${level}`)(subject),
        body: objectOf(subject, { nope: 1, 'metadata.labels': { a: 'b' } }),
      }),
      (subject) => ({
        ...appliesOwn('a', {}, `&fieldValidation=${level}`)(subject),
        body: `apiVersion: ${subject.apiVersion}\nkind: ${subject.kind}\nmetadata: {name: 'x-{ns}', labels: {a: b, a: c}}\n`,
      }),
    ]),
    reads,
  ],
  nulls: [
    appliesOwn('a', { labels: { x: '1' }, annotations: null }),
    applies('a', { metadata: { labels: { x: null } } }),
    applies('a', { metadata: { labels: null, annotations: { a: '' } } }),
    applies('a', { metadata: { finalizers: null, ownerReferences: null } }),
    reads,
  ],
  'empty maps and lists': [
    appliesOwn('a', { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] }),
    applies('b', { metadata: { labels: {} } }),
    applies('b', labels({ x: '1' })),
    applies('b', { metadata: { labels: {} } }),
    applies('c', {}),
    reads,
  ],
  'versions and uids': [
    creates('a'),
    applies('b', { metadata: { resourceVersion: '{0.metadata.resourceVersion}', labels: { a: 'b' } } }),
    applies('b', { metadata: { resourceVersion: '{0.metadata.resourceVersion}', labels: { a: 'c' } } }),
    applies('b', { metadata: { resourceVersion: '0', labels: { a: 'c' } } }),
    applies('b', { metadata: { uid: '{0.metadata.uid}', labels: { a: 'd' } } }),
    applies('b', { metadata: { uid: 'other', labels: { a: 'd' } } }),
    applies('b', { metadata: { creationTimestamp: '{0.metadata.creationTimestamp}' } }),
    reads,
  ],
};

/** Scenarios of apply for every kind. */
export function* applyScenarios(): Generator<Scenario> {
  for (const subject of everySubject) {
    for (const [title, deeds] of Object.entries({ ...stories, ...longStories })) {
      yield scenarioOf('apply', subject, { title, steps: deeds.map((deed) => deed(subject)) });
    }
  }
}
