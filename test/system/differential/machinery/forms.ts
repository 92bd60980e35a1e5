import type { Scenario, Step } from '../runner/scenario.ts';
import { apply, merge } from './patches/patch-steps.ts';
import { creating, objectOf, ownOf, type Subject, scenarioOf, subjects } from './subjects.ts';

const json = 'application/json';
const as = (what: string, version = 'v1') => `${json};as=${what};v=${version};g=meta.k8s.io`;

/** Accept headers, usual and invalid. */
const accepted: readonly string[] = [
  as('Table'),
  `${as('Table')},${as('Table', 'v1beta1')},${json}`,
  as('Table', 'v1beta1'),
  as('Table', 'v9'),
  `${as('Table', 'v9')},${json}`,
  as('PartialObjectMetadata'),
  `${as('PartialObjectMetadata', 'v1beta1')}`,
  as('PartialObjectMetadataList'),
  `${as('PartialObjectMetadataList')},${json}`,
  `${json};as=Table;v=v1`,
  `${json};as=Table;g=meta.k8s.io`,
  `${json};as=Table;v=v1;g=example.com`,
  `${json};v=v1;g=meta.k8s.io`,
  'text/plain',
  'text/plain, */*',
  '*/*;q=0.1',
  `${json};stream=watch`,
  `${json};pretty=1`,
  `${json};charset=utf-8`,
  '',
];

/** The verbs, each once. */
const verbs: Readonly<Record<string, (subject: Subject) => Step>> = {
  create: (subject) => creating(subject, { 'metadata.name': 'x-{ns}-more' }, '?dryRun=All'),
  get: (subject) => ({ path: ownOf(subject) }),
  list: ({ collection }) => ({ path: `${collection}?labelSelector=ns%3D{ns}` }),
  update: (subject) => ({ method: 'PUT', path: `${ownOf(subject)}?dryRun=All`, from: 0, set: {} }),
  patch: (subject) => merge(`${ownOf(subject)}?dryRun=All`, { metadata: { labels: { a: 'b' } } }),
  apply: (subject) =>
    apply(`${ownOf(subject)}?dryRun=All&fieldManager=a`, {
      apiVersion: subject.apiVersion,
      kind: subject.kind,
      metadata: { name: 'x-{ns}' },
    }),
  delete: (subject) => ({ method: 'DELETE', path: `${ownOf(subject)}?dryRun=All` }),
  deletecollection: ({ collection }) => ({
    method: 'DELETE',
    path: `${collection}?labelSelector=ns%3D{ns}&dryRun=All`,
  }),
  status: (subject) => ({ path: `${ownOf(subject)}/status` }),
  'a refusal': (subject) => ({ path: `${subject.collection}/none` }),
  'a conflict': (subject) => creating(subject),
};

function* acceptedBy(subject: Subject): Generator<Scenario> {
  for (const [verb, stepOf] of Object.entries(verbs)) {
    const steps = accepted.map((accept) => ({ ...stepOf(subject), headers: { accept } }));
    const made = creating(subject, { 'metadata.labels': { ns: '{ns}' } });
    yield { ...scenarioOf('forms', subject, { title: `of ${verb}`, steps: [made, ...steps] }), apart: true };
  }
}

/** Content types of bodies. */
const given: readonly string[] = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8;x=y',
  'APPLICATION/JSON',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'text/plain',
  'text/json',
  'application/*',
  '*/*',
  'application/json, application/yaml',
  'application/merge-patch+json',
  'application/merge-patch+json; charset=utf-8',
  'application/json-patch+json;x=y',
  'application/apply-patch+yaml; charset=utf-8',
  'application/apply-patch+cbor',
  'application/strategic-merge-patch+json',
  ';',
  'json',
];

function givenTo(subject: Subject): Scenario {
  const own = ownOf(subject);
  const body = JSON.stringify(objectOf(subject));
  // Protobuf of custom resources makes the real server cut the connection.
  const some = given.filter((type) => !type.endsWith('protobuf') || !subject.apiVersion.includes('quencer.io'));
  const steps = some.flatMap((contentType): Step[] => [
    { method: 'POST', path: `${subject.collection}?dryRun=All`, body, contentType },
    { method: 'PUT', path: `${own}?dryRun=All`, body, contentType },
    { method: 'PATCH', path: `${own}?dryRun=All&fieldManager=a`, body, contentType },
    { method: 'DELETE', path: `${own}?dryRun=All`, body: '{}', contentType },
    { method: 'DELETE', path: `${subject.collection}?dryRun=All&labelSelector=none`, body: '{}', contentType },
  ]);
  return { ...scenarioOf('forms', subject, { title: 'of bodies', steps: [creating(subject), ...steps] }), apart: true };
}

/** Media types of answers and bodies, verb by verb. */
export function* formScenarios(): Generator<Scenario> {
  for (const subject of [
    subjects.configMap,
    subjects.pod,
    subjects.workspace,
    subjects.oldGadget,
    subjects.clusterRole,
  ]) {
    yield* acceptedBy(subject);
    yield givenTo(subject);
  }
}
