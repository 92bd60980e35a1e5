import test from 'ava';
import type { CustomResourceDefinition } from '../../../../../sdk/api/kind.ts';
import { compareApiVersions, planCrd, releaseAnnotation } from '../../../../../sdk/client/crds/crd-plan.ts';

type Version = CustomResourceDefinition['spec']['versions'][number];

const version = (name: string, properties: object = {}): Version => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties } },
});

const definition = (versions: readonly Version[], release?: string): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'as.example.com', ...(release && { annotations: { [releaseAnnotation]: release } }) },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'as', kind: 'A' }, versions },
});

const ours = definition([version('v1', { a: { type: 'string' } })]);

test('what is not there is created', (t) => {
  t.deepEqual(planCrd(ours, undefined, '1.0.0'), { type: 'create' });
});

test('what says the same is kept, whatever the server adds and leaves out', (t) => {
  const wanted = definition([version('v1', { a: { type: 'object', properties: {}, required: [] } })]);
  const found = {
    ...definition([version('v1', { a: { type: 'object' } })]),
    status: { conditions: [] },
  };
  const completed = {
    ...found,
    spec: { ...found.spec, conversion: { strategy: 'None' }, names: { ...found.spec.names, listKind: 'AList' } },
  };
  t.deepEqual(planCrd(wanted, completed, undefined), { type: 'keep' });
});

test('what an earlier release of ours wrote is updated', (t) => {
  const plan = planCrd(ours, definition([version('v1')], '0.9.0'), '1.0.0');
  if (plan.type !== 'update') return t.fail(plan.type);
  t.is(plan.notice, undefined);
  t.deepEqual(plan.definition.spec.versions, ours.spec.versions);
  t.is(plan.definition.metadata.annotations?.[releaseAnnotation], '1.0.0');
});

test('what a later release wrote is left alone, and that is said', (t) => {
  const plan = planCrd(ours, definition([version('v1')], '1.10.0'), '1.9.0');
  t.is(plan.type, 'keep');
  t.regex((plan as { notice: string }).notice, /the newer release 1\.10\.0 wrote it/);
});

test('what is being deleted is left to its end', (t) => {
  const found = definition([version('v1')], '0.9.0');
  const going = { ...found, metadata: { ...found.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  t.regex((planCrd(ours, going, '1.0.0') as { notice: string }).notice, /as\.example\.com is being deleted/);
});

test('an update is what server-side apply sends: the fields of ours, onto the version that was read', (t) => {
  const found = definition([version('v1')], '0.9.0');
  const read = {
    ...found,
    metadata: { ...found.metadata, uid: 'u', resourceVersion: '7', managedFields: [{}] },
    spec: { ...found.spec, conversion: { strategy: 'None' } },
    status: { conditions: [] },
  };
  const plan = planCrd(ours, read, '1.0.0');
  if (plan.type !== 'update') return t.fail(plan.type);
  const annotations = { [releaseAnnotation]: '1.0.0' };
  t.deepEqual(plan.definition, {
    ...ours,
    metadata: { name: 'as.example.com', annotations, uid: 'u', resourceVersion: '7' },
  });
});

test('a schema that another client wrote is replaced, and that is said', (t) => {
  const plan = planCrd(ours, definition([version('v1')]), '1.0.0');
  t.is(plan.type, 'update');
  t.regex((plan as { notice: string }).notice, /another writer/);
});

test('an older version stays served beside ours, which is stored from now on', (t) => {
  const plan = planCrd(ours, definition([version('v1beta1')], '0.9.0'), '1.0.0');
  if (plan.type !== 'update') return t.fail(plan.type);
  t.deepEqual(
    plan.definition.spec.versions.map(({ name, served, storage }) => ({ name, served, storage })),
    [
      { name: 'v1beta1', served: true, storage: false },
      { name: 'v1', served: true, storage: true },
    ],
  );
});

test('a newer stored version is never touched: we work beside it, or not at all', (t) => {
  const beside = definition([{ ...version('v1'), storage: false }, version('v2')]);
  t.regex((planCrd(ours, beside, undefined) as { notice: string }).notice, /stores the newer version v2/);
  const plan = planCrd(
    ours,
    definition([{ ...version('v1'), storage: false, served: false }, version('v2')]),
    undefined,
  );
  t.is(plan.type, 'refuse');
  t.regex((plan as { problem: string }).problem, /no longer serves v1/);
});

test('a definition of another kind or scope is refused', (t) => {
  const cluster = { ...ours, spec: { ...ours.spec, scope: 'Cluster' as const } };
  t.regex(
    (planCrd(ours, cluster, undefined) as { problem: string }).problem,
    /is of kind A, Cluster; ours is A, Namespaced/,
  );
});

test('versions are ordered as Kubernetes does', (t) => {
  const sorted = ['foo1', 'v12alpha1', 'v3beta1', 'v10beta3', 'v11beta2', 'v1', 'v2', 'v10'];
  t.deepEqual(sorted.toReversed().toSorted(compareApiVersions), sorted);
});

test('further versions and their conversion are brought up to date; the CA bundle is another’s to write', (t) => {
  const webhook = { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] };
  const both = definition([version('v2'), { ...version('v1'), storage: false }]);
  const wanted = { ...both, spec: { ...both.spec, conversion: { strategy: 'Webhook', webhook } } };
  const plan = planCrd(wanted, definition([version('v1')]), undefined);
  if (plan.type !== 'update') return t.fail(plan.type);
  t.deepEqual(plan.definition.spec, wanted.spec);
  const bundled = { ...webhook, clientConfig: { ...webhook.clientConfig, caBundle: 'x' } };
  const found = { ...wanted, spec: { ...wanted.spec, conversion: { strategy: 'Webhook', webhook: bundled } } };
  t.deepEqual(planCrd(wanted, found, undefined), { type: 'keep' });
  const bare = { ...found, spec: { ...found.spec, conversion: { strategy: 'None' } } };
  t.is(planCrd(wanted, bare, undefined).type, 'update');
  const single = planCrd(definition([version('v2', { a: {} })]), found, undefined);
  t.like(single, { type: 'update', definition: { spec: { conversion: { strategy: 'Webhook', webhook } } } });
});
