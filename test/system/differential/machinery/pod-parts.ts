import type { Scenario, Step } from '../runner/scenario.ts';
import { merge } from './patches/patch-steps.ts';
import { creating, ownOf, subjects } from './subjects.ts';

const core = '/api/v1/namespaces/{ns}';
const binding = (more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: 'x-{ns}' },
  target: { kind: 'Node', name: 'n' },
  ...more,
});

function* bindings(): Generator<Scenario> {
  const { pod } = subjects;
  const own = ownOf(pod);
  const node = { apiVersion: 'v1', kind: 'Node', name: 'n' };
  const bodies: Readonly<Record<string, object>> = {
    plain: binding(),
    'with annotations and labels': binding({
      metadata: { name: 'x-{ns}', annotations: { a: '1', old: 'new' }, labels: { l: 'm', old: 'new' } },
    }),
    'with a uid': binding({ metadata: { name: 'x-{ns}', uid: '{0.metadata.uid}' } }),
    'with another uid': binding({ metadata: { name: 'x-{ns}', uid: 'other' } }),
    'with a version': binding({ metadata: { name: 'x-{ns}', resourceVersion: '{0.metadata.resourceVersion}' } }),
    'with a stale version': binding({ metadata: { name: 'x-{ns}', resourceVersion: '1' } }),
    'without target': binding({ target: undefined }),
    'of an empty target': binding({ target: {} }),
    'of another kind of target': binding({ target: { kind: 'Pod', name: 'n' } }),
    'of Minion': binding({ target: { kind: 'Minion', name: 'n' } }),
    'of a whole reference': binding({ target: node }),
    'of a bad name': binding({ target: { kind: 'Node', name: 'BAD NAME' } }),
    'of another name': binding({ metadata: { name: 'other' } }),
    'without a name': binding({ metadata: {} }),
    'in another namespace': binding({ metadata: { name: 'x-{ns}', namespace: 'other' } }),
    'of another type': { ...binding(), kind: 'Pod' },
    'with unknown fields': binding({ nope: 1 }),
  };
  for (const [title, body] of Object.entries(bodies)) {
    const create = creating(pod, { 'metadata.annotations': { old: 'old' }, 'metadata.labels': { old: 'old' } });
    for (const [where, path] of Object.entries({ own: `${own}/binding`, bare: `${core}/bindings` })) {
      yield {
        name: `bindings (${where}): ${title}`,
        steps: [
          create,
          { path: `${path}?dryRun=All`, body },
          { path: own },
          { path, body },
          { path: own },
          { path: `${path}?fieldManager=me`, body },
        ],
      };
    }
  }
  yield {
    name: 'bindings: odd ones',
    steps: [
      { path: `${core}/bindings`, body: binding() },
      { path: `${own}/binding`, body: binding() },
      { path: `${core}/bindings` },
      { path: `${own}/binding` },
      creating(pod, { 'spec.schedulingGates': [{ name: 'example.com/a' }] }),
      { path: `${own}/binding`, body: binding() },
      creating(pod, { 'metadata.name': 'deleted', 'metadata.finalizers': ['example.com/a'] }),
      { method: 'DELETE', path: `${core}/pods/deleted` },
      { path: `${core}/pods/deleted/binding`, body: binding({ metadata: { name: 'deleted' } }) },
    ],
  };
}

const eviction = (more: object = {}) => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name: 'x-{ns}' },
  ...more,
});

function* evictions(): Generator<Scenario> {
  const { pod } = subjects;
  const own = ownOf(pod);
  const bodies: Readonly<Record<string, unknown>> = {
    plain: eviction(),
    'with options': eviction({ deleteOptions: { gracePeriodSeconds: 0 } }),
    'with grace': eviction({ deleteOptions: { gracePeriodSeconds: 7 } }),
    'dry run': eviction({ deleteOptions: { dryRun: ['All'] } }),
    'its uid': eviction({ deleteOptions: { preconditions: { uid: '{0.metadata.uid}' } } }),
    'a policy': eviction({ deleteOptions: { propagationPolicy: 'Foreground' } }),
    'a bad policy': eviction({ deleteOptions: { propagationPolicy: 'X' } }),
    'another name': eviction({ metadata: { name: 'other' } }),
    'no name': eviction({ metadata: {} }),
    'another namespace': eviction({ metadata: { name: 'x-{ns}', namespace: 'other' } }),
    'an old version': { ...eviction(), apiVersion: 'policy/v1beta1' },
    'another kind': { ...eviction(), kind: 'Other' },
    'unknown fields': eviction({ nope: 1 }),
    'a list': '[]',
  };
  for (const [title, body] of Object.entries(bodies)) {
    for (const [state, changes] of Object.entries({ waiting: {}, placed: { 'spec.nodeName': 'n' } })) {
      yield {
        name: `evictions: ${title}, ${state}`,
        steps: [
          creating(pod, changes),
          { path: `${own}/eviction?dryRun=All`, body },
          { path: own },
          { path: `${own}/eviction`, body },
          { path: own },
          { path: `${own}/eviction`, body },
        ],
      };
    }
  }
}

function* budgeted(): Generator<Scenario> {
  const { pod } = subjects;
  const own = ownOf(pod);
  const budget = (spec: object): Step => ({
    path: '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets',
    body: { metadata: { name: 'b' }, spec: { selector: { matchLabels: { app: 'x' } }, ...spec } },
  });
  const labelled = { 'metadata.labels': { app: 'x' }, 'spec.nodeName': 'n' };
  const running = merge(`${own}/status`, {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  for (const [title, spec] of Object.entries({
    'minAvailable 0': { minAvailable: 0 },
    'minAvailable 1': { minAvailable: 1 },
    'always allow': { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  })) {
    for (const [state, steps] of Object.entries({ pending: [], running: [running] })) {
      yield {
        name: `evictions: a budget of ${title}, ${state}`,
        steps: [
          creating(pod, labelled),
          ...steps,
          budget(spec),
          { path: `${own}/eviction`, body: eviction() },
          { path: own },
          budget({ minAvailable: 0 }),
          { path: `${own}/eviction`, body: eviction() },
        ],
      };
    }
  }
}

const tokens: Scenario = {
  name: 'tokens of service accounts: managed fields and refusals',
  steps: [
    { path: `${core}/serviceaccounts`, body: { metadata: { name: 'a' } } },
    ...[
      {},
      { spec: { audiences: ['x'], expirationSeconds: 600 } },
      { spec: { expirationSeconds: 5 } },
      { spec: { expirationSeconds: 2 ** 33 } },
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } } },
      { spec: { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'none' } } },
      { metadata: { name: 'other' } },
      { metadata: { name: 'a', namespace: 'other' } },
      { metadata: { labels: { a: 'b' }, generateName: 'x' }, spec: { audiences: [''] } },
      { nope: 1 },
      { spec: { audiences: 'x' } },
    ].map((body): Step => ({ path: `${core}/serviceaccounts/a/token?fieldManager=me`, body })),
    { path: `${core}/serviceaccounts/none/token`, body: {} },
    { path: `${core}/serviceaccounts/a/token` },
  ],
};

/** Bindings and evictions of pods, and tokens of service accounts. */
export function* podScenarios(): Generator<Scenario> {
  yield* bindings();
  yield* evictions();
  yield* budgeted();
  yield tokens;
}
