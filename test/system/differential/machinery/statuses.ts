import type { Scenario, Step } from '../runner/scenario.ts';
import { apply, json, merge, strategic } from './patches/patch-steps.ts';
import { creating, everySubject, objectOf, ownOf, type Subject, scenarioOf } from './subjects.ts';

/** An object with a status, and the written value. */
interface StatusSubject {
  readonly subject: Subject;
  readonly own: string;
  readonly at: string;
  readonly status: object;
  readonly put: (set: object, from?: number, query?: string) => Step;
}

function placeOf(subject: Subject): StatusSubject {
  const own = ownOf(subject);
  const at = `${own}/status`;
  const put = (set: object, from = 0, query = ''): Step => ({
    method: 'PUT',
    path: `${at}${query}`,
    from,
    set: { ...set },
  });
  return { subject, own, at, status: subject.status ?? {}, put };
}

/** Writes to an existing object. */
const cases: Readonly<Record<string, (place: StatusSubject) => readonly Step[]>> = {
  'read and written': ({ own, at, status, put }) => [
    { path: at },
    put({ status }),
    { path: own },
    { path: at },
    put({ status }, 1),
    put({ status }),
  ],
  'without a version': ({ status, put }) => [
    put({ status, 'metadata.resourceVersion': undefined }),
    put({ status, 'metadata.resourceVersion': '0' }),
  ],
  'with metadata and spec': ({ subject, own, status, put }) => [
    put({
      status,
      'metadata.labels': { a: 'b' },
      'metadata.annotations': { c: 'd' },
      'metadata.finalizers': ['example.com/a'],
      [subject.text]: 'changed',
    }),
    { path: own },
  ],
  'with bad metadata': ({ own, status, put }) => [
    put({ status, 'metadata.labels': { 'a b': 'c' }, 'metadata.finalizers': ['bad'] }),
    { path: own },
  ],
  'with another name': ({ status, put }) => [
    put({ status, 'metadata.name': 'other' }),
    put({ status, 'metadata.uid': 'other' }),
  ],
  'with a managed field more': ({ status, put }) => [
    put({ status, 'metadata.managedFields': [{}] }),
    put({ status, 'metadata.managedFields': [] }, 1),
  ],
  'with owners': ({ own, status, put }) => [
    put({ status, 'metadata.ownerReferences': [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' }] }),
    { path: own },
  ],
  'dry run': ({ own, status, put }) => [put({ status }, 0, '?dryRun=All'), { path: own }],
  'by another manager': ({ own, at, status, put }) => [
    put({ status }, 0, '?fieldManager=one'),
    merge(`${at}?fieldManager=two`, { status: { [Object.keys(status)[0] ?? 'a']: null } }),
    { path: own },
  ],
  strict: ({ status, put }) => [
    put({ status, nope: 1 }, 0, '?fieldValidation=Strict'),
    put({ 'status.nope': 1 }, 0, '?fieldValidation=Strict'),
    put({ 'status.nope': 1 }),
  ],
  'wrong types': ({ status, put }) => [
    put({ status: 'x' }),
    put({ status: null }),
    put({ status: [] }),
    put({ status: undefined }),
    put({ spec: undefined, status }),
  ],
  'merge patches': ({ own, at, status }) => [
    merge(at, { status }),
    merge(at, { status, metadata: { labels: { a: 'b' } } }),
    merge(at, { metadata: { labels: { x: 'y' } } }),
    merge(at, { status: null }),
    merge(at, { metadata: { resourceVersion: '1' } }),
    merge(at, { spec: null }),
    { path: own },
  ],
  'json patches': ({ own, at, status }) => [
    json(at, [{ op: 'add', path: '/status', value: status }]),
    json(at, [{ op: 'remove', path: '/status' }]),
    json(at, [{ op: 'test', path: '/status', value: status }]),
    json(at, [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]),
    { path: own },
  ],
  'strategic patches': ({ own, at, status }) => [strategic(at, { status }), { path: own }],
  applied: ({ subject, own, at, status }) => [
    apply(`${at}?fieldManager=m`, {
      apiVersion: subject.apiVersion,
      kind: subject.kind,
      metadata: { name: 'x-{ns}' },
      status,
    }),
    apply(`${at}?fieldManager=n`, {
      apiVersion: subject.apiVersion,
      kind: subject.kind,
      metadata: { name: 'x-{ns}', labels: { a: 'b' } },
      ...subject.rest,
      status,
    }),
    apply(`${own}?fieldManager=m`, {
      apiVersion: subject.apiVersion,
      kind: subject.kind,
      metadata: { name: 'x-{ns}', labels: { c: 'd' } },
      status: { nope: 1 },
    }),
    apply(`${own}?fieldManager=m`, {
      apiVersion: subject.apiVersion,
      kind: subject.kind,
      metadata: { name: 'x-{ns}' },
    }),
    apply(`${at}?fieldManager=m`, {
      apiVersion: subject.apiVersion,
      kind: subject.kind,
      metadata: { name: 'x-{ns}' },
    }),
    { path: own },
  ],
  'other verbs': ({ subject, at, status }) => [
    { path: at, body: objectOf(subject) },
    { method: 'DELETE', path: at },
    { path: `${at}/more` },
    { path: `${subject.collection}/none/status` },
    merge(`${subject.collection}/none/status`, { status }),
  ],
};

function* statusesOf(subject: Subject): Generator<Scenario> {
  const place = placeOf(subject);
  const { own, at, status } = place;
  for (const [title, stepsAt] of Object.entries(cases)) {
    yield scenarioOf('status', subject, { title, steps: [creating(subject), ...stepsAt(place)] });
  }
  yield scenarioOf('status', subject, {
    title: 'while it is being deleted',
    steps: [
      creating(subject, { 'metadata.finalizers': ['example.com/a'] }),
      { method: 'DELETE', path: own },
      merge(at, { status }),
      merge(at, { metadata: { finalizers: null } }),
      { path: own },
      merge(own, { metadata: { finalizers: null } }),
    ],
  });
  yield scenarioOf('status', subject, {
    title: 'of what is not there, applied',
    steps: [
      apply(`${at}?fieldManager=m`, {
        apiVersion: subject.apiVersion,
        kind: subject.kind,
        metadata: { name: 'x-{ns}' },
        status,
      }),
      { method: 'PUT', path: at, body: objectOf(subject) },
      merge(at, { status }),
    ],
  });
}

/** The status subresource of every kind. */
export function* statusScenarios(): Generator<Scenario> {
  for (const subject of everySubject) yield* statusesOf(subject);
}
