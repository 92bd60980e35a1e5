import type { Scenario, Step } from '../runner/scenario.ts';
import { creating, everySubject, objectOf, ownOf, type Subject, scenarioOf, subjects } from './subjects.ts';

type Changes = Readonly<Record<string, unknown>>;

const uid = '00000000-0000-4000-8000-000000000000';

/** Changes of a returned object before it is sent back. */
const changed: Readonly<Record<string, Changes>> = {
  nothing: {},
  'no resourceVersion': { 'metadata.resourceVersion': undefined },
  'resourceVersion empty': { 'metadata.resourceVersion': '' },
  'resourceVersion 0': { 'metadata.resourceVersion': '0' },
  'resourceVersion stale': { 'metadata.resourceVersion': '1' },
  'resourceVersion a word': { 'metadata.resourceVersion': 'abc' },
  'resourceVersion negative': { 'metadata.resourceVersion': '-1' },
  'resourceVersion of the future': { 'metadata.resourceVersion': '99999999' },
  'resourceVersion with zeros': { 'metadata.resourceVersion': '00{0.metadata.resourceVersion}' },
  'no uid': { 'metadata.uid': undefined },
  'another uid': { 'metadata.uid': uid },
  'another uid and a stale version': { 'metadata.uid': uid, 'metadata.resourceVersion': '1' },
  'no name': { 'metadata.name': undefined },
  'another name': { 'metadata.name': 'other' },
  'another namespace': { 'metadata.namespace': 'other' },
  'no namespace': { 'metadata.namespace': undefined },
  'no kind': { kind: undefined, apiVersion: undefined },
  'another kind': { kind: 'Other' },
  'another version': { apiVersion: 'example.com/v2' },
  'no metadata': { metadata: undefined },
  'metadata null': { metadata: null },
  'metadata of a name': { metadata: { name: 'x-{ns}' } },
  'labels added': { 'metadata.labels': { a: 'b' } },
  'labels bad': { 'metadata.labels': { 'a b': 'c' } },
  'annotations null': { 'metadata.annotations': null },
  'creationTimestamp changed': { 'metadata.creationTimestamp': '2020-01-01T00:00:00Z' },
  'creationTimestamp gone': { 'metadata.creationTimestamp': undefined },
  'generation changed': { 'metadata.generation': 50 },
  'generateName added': { 'metadata.generateName': 'x-' },
  'selfLink added': { 'metadata.selfLink': '/x' },
  'deletionTimestamp added': { 'metadata.deletionTimestamp': '2020-01-01T00:00:00Z' },
  'deletionGracePeriodSeconds added': { 'metadata.deletionGracePeriodSeconds': 5 },
  'managedFields gone': { 'metadata.managedFields': undefined },
  'managedFields null': { 'metadata.managedFields': null },
  'managedFields empty': { 'metadata.managedFields': [] },
  'managedFields of an empty entry': { 'metadata.managedFields': [{}] },
  'managedFields of another manager': { 'metadata.managedFields[0].manager': 'other' },
  'managedFields broken': { 'metadata.managedFields[0].fieldsV1': { nope: 1 } },
  'managedFields of an unknown operation': { 'metadata.managedFields[0].operation': 'Nope' },
  'managedFields without time': { 'metadata.managedFields[0].time': undefined },
  'finalizer added': { 'metadata.finalizers': ['example.com/a'] },
  'finalizer bad': { 'metadata.finalizers': ['bad'] },
  'owners bad': { 'metadata.ownerReferences': [{}] },
  'unknown fields': { nope: 1, 'metadata.nope': 2 },
  'status changed': { status: { phase: 'Failed', replicas: 9 } },
  'status null': { status: null },
};

const queries = [
  'dryRun=All',
  'fieldManager=me',
  'fieldValidation=Strict',
  'fieldValidation=Bad&dryRun=Bad',
  'force=true',
  'dryRun=All&fieldManager=me&fieldValidation=Ignore',
];

const many: readonly Subject[] = [subjects.configMap, subjects.deployment, subjects.workspace, subjects.widget];

function put(subject: Subject, set: Changes, query = ''): Step {
  return { method: 'PUT', path: `${ownOf(subject)}${query}`, from: 0, set };
}

function* changesOf(subject: Subject): Generator<Scenario> {
  const all = many.includes(subject);
  for (const [index, [title, set]] of Object.entries(changed).entries()) {
    if (!all && (index + subject.kind.length + subject.apiVersion.length) % 3 !== 0) continue;
    const steps = [creating(subject), put(subject, set), { path: ownOf(subject) }, put(subject, { ...set, nope: 1 })];
    yield scenarioOf('update', subject, { title, steps });
  }
}

/** Updates without a change, then with a kind-specific change. */
function* sequencesOf(subject: Subject): Generator<Scenario> {
  const own = ownOf(subject);
  const text = { [subject.text]: 'changed' };
  const again = { method: 'PUT', path: own } as const;
  const noVersion = { 'metadata.resourceVersion': undefined };
  yield scenarioOf('update', subject, {
    title: 'the same, and more, in turns',
    steps: [
      creating(subject),
      put(subject, text),
      { ...again, from: 1 },
      { ...again, from: 0, set: text },
      { ...again, from: 1, set: { 'metadata.annotations.b': 'c' } },
      { ...again, from: 4, set: { [subject.text]: 'more', ...noVersion } },
      { path: own },
    ],
  });
  for (const query of queries) {
    const steps = [creating(subject), put(subject, { ...text, nope: 1 }, `?${query}`), { path: own }];
    yield scenarioOf('update', subject, { title: `with ${query}`, steps });
  }
  yield scenarioOf('update', subject, {
    title: 'of what is not there',
    steps: [
      { method: 'PUT', path: own, body: objectOf(subject) },
      { method: 'PUT', path: `${own}?dryRun=All`, body: objectOf(subject, { 'metadata.uid': uid }) },
      { method: 'PUT', path: own, body: objectOf(subject, { 'metadata.resourceVersion': '1' }) },
      { method: 'PUT', path: own, body: objectOf(subject, { 'metadata.name': 'other' }) },
    ],
  });
  yield scenarioOf('update', subject, {
    title: 'while it is being deleted',
    steps: [
      creating(subject, { 'metadata.finalizers': ['example.com/a', 'example.com/b'] }),
      { method: 'DELETE', path: own },
      { ...again, from: 0, set: { 'metadata.labels.c': 'd' } },
      { path: own },
      { ...again, from: 3, set: { 'metadata.labels.e': 'f' } },
      { path: own },
      { ...again, from: 5, set: { 'metadata.finalizers': ['example.com/c'] } },
      { ...again, from: 5, set: { 'metadata.finalizers': ['example.com/b'] } },
      { ...again, from: 7, set: { 'metadata.deletionTimestamp': undefined, 'metadata.finalizers': ['example.com/b'] } },
      { path: own },
      creating(subject),
      { ...again, from: 9, set: { 'metadata.finalizers': [] } },
      { path: own },
    ],
  });
}

/** Updates of all kinds. */
export function* updateScenarios(): Generator<Scenario> {
  for (const subject of everySubject) {
    yield* changesOf(subject);
    yield* sequencesOf(subject);
  }
}
