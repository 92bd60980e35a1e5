import type { Scenario, Step } from '../runner/scenario.ts';
import { creating, type Subject, scenarioOf, subjects } from './subjects.ts';
import { withdrawn } from './withdrawn.ts';

const own = (subject: Subject, name: string): string => `${subject.collection}/x-{ns}-${name}`;
const make = (subject: Subject, name: string, { finalizers, ...labels }: Record<string, unknown> = {}): Step =>
  creating(subject, {
    'metadata.name': `x-{ns}-${name}`,
    'metadata.labels': { ns: '{ns}', ...labels },
    ...(finalizers !== undefined && { 'metadata.finalizers': finalizers }),
  });
const label = (subject: Subject, name: string, labels: object): Step => ({
  method: 'PATCH',
  path: own(subject, name),
  body: { metadata: { labels } },
});
const end = (subject: Subject, name: string): Step => ({ method: 'DELETE', path: own(subject, name), silent: true });
const scope = 'labelSelector=ns%3D{ns}';
const from = 'resourceVersion={0.metadata.resourceVersion}';

/** Eight writes: two objects that gain and lose the label `on`, and are deleted. */
const writes = (subject: Subject): readonly Step[] => [
  make(subject, 'a', { on: '1' }),
  make(subject, 'b'),
  label(subject, 'b', { on: '1' }),
  label(subject, 'a', { on: null }),
  label(subject, 'b', { more: 'x' }),
  label(subject, 'b', { more: 'x' }),
  end(subject, 'b'),
  label(subject, 'a', { on: '1' }),
  make(subject, 'held', { on: '1', finalizers: ['example.com/a'] }),
  end(subject, 'held'),
  { method: 'PATCH', path: own(subject, 'held'), body: { metadata: { finalizers: null } } },
  end(subject, 'a'),
  make(subject, 'last', { on: '1' }),
];

/** Number of events after the first write, in total and with the label. */
const views: Readonly<Record<string, { readonly query: string; readonly events: number; readonly accept?: string }>> = {
  all: { query: `${scope}&${from}`, events: 10 },
  'by a label': { query: `labelSelector=ns%3D{ns},on%3D1&${from}`, events: 10 },
  'by a missing label': { query: `labelSelector=ns%3D{ns},!on&${from}`, events: 4 },
  'by a set of labels': { query: `labelSelector=ns%3D{ns},on+in+(1,2)&${from}`, events: 10 },
  'by a label that comes and goes': { query: `labelSelector=ns%3D{ns},more&${from}`, events: 2 },
  'by a name': { query: `${scope}&fieldSelector=metadata.name%3Dx-{ns}-a&${from}`, events: 3 },
  'by another name': { query: `${scope}&fieldSelector=metadata.name!%3Dx-{ns}-a&${from}`, events: 7 },
  'by name and label': {
    query: `fieldSelector=metadata.name%3Dx-{ns}-a&labelSelector=ns%3D{ns},on&${from}`,
    events: 3,
  },
  'as a table': { query: `${scope}&${from}`, events: 10, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  'as a table of objects': {
    query: `${scope}&${from}&includeObject=Object`,
    events: 10,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  },
  'as a table of nothing': {
    query: `${scope}&${from}&includeObject=None`,
    events: 10,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  },
  'as metadata': {
    query: `${scope}&${from}`,
    events: 10,
    accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  },
  'by a label as a table': {
    query: `labelSelector=ns%3D{ns},on%3D1&${from}`,
    events: 10,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  },
  'by a label as metadata': {
    query: `labelSelector=ns%3D{ns},on%3D1&${from}`,
    events: 10,
    accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  },
  'from the third write': { query: `${scope}&resourceVersion={2.metadata.resourceVersion}`, events: 8 },
  'by a label from the third write': {
    query: `labelSelector=ns%3D{ns},on%3D1&resourceVersion={2.metadata.resourceVersion}`,
    events: 9,
  },
};

function* viewsOf(subject: Subject): Generator<Scenario> {
  for (const [title, { query, events, accept }] of Object.entries(views)) {
    const headers = accept === undefined ? {} : { headers: { accept } };
    const watch: Step = {
      path: `${subject.collection}?watch=true&${query}&timeoutSeconds=2`,
      events: events + 5,
      ...headers,
    };
    yield scenarioOf('watch', subject, { title, steps: [...writes(subject), watch] });
  }
}

const streaming = 'sendInitialEvents=true&allowWatchBookmarks=true';

/** Queries of a watch that is opened when there are three objects; a fourth follows. */
const openings: readonly string[] = [
  '',
  'resourceVersion=0',
  'resourceVersion=',
  'resourceVersion={2.metadata.resourceVersion}',
  'resourceVersion={0.metadata.resourceVersion}',
  'allowWatchBookmarks=true',
  'allowWatchBookmarks=1',
  'allowWatchBookmarks=x',
  `${streaming}&resourceVersionMatch=NotOlderThan`,
  `${streaming}&resourceVersionMatch=NotOlderThan&resourceVersion=0`,
  `${streaming}&resourceVersionMatch=NotOlderThan&resourceVersion=`,
  `${streaming}&resourceVersionMatch=NotOlderThan&resourceVersion={1.metadata.resourceVersion}`,
  `${streaming}&resourceVersionMatch=Exact&resourceVersion={1.metadata.resourceVersion}`,
  `${streaming}&resourceVersionMatch=Exact`,
  `${streaming}&resourceVersionMatch=Other`,
  streaming,
  `${streaming}&resourceVersion=0`,
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=false',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={0.metadata.resourceVersion}',
  'sendInitialEvents=false',
  'sendInitialEvents=x',
  'sendInitialEvents=',
  'resourceVersionMatch=NotOlderThan',
  'resourceVersionMatch=Exact&resourceVersion=1',
  'resourceVersionMatch=NotOlderThan&resourceVersion=0',
  'limit=1',
  'limit=1&continue=x',
  'limit=x',
  'resourceVersion=x',
  'resourceVersion=-1',
  'resourceVersion=1.5',
  'resourceVersion=99999999',
  'resourceVersion=99999999999999999999999',
  'timeoutSeconds=x',
  'timeoutSeconds=-1',
  'timeout=x',
  'fieldSelector=spec.nope%3D1',
  'fieldSelector=metadata.name',
  'fieldSelector=metadata.name%3Dnone',
  'labelSelector=((',
  'dryRun=All',
  'watch=false',
  'watch=1',
];

function* openingsOf(subject: Subject): Generator<Scenario> {
  for (const query of openings) {
    const scoped = query.includes('labelSelector') ? query : `${scope}&${query}`;
    const until = query.includes('timeoutSeconds') ? '' : '&timeoutSeconds=1';
    yield scenarioOf('watch', subject, {
      title: `opened with ${query || 'nothing'}`,
      steps: [
        make(subject, 'a'),
        make(subject, 'b'),
        make(subject, 'c'),
        { path: `${subject.collection}?watch=true&${scoped}${until}`, events: 20 },
      ],
    });
  }
}

const whole: readonly Step[] = [
  { path: '/api/v1/watch/namespaces/{ns}/configmaps?timeoutSeconds=1&labelSelector=ns%3D{ns}', events: 9 },
  { path: '/api/v1/watch/namespaces/{ns}/configmaps/x-{ns}-a?timeoutSeconds=1', events: 9 },
  { path: '/api/v1/watch/configmaps?timeoutSeconds=1&labelSelector=ns%3D{ns}', events: 9 },
  { path: '/api/v1/watch/namespaces/{ns}/configmaps/none?timeoutSeconds=1', events: 9 },
  { path: '/api/v1/namespaces/{ns}/configmaps/x-{ns}-a?watch=true&timeoutSeconds=1' },
  { path: '/apis/se.quencer.io/v1alpha1/watch/namespaces/{ns}/workspaces?timeoutSeconds=1', events: 9 },
];

/** Watches that stay open during writes. */
function* openOf(subject: Subject): Generator<Scenario> {
  const watch = (name: string, query: string): Step => ({
    path: `${subject.collection}?watch=true&${query}&timeoutSeconds=60`,
    opens: name,
  });
  yield scenarioOf('watch', subject, {
    title: 'three at a time',
    steps: [
      make(subject, 'first'),
      watch('all', `${scope}&resourceVersion={0.metadata.resourceVersion}`),
      watch('labelled', `labelSelector=ns%3D{ns},on%3D1&resourceVersion={0.metadata.resourceVersion}`),
      watch('named', `${scope}&fieldSelector=metadata.name%3Dx-{ns}-held`),
      ...writes(subject),
      { path: '', collects: 'all', events: 11 },
      { path: '', collects: 'labelled', events: 10 },
      { path: '', collects: 'named', events: 3 },
    ],
  });
  const dry = { method: 'DELETE', path: `${subject.collection}?${scope}&dryRun=All` } as const;
  yield scenarioOf('watch', subject, {
    title: 'what is not carried out, and a collection that is deleted',
    steps: [
      make(subject, 'first'),
      watch('all', `${scope}&resourceVersion={0.metadata.resourceVersion}`),
      { ...make(subject, 'dry'), path: `${subject.collection}?dryRun=All` },
      { ...dry, silent: true },
      make(subject, 'first'),
      { ...label(subject, 'first', { a: 'b' }), path: `${own(subject, 'first')}?dryRun=All` },
      make(subject, 'second', { finalizers: ['example.com/a'] }),
      { method: 'DELETE', path: `${subject.collection}?${scope}`, silent: true },
      { method: 'PATCH', path: own(subject, 'second'), body: { metadata: { finalizers: [] } } },
      { path: '', collects: 'all', events: 4 },
    ],
  });
}

/** Watches of all kinds. */
export function* watchScenarios(): Generator<Scenario> {
  for (const subject of [subjects.configMap, subjects.pod, subjects.workspace, subjects.widget]) {
    yield* viewsOf(subject);
    yield* openOf(subject);
  }
  for (const subject of [subjects.configMap, subjects.workspace]) yield* openingsOf(subject);
  yield {
    name: 'watch: by its old paths',
    steps: [make(subjects.configMap, 'a'), make(subjects.configMap, 'b'), ...whole],
  };
  yield withdrawn;
}
