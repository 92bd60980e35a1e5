import type { Scenario, Step } from '../runner/scenario.ts';
import { creating, type Subject, scenarioOf, subjects } from './subjects.ts';

const forms = {
  json: 'application/json',
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
} as const;

const several = (subject: Subject): readonly Step[] =>
  [0, 1, 2, 3, 4].map((index) =>
    creating(subject, {
      'metadata.name': `x-{ns}-${index}`,
      'metadata.labels': { ns: '{ns}', n: String(index), odd: String(index % 2) },
    }),
  );

/** Number of the step that reads the first page; steps 0 to 4 create objects. */
const first = 5;
const following = `continue={${first}.metadata.continue}`;
const version = '{2.metadata.resourceVersion}';
const listed = `{${first}.metadata.resourceVersion}`;

const pages: Readonly<Record<string, readonly string[]>> = {
  'two by two': ['limit=2', `limit=2&${following}`, 'limit=2&continue={6.metadata.continue}'],
  'two, then all': ['limit=2', following],
  'with other selectors than before': ['limit=2', `limit=2&${following}&labelSelector=ns%3D{ns},odd%3D0`],
  'by a selector': ['limit=2&labelSelector=ns%3D{ns},odd%3D0', `limit=2&${following}&labelSelector=ns%3D{ns},odd%3D0`],
  'as many as there are': ['limit=5', 'limit=6'],
  'by a field': ['limit=1&fieldSelector=metadata.name%3Dx-{ns}-3', 'limit=1&fieldSelector=metadata.name!%3Dx-{ns}-3'],
  'with a version': [
    'limit=2',
    `limit=2&${following}&resourceVersion=${version}`,
    `limit=2&${following}&resourceVersion=0`,
  ],
  'with a match': [
    'limit=2',
    `limit=2&${following}&resourceVersionMatch=Exact`,
    `limit=2&${following}&resourceVersionMatch=NotOlderThan&resourceVersion=0`,
  ],
  'from version 0': ['limit=2&resourceVersion=0', `limit=2&${following}`],
  'not older than 0': ['limit=2&resourceVersion=0&resourceVersionMatch=NotOlderThan', `limit=2&${following}`],
  'not older': [`limit=2&resourceVersion=${version}&resourceVersionMatch=NotOlderThan`, `limit=2&${following}`],
  'not older, without a match': [`limit=2&resourceVersion=${version}`, `limit=2&${following}`],
  exactly: [
    `limit=2&resourceVersion=${version}&resourceVersionMatch=Exact`,
    `limit=2&${following}`,
    `resourceVersion=${version}&resourceVersionMatch=Exact`,
  ],
  'exactly 0': ['limit=2&resourceVersion=0&resourceVersionMatch=Exact', 'resourceVersion=0&resourceVersionMatch=Exact'],
  'exactly and a selector': [`resourceVersion=${version}&resourceVersionMatch=Exact&labelSelector=ns%3D{ns},odd%3D0`],
  negative: ['limit=-2', 'limit=0'],
  'of the future': [
    'limit=1',
    'resourceVersion=99999999&timeoutSeconds=1',
    'resourceVersion=99999999&resourceVersionMatch=Exact&timeoutSeconds=1',
  ],
  'odd matches': [
    'resourceVersionMatch=Exact',
    'resourceVersionMatch=',
    `resourceVersion=${version}&resourceVersionMatch=`,
    `resourceVersion=${version}&resourceVersionMatch=exact`,
    'resourceVersion=&resourceVersionMatch=NotOlderThan',
    'resourceVersion=-1',
    'resourceVersion=1.5',
    'resourceVersion=01',
  ],
  'with sendInitialEvents': [
    'sendInitialEvents=true',
    'sendInitialEvents=false',
    `sendInitialEvents=true&resourceVersion=${listed}&resourceVersionMatch=NotOlderThan`,
    'sendInitialEvents=x',
  ],
  'with allowWatchBookmarks and timeouts': [
    'allowWatchBookmarks=true',
    'allowWatchBookmarks=x',
    'timeoutSeconds=0',
    'timeoutSeconds=5',
    'timeout=3s',
    'watch=false',
    'watch=0',
    'watch=x&timeoutSeconds=1',
  ],
  'broken tokens': [
    'limit=2',
    'continue=',
    'continue=%20',
    'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi9hIn0',
    'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhIn0',
    'continue=eyJ2IjoieCIsInJ2IjoxLCJzdGFydCI6ImEifQ',
    'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0',
  ],
  'an inconsistent token': [
    'limit=2',
    'limit=2&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoieC17bnN9LTFcdTAwMDAifQ',
  ],
  'include the object': [
    'limit=2&includeObject=Object',
    'limit=2&includeObject=None',
    'limit=2&includeObject=Metadata',
    'limit=2&includeObject=X',
    'limit=1&includeObject=',
  ],
};

function* pagesOf(subject: Subject): Generator<Scenario> {
  const scope = 'labelSelector=ns%3D{ns}';
  for (const [form, accept] of Object.entries(forms)) {
    for (const [title, queries] of Object.entries(pages)) {
      const steps = queries.map((query): Step => {
        const scoped = query.includes('labelSelector') ? query : `${query}&${scope}`;
        return {
          path: `${subject.collection}?${scoped}`,
          headers: { accept },
          ...(query.startsWith('watch=x') && { events: 20 }),
        };
      });
      yield scenarioOf('pages', subject, { title: `${title}, ${form}`, steps: [...several(subject), ...steps] });
    }
  }
}

const own = (subject: Subject, index: number): string => `${subject.collection}/x-{ns}-${index}`;

/** Pages while objects are created, changed and deleted. */
function* changingOf(subject: Subject): Generator<Scenario> {
  const scope = 'labelSelector=ns%3D{ns}';
  const at = (query: string): Step => ({ path: `${subject.collection}?${scope}&${query}` });
  const change: readonly Step[] = [
    { method: 'DELETE', path: own(subject, 3), silent: true },
    { method: 'PATCH', path: own(subject, 4), body: { metadata: { labels: { n: 'changed' } } } },
    creating(subject, { 'metadata.name': 'x-{ns}-35', 'metadata.labels': { ns: '{ns}' } }),
  ];
  yield scenarioOf('pages', subject, {
    title: 'while objects change',
    steps: [
      ...several(subject),
      at('limit=2'),
      ...change,
      at('limit=2&continue={5.metadata.continue}'),
      at('limit=2&continue={9.metadata.continue}'),
      at('limit=2'),
      at('resourceVersion={4.metadata.resourceVersion}&resourceVersionMatch=Exact'),
      at('limit=3&resourceVersion={4.metadata.resourceVersion}&resourceVersionMatch=Exact'),
      at('limit=3&continue={13.metadata.continue}'),
      at('resourceVersion={7.metadata.resourceVersion}&resourceVersionMatch=NotOlderThan'),
    ],
  });
  yield scenarioOf('pages', subject, {
    title: 'of all namespaces, and in other places',
    steps: [
      ...several(subject),
      { path: `${subject.collection.replace('/namespaces/{ns}', '')}?${scope}&limit=2` },
      { path: `${subject.collection.replace('/namespaces/{ns}', '')}?${scope}&limit=2&continue={5.metadata.continue}` },
      { path: `${subject.collection.replace('{ns}', 'none')}?${scope}&limit=2` },
      { path: `${subject.collection.replace('{ns}', 'none')}?${scope}&limit=2&continue={5.metadata.continue}` },
      { path: `${subject.collection}?${scope}&fieldSelector=metadata.namespace%3D{ns}` },
      { path: `${subject.collection}?${scope}&fieldSelector=metadata.namespace%3Dother` },
      { path: `${subject.collection}?${scope}&fieldSelector=metadata.name%3Dx-{ns}-1,metadata.name%3Dx-{ns}-2` },
      { path: own(subject, 1), headers: { accept: forms.table } },
      { path: `${own(subject, 1)}?includeObject=Object`, headers: { accept: forms.table } },
      { path: `${own(subject, 1)}?resourceVersion=0` },
      { path: `${own(subject, 1)}?resourceVersion=x` },
      { path: `${own(subject, 1)}?resourceVersion=1&resourceVersionMatch=Exact` },
      { path: `${own(subject, 1)}?resourceVersion={4.metadata.resourceVersion}` },
    ],
  });
}

/** Lists: pages, versions, selectors, tables, metadata only. */
export function* listScenarios(): Generator<Scenario> {
  for (const subject of [subjects.configMap, subjects.workspace, subjects.widget, subjects.pod]) {
    yield* pagesOf(subject);
    yield* changingOf(subject);
  }
}
