import type { Scenario, Step } from '../runner/scenario.ts';

const maps = '/api/v1/namespaces/{ns}/configmaps';
const some: readonly Step[] = [0, 1, 2, 3].map((index) => ({
  path: maps,
  body: { metadata: { name: `c${index}`, labels: { app: index % 2 === 0 ? 'y' : 'x', n: String(index) } } },
}));

const asking = (name: string, queries: readonly string[], path = maps): Scenario => ({
  name,
  steps: [...some, ...queries.map((query): Step => ({ path: `${path}?${query}` }))],
});

const selecting = (kind: 'label' | 'field', selectors: readonly string[]): Scenario =>
  asking(
    `${kind} selectors`,
    selectors.map((one) => `${kind}Selector=${encodeURIComponent(one)}`),
  );

const accepting = (path: string, accepts: readonly string[]): Scenario => ({
  name: `what is accepted of ${path}`,
  steps: [...some, ...accepts.map((accept): Step => ({ path, headers: { accept } }))],
});

const posting = (bodies: readonly string[]): Scenario => ({
  name: 'bodies that cannot be read',
  steps: bodies.map((body): Step => ({ path: `${maps}?dryRun=All`, body })),
});

const deleting = (bodies: readonly unknown[]): Scenario => ({
  name: 'options of deletions',
  steps: [...some, ...bodies.map((body): Step => ({ method: 'DELETE', path: `${maps}/c0`, body }))],
});

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

const odd = [
  'text/plain',
  'application/*',
  'application/json;q=0.5',
  'text/html,*/*;q=0.1',
  'application/xml, application/json',
  'APPLICATION/JSON',
  'application/json;stream=nope',
  'application/json;as=Table',
  'application/json;as=Nope;v=v1;g=meta.k8s.io',
];

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const dry = (path: string, body: object): Step => ({ path: `${rbac}/${path}?dryRun=All`, body });
const named = { metadata: { name: 'x' } };
const roles: Scenario = {
  name: 'roles and bindings',
  steps: [
    ...[
      {},
      { verbs: ['get'] },
      { verbs: ['get'], nonResourceURLs: ['/x'] },
      { verbs: ['get'], apiGroups: [''], resources: ['x'], nonResourceURLs: ['/x'] },
    ].flatMap((rule) => [
      dry('namespaces/{ns}/roles', { ...named, rules: [rule] }),
      dry('clusterroles', { ...named, rules: [rule] }),
    ]),
    dry('clusterroles', { ...named, aggregationRule: { clusterRoleSelectors: [] } }),
    ...['namespaces/{ns}/rolebindings', 'clusterrolebindings'].map((path) =>
      dry(path, {
        ...named,
        roleRef: { apiGroup: 'x', kind: 'Nope', name: '' },
        subjects: [
          { kind: 'Bogus', name: '' },
          { kind: 'ServiceAccount', name: 'BAD_X' },
          { kind: 'ServiceAccount', name: 'x', apiGroup: 'y' },
          { kind: 'User', apiGroup: 'x', name: 'u' },
        ],
      }),
    ),
  ],
};

const registration = '/apis/admissionregistration.k8s.io/v1';
const matchConstraints = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
};
const policies: Scenario = {
  name: 'policies of admission',
  steps: [
    {},
    { matchConstraints: {} },
    { matchConstraints },
    { matchConstraints, validations: [{}] },
    { matchConstraints, validations: [{ expression: 'true', reason: 'Bogus' }] },
    { matchConstraints, validations: [{ expression: 'true', message: ' ' }] },
    { matchConstraints, validations: [{ expression: 'true', message: 'a\nb' }] },
    { matchConstraints, paramKind: {}, validations: [{ expression: 'true' }] },
    { matchConstraints, paramKind: { apiVersion: 'a/b/c', kind: 'X' }, validations: [{ expression: 'true' }] },
    { matchConstraints, failurePolicy: 'X', validations: [{ expression: 'true' }] },
    { matchConstraints, variables: [{ name: 'a-b', expression: '1' }], validations: [{ expression: 'true' }] },
    { matchConstraints: { resourceRules: [{}] }, validations: [{ expression: 'true' }] },
    { matchConstraints, validations: [{ expression: 'true' }] },
  ].map(
    (spec): Step => ({
      path: `${registration}/validatingadmissionpolicies?dryRun=All`,
      body: { metadata: { name: 'x' }, spec },
    }),
  ),
};

/** Requests, valid and invalid, with equal answers. */
export const requestScenarios: readonly Scenario[] = [
  selecting(
    'label',
    'app=x|app = x |app==x|app!=x|app in (x)|app in (x,,y)|app in ()|app in|app notin (x)|!app|!!app|app,|,app|,|app,n|app=x,n=1|app=|=x|app===x|n>1|n<2|n>a|n>=1|in in (in)|app in (x|app in x)|app in (x y)|app x|(app)|/x=y|x/=y|app=x y|app="x"|app=*|-app=x|app=-x|app!x|app;n'.split(
      '|',
    ),
  ),
  asking(
    'label selectors of names that objects inherit',
    ['constructor', '!constructor', 'toString!=x', 'valueOf in (x)', 'hasOwnProperty notin (x)', 'app,!toString'].map(
      (one) => `labelSelector=${encodeURIComponent(one)}`,
    ),
  ),
  selecting(
    'field',
    'metadata.name=c1|metadata.name!=c1|metadata.name|metadata.name=|=c1|,|metadata.name=c1,metadata.name=c2|metadata.name=c\\,1|metadata.name=c\\x|metadata.name=c\\|metadata.name=a=b|metadata.uid=x|data.a=b|!metadata.name'.split(
      '|',
    ),
  ),
  asking(
    'options of lists',
    'limit=|limit=-1|limit=x|limit=99999999999999999999|limit=100|continue=x|continue=eyJ2Ijoi|continue=e30|continue=x&resourceVersion=1|timeoutSeconds=x|sendInitialEvents=true|resourceVersion=x|resourceVersionMatch=Exact|resourceVersion=0&resourceVersionMatch=Exact|resourceVersion=0&resourceVersionMatch=bogus|watch=0|timeout=5|timeout=x|limit=2&labelSelector=app%3Dx'.split(
      '|',
    ),
  ),
  asking(
    'options of watches',
    'limit=x|timeoutSeconds=x|continue=x|resourceVersion=x|sendInitialEvents=true|resourceVersionMatch=Exact|resourceVersionMatch=NotOlderThan|labelSelector=((|fieldSelector=x'
      .split('|')
      .map((query) => `watch=true&${query}`),
  ),
  accepting(`${maps}/c0`, [...odd, table, metadata, metadataList]),
  accepting(maps, [table, metadata, metadataList, 'text/plain']),
  accepting('/apis/apps', odd),
  accepting('/apis/apps/v1', odd),
  roles,
  policies,
  posting(
    [
      '""|null|[]|5|true|{|}|{"a"|{"a":|{"a":1,}|{a:1}|{"a":01}|{"a":+1}|{"a":.5}|{"a":1.}|{"a":1e}|{"a":tru}|{"a":nul',
      '{"a":"\\x"}|{"a":"\\u12"}|{"a":"\n"}|{"a":1} x|[1|[1,]|{"a" 1}|{"a":1 "b":2}|nope|{}|{"kind":5}|{"metadata":5}',
    ].flatMap((line) => line.split('|')),
  ),
  deleting([
    { propagationPolicy: 'Bogus' },
    { orphanDependents: true, propagationPolicy: 'Orphan' },
    { gracePeriodSeconds: 'x' },
    { dryRun: ['Bad'] },
    { dryRun: 'All' },
    { dryRun: ['All'] },
    { preconditions: { uid: 'x' } },
    { kind: 'Nope', apiVersion: 'v1' },
    '{',
    '[]',
  ]),
];
