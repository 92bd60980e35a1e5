import type { Scenario } from '../runner/scenario.ts';
import { creating, everySubject, objectOf, ownOf, type Subject, scenarioOf, subjects } from './subjects.ts';

type Changes = Readonly<Record<string, unknown>>;

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
const owners = (...given: readonly unknown[]): Changes => ({ 'metadata.ownerReferences': given });
const entry = {
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': {} },
};
const managed = (...given: readonly unknown[]): Changes => ({ 'metadata.managedFields': given });
const unnamed = { 'metadata.name': undefined };

/** Changes of a create's body beside those specific to its kind. */
const bodies: Readonly<Record<string, Changes>> = {
  'no name': unnamed,
  'name null': { 'metadata.name': null },
  'name a number': { 'metadata.name': 5 },
  'metadata null': { metadata: null },
  'metadata missing': { metadata: undefined },
  'metadata a list': { metadata: [] },
  'metadata a text': { metadata: 'x' },
  'metadata empty': { metadata: {} },
  'metadata with an unknown field': { 'metadata.nope': 1 },
  'no kind': { kind: undefined },
  'no apiVersion': { apiVersion: undefined },
  'neither kind nor apiVersion': { kind: undefined, apiVersion: undefined },
  'kind a number': { kind: 5 },
  'apiVersion null': { apiVersion: null },
  'apiVersion of another group': { apiVersion: 'example.com/v1' },
  'apiVersion with too many parts': { apiVersion: 'a/b/c' },
  'kind of another': { kind: 'Other' },
  generateName: { ...unnamed, 'metadata.generateName': 'gen-' },
  'generateName and name': { 'metadata.generateName': 'gen-' },
  'generateName cut': { ...unnamed, 'metadata.generateName': `${'a'.repeat(57)}-bcdef` },
  'generateName very long': { ...unnamed, 'metadata.generateName': `${'a'.repeat(57)}-${'b'.repeat(300)}` },
  'generateName bad': { ...unnamed, 'metadata.generateName': 'Bad_' },
  'generateName a number': { ...unnamed, 'metadata.generateName': 5 },
  'name bad': { 'metadata.name': 'Bad_Name' },
  'name too long': { 'metadata.name': 'a'.repeat(260) },
  'name with a slash': { 'metadata.name': 'a/b' },
  'name with a percent sign': { 'metadata.name': 'a%b' },
  'name of dots': { 'metadata.name': '..' },
  'namespace of another': { 'metadata.namespace': 'other' },
  'namespace empty': { 'metadata.namespace': '' },
  'namespace bad': { 'metadata.namespace': 'BAD' },
  'uid given': { 'metadata.uid': 'mine' },
  'resourceVersion 0': { 'metadata.resourceVersion': '0' },
  'resourceVersion 1': { 'metadata.resourceVersion': '1' },
  'resourceVersion a word': { 'metadata.resourceVersion': 'abc' },
  'resourceVersion a number': { 'metadata.resourceVersion': 5 },
  'resourceVersion empty': { 'metadata.resourceVersion': '' },
  'creationTimestamp given': { 'metadata.creationTimestamp': '2020-01-01T00:00:00Z' },
  'creationTimestamp bad': { 'metadata.creationTimestamp': 'yesterday' },
  'creationTimestamp null': { 'metadata.creationTimestamp': null },
  'deletion given': {
    'metadata.deletionTimestamp': '2020-01-01T00:00:00Z',
    'metadata.deletionGracePeriodSeconds': 30,
  },
  'generation and selfLink given': { 'metadata.generation': 7, 'metadata.selfLink': '/x' },
  'generation a text': { 'metadata.generation': '7' },
  'labels null': { 'metadata.labels': null },
  'labels with null': { 'metadata.labels': { a: null } },
  'labels with a number': { 'metadata.labels': { a: 5 } },
  'labels a list': { 'metadata.labels': [] },
  'labels empty': { 'metadata.labels': {}, 'metadata.annotations': {}, 'metadata.finalizers': [] },
  'a label bad': { 'metadata.labels': { 'a b': 'c d' } },
  'a label of three parts': { 'metadata.labels': { 'x/y/z': 'ok' } },
  'a label too long': { 'metadata.labels': { ok: 'a'.repeat(64) } },
  'annotations bad': { 'metadata.annotations': { 'a b': 'c', 'UPPER.com/x': 'ok' } },
  'annotations too long': { 'metadata.annotations': { a: 'x'.repeat(262_200) } },
  'annotations with a bool': { 'metadata.annotations': { a: true } },
  'finalizers bad': { 'metadata.finalizers': ['bad', 'a b', '', 'example.com/ok', 'kubernetes', 'orphan'] },
  'finalizers twice': { 'metadata.finalizers': ['example.com/a', 'example.com/a'] },
  'finalizers with null': { 'metadata.finalizers': [null] },
  'finalizers a text': { 'metadata.finalizers': 'x' },
  'both deletion finalizers': { 'metadata.finalizers': ['orphan', 'foregroundDeletion'] },
  'an owner': owners(owner),
  'an empty owner': owners({}),
  'a null owner': owners(null),
  'an Event as owner': owners({ ...owner, kind: 'Event' }),
  'an owner of a bad version': owners({ ...owner, apiVersion: 'a/b/c' }),
  'an owner without a version': owners({ ...owner, apiVersion: '' }),
  'two controllers': owners({ ...owner, controller: true }, { ...owner, uid: 'v', controller: true }),
  'an owner twice': owners(owner, owner),
  'an owner twice by uid': owners(owner, { ...owner, name: 'p' }),
  'an owner with an unknown field': owners({ ...owner, nope: 1 }),
  'an owner with a wrong type': owners({ ...owner, controller: 'yes' }),
  'managedFields given': managed(entry),
  'managedFields empty': managed(),
  'managedFields of an empty entry': managed({}),
  'managedFields null': { 'metadata.managedFields': null },
  'managedFields of an unknown operation': managed({ ...entry, operation: 'Nope' }),
  'managedFields of an unknown type': managed({ ...entry, fieldsType: 'FieldsV2' }),
  'managedFields of bad fields': managed({ ...entry, fieldsV1: { nope: {} } }),
  'managedFields of a long manager': managed({ ...entry, manager: 'x'.repeat(200) }),
  'managedFields of a subresource': managed({ ...entry, subresource: 'status' }),
  'status given': { status: { phase: 'Failed', replicas: 5 } },
  'status a text': { status: 'x' },
  'status null': { status: null },
  'an unknown field': { nope: { a: 1 } },
  'an unknown field with a dot': { 'a b': 1, 'spec.no-pe': 1 },
  'an unknown field of null': { nope: null },
};

const queries: readonly string[] = [
  'dryRun=All',
  'dryRun=All&dryRun=All',
  'dryRun=All&dryRun=Other',
  'dryRun=',
  'dryRun=all',
  'fieldManager=me',
  'fieldManager=',
  `fieldManager=${'x'.repeat(129)}`,
  'fieldManager=a%0Ab',
  'fieldManager=a&fieldManager=b',
  'fieldValidation=Strict',
  'fieldValidation=Warn',
  'fieldValidation=Ignore',
  'fieldValidation=strict',
  'fieldValidation=',
  'fieldValidation=Strict&fieldValidation=Ignore',
  'dryRun=x&fieldManager=a%0Ab&fieldValidation=y',
  'timeout=5s',
  'timeout=abc',
  'pretty=true&force=true&resourceVersion=3&limit=x',
  'unknown=1',
];

const many: readonly Subject[] = [
  subjects.configMap,
  subjects.deployment,
  subjects.clusterRole,
  subjects.workspace,
  subjects.widget,
];

function* bodiesOf(subject: Subject): Generator<Scenario> {
  const all = many.includes(subject);
  for (const [index, [title, changes]] of Object.entries(bodies).entries()) {
    // Similar kinds share these cases, each taking a different part.
    if (!all && (index + subject.kind.length + subject.apiVersion.length) % 3 !== 0) continue;
    const steps = [
      creating(subject, changes, '?fieldValidation=Strict'),
      creating(subject, { ...changes, 'metadata.labels.second': 'y' }),
    ];
    yield scenarioOf('create', subject, { title, steps });
  }
}

const spoilt: Changes = { nope: 1, 'metadata.nope': 2 };

function* queriesOf(subject: Subject): Generator<Scenario> {
  for (const query of queries) {
    const steps = [creating(subject, spoilt, `?${query}`), { path: ownOf(subject) }];
    yield scenarioOf('create', subject, { title: `with ${query.slice(0, 60)}`, steps });
  }
}

const yaml = { contentType: 'application/yaml' };

const texts = (subject: Subject): Readonly<Record<string, string>> => {
  const json = JSON.stringify(objectOf(subject));
  const head = `apiVersion: ${subject.apiVersion}\nkind: ${subject.kind}\nmetadata:\n  name: x-{ns}\n`;
  const rest = Object.entries(subject.rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  const body = head + rest.join('');
  return {
    plain: body,
    'with comments and a marker': `---\n# hello\n${body}`,
    'twice a field': `${body}kind: ${subject.kind}\n`,
    'twice a label': `${head}  labels: {a: b, a: c}\n${rest.join('')}`,
    'two documents': `${body}---\n${body}`,
    'labels that are no texts': `${head}  labels: {a: 1, b: yes, c: 2020-01-01, d: 0x10, e: ~}\n${rest.join('')}`,
    anchors: `${head}  labels: &l {a: b}\n  annotations: *l\n${rest.join('')}`,
    merged: `${head}  labels: &l {a: b}\n  annotations: {<<: *l, c: d}\n${rest.join('')}`,
    tabs: `${head}\tlabels: {}\n`,
    'a list': '- a\n- b\n',
    'a text': 'hello',
    empty: '',
    'comments alone': '# nothing\n',
    json,
    'an unknown field': `${body}nope: 1\n`,
    'a wrong type': `${head}  labels: 5\n${rest.join('')}`,
    'broken flow': `${head}  labels: {a: b\n`,
  };
};

function* yamlOf(subject: Subject): Generator<Scenario> {
  for (const [title, body] of Object.entries(texts(subject))) {
    const steps = [
      { path: `${subject.collection}?dryRun=All&fieldValidation=Strict`, body, ...yaml },
      { path: subject.collection, body, ...yaml },
    ];
    yield scenarioOf('yaml', subject, { title, steps });
  }
}

/** Creates of all kinds: bodies, options, YAML. */
export function* createScenarios(): Generator<Scenario> {
  for (const subject of everySubject) yield* bodiesOf(subject);
  for (const subject of [...many, subjects.namespace, subjects.oldGadget]) yield* queriesOf(subject);
  for (const subject of [subjects.configMap, subjects.workspace, subjects.widget]) yield* yamlOf(subject);
}
