import test from 'ava';
import { messageOf } from '../../../cluster/apimachinery/field-error.ts';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { builtinResources } from '../../../cluster/apis/builtin-resources.ts';
import { createScheme } from '../../../cluster/bootstrap/scheme.ts';
import { defaultCrd, resourceInfosOf } from '../../../cluster/crd/definition.ts';
import { openApiDocument, openApiIndex } from '../../../cluster/openapi/document.ts';
import { upstreamTexts } from '../../../cluster/openapi/upstream-descriptions.ts';
import { aWorkspace } from '../fixtures/a-workspace.ts';

const crd = defaultCrd({
  metadata: { name: 'workspaces.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'workspaces', kind: 'Workspace' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: aWorkspace },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.count' },
        },
      },
    ],
  },
});
const [workspace] = resourceInfosOf(crd);
const scheme = createScheme();
const unchecked =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

test('rules are loaded once and then at hand', async (t) => {
  const fresh = createScheme();
  const pods = builtinResources.find(({ plural }) => plural === 'pods')!;
  t.is(fresh.loaded(pods), undefined);
  const rules = await fresh.load(pods);
  t.is(fresh.loaded(pods), rules);
  t.is(await fresh.load(pods), rules);
  t.true(rules.patchShape?.field('spec') !== undefined);
});

test('a custom resource is decoded by its schema and its metadata by the server', async (t) => {
  const rules = await scheme.load(workspace!);
  const { object, unknown } = rules.decode({
    metadata: { name: 'a', nope: 1 },
    spec: { owner: 'alice', x: 1, size: null, region: null, template: { metadata: { name: 'p', nope: 1 } } },
  });
  t.deepEqual(unknown, ['metadata.nope', 'spec.x', 'spec.template.metadata.nope']);
  t.deepEqual(object, {
    metadata: { name: 'a' },
    spec: { owner: 'alice', size: null, template: { metadata: { name: 'p' } } },
  });
  t.is((rules.defaults(object).spec as Fields).size, 'small');
  t.is(rules.patchShape, undefined);
  t.throws(() => rules.decode({ metadata: { labels: { a: 1 } } }), {
    message: 'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  });
});

test('a faulty custom resource is told everything, and that its rules were not run', async (t) => {
  const rules = await scheme.load(workspace!);
  const faults = (spec: Fields, name = 'a'): readonly string[] =>
    rules.validate({ metadata: { name }, spec }).map(messageOf);
  t.deepEqual(faults({ owner: 'alice', size: 'tiny', minReplicas: 5, replicas: 1 }), [
    'spec.size: Unsupported value: "tiny": supported values: "small", "large"',
    unchecked,
  ]);
  t.deepEqual(faults({ owner: 'alice', minReplicas: 5, replicas: 1 }), [
    'spec: Invalid value: "object": minReplicas must not exceed replicas',
  ]);
  t.deepEqual(faults({ owner: 'alice', zones: ['x', 'x'], template: { kind: 'Pod' } }), [
    'spec.template.apiVersion: Required value',
    'spec.zones[1]: Duplicate value: "x"',
    unchecked,
  ]);
  t.deepEqual(faults({ owner: 'alice' }, 'A'), [
    "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ]);
  t.deepEqual(rules.validate({ metadata: { name: 'a' }, status: { count: -1 } }, undefined, 'status').map(messageOf), [
    '.status.count: Invalid value: -1: should be a non-negative integer',
  ]);
});

test('definitions with rules that do not compile are refused', async (t) => {
  const rules = await scheme.load(builtinResources.find(({ kind }) => kind === 'CustomResourceDefinition')!);
  t.deepEqual(rules.validate(crd).map(messageOf), []);
  const bad = structuredClone(crd) as Fields & { spec: { versions: { schema: { openAPIV3Schema: Fields } }[] } };
  bad.spec.versions[0]!.schema.openAPIV3Schema['x-kubernetes-validations'] = [{ rule: 'self.kind' }];
  t.regex(rules.validate(bad).map(messageOf).join(), /cel expression must evaluate to a bool|undefined field/);
});

test('an OpenAPI document says how each kind is patched and of what it consists', async (t) => {
  const sources = { types: await scheme.types(), texts: upstreamTexts(), version: 'v1.34.1' };
  const custom = openApiDocument([workspace!], sources) as {
    paths: Record<string, { patch: Fields }>;
    components: { schemas: Record<string, Fields> };
  };
  const patch = custom.paths['/apis/example.com/v1/namespaces/{namespace}/workspaces/{name}']!.patch;
  t.deepEqual(patch['x-kubernetes-group-version-kind'], { group: 'example.com', version: 'v1', kind: 'Workspace' });
  t.deepEqual(
    (patch.parameters as { name: string }[]).map(({ name }) => name),
    ['dryRun', 'fieldManager', 'fieldValidation', 'force'],
  );
  t.like(custom.components.schemas['com.example.v1.Workspace'], { type: 'object', required: ['spec'] });
  const apps = openApiDocument(
    builtinResources.filter(({ group }) => group === 'apps'),
    sources,
  ) as typeof custom;
  t.like(apps.components.schemas['io.k8s.api.core.v1.PodSpec'], {
    required: ['containers'],
    properties: {
      containers: {
        'x-kubernetes-patch-merge-key': 'name',
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-list-type': 'map',
      },
    },
  });
  const text = JSON.stringify(apps);
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    t.true(name! in apps.components.schemas || /\.(Scale|Eviction)/.test(name!), `${name} is referred to`);
  }
});

test('the index leads to each document by its hash', (t) => {
  t.deepEqual(
    openApiIndex(['apis/apps/v1', 'api/v1', 'api/v1'], (root) => `${root.length}`),
    {
      paths: {
        'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=6' },
        'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=12' },
      },
    },
  );
});
