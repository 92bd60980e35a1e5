import test from 'ava';
import { type FieldError, messageOf } from '../../../cluster/apimachinery/field-error.ts';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { groupVersionOf } from '../../../cluster/apimachinery/resource-info.ts';
import { ruleProblems } from '../../../cluster/crd/check-validation-rules.ts';
import { compareVersions, defaultCrd, resourceInfosOf, storageVersionHashOf } from '../../../cluster/crd/definition.ts';
import { validateCrd } from '../../../cluster/crd/definition-validation.ts';

const base = (schema: Fields, more: Fields = {}): Fields => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'things', kind: 'Thing', shortNames: ['th'] },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
  },
});
const withSpec = (properties: Fields): Fields =>
  base({ type: 'object', properties: { spec: { type: 'object', properties } } });
const faults = (crd: Fields, old?: Fields): readonly string[] =>
  [...(validateCrd(defaultCrd(crd), old && defaultCrd(old)) as Iterable<FieldError>)].map(messageOf);
const at = 'spec.validation.openAPIV3Schema.properties[spec]';

test('singular, list kind and conversion are filled in, given ones stay', (t) => {
  t.like(defaultCrd(base({ type: 'object' })), {
    spec: {
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      conversion: { strategy: 'None' },
    },
  });
});

test('each served version is a resource, the most stable first', (t) => {
  const crd = base({ type: 'object' });
  const spec = crd.spec as { versions: Fields[] };
  const version = (name: string, more: Fields = {}): Fields => ({ ...spec.versions[0], name, storage: false, ...more });
  spec.versions.unshift(
    version('v1beta1', { deprecated: true, subresources: { status: {} } }),
    version('v2alpha1', { served: false }),
  );
  const [stable, beta, ...others] = resourceInfosOf(defaultCrd(crd));
  t.is(others.length, 0);
  t.is(groupVersionOf(stable!), 'example.com/v1');
  t.like(beta, { hasStatus: true, namespaced: true, listKind: 'ThingList', custom: { storageVersion: 'v1' } });
  t.is(beta?.custom?.deprecationWarning, 'example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing');
  t.deepEqual(
    stable?.custom?.columns.map(({ name }) => name),
    ['Age'],
  );
  t.is(stable?.storageVersionHash, storageVersionHashOf('example.com', 'v1', 'Thing'));
});

test('versions are ranked as Kubernetes ranks them', (t) => {
  const ranked = ['foo', 'v1alpha1', 'v1', 'v10', 'v2beta1', 'v1beta2', 'bar', 'v2'].sort(compareVersions);
  t.deepEqual(ranked, ['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v1alpha1', 'bar', 'foo']);
});

const refused: readonly (readonly [string, Fields, readonly string[]])[] = [
  ['a good one passes', withSpec({ a: { type: 'string' } }), []],
  [
    'a root that is not an object',
    base({ type: 'string' }),
    ['spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root'],
  ],
  [
    'a property without type',
    base({ type: 'object', properties: { spec: { properties: { a: { type: 'string' } } } } }),
    [`${at}.type: Required value: must not be empty for specified object fields`],
  ],
  [
    'a list without items',
    withSpec({ a: { type: 'array' } }),
    [`${at}.properties[a].items: Required value: must be specified`],
  ],
  [
    'types inside anyOf',
    base({ type: 'object', properties: { spec: { type: 'object', anyOf: [{ type: 'object' }, { type: 'string' }] } } }),
    [
      `${at}.anyOf[0].type: Forbidden: must be empty to be structural`,
      `${at}.anyOf[1].type: Forbidden: must be empty to be structural`,
    ],
  ],
  [
    'properties beside additionalProperties',
    base({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
      },
    }),
    [`${at}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
  ],
  [
    'a default of the wrong type',
    withSpec({ a: { type: 'integer', default: 'x' } }),
    [`${at}.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"`],
  ],
  [
    'a map list without keys',
    withSpec({ l: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } } }),
    [
      `${at}.properties[l].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
    ],
  ],
  [
    'a selectable field that leads nowhere',
    base({ type: 'object' }, { selectableFields: [{ jsonPath: '.spec.nope' }] }),
    [
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.nope": is an invalid path: does not refer to a valid field',
    ],
  ],
  [
    'another name',
    { ...withSpec({}), metadata: { name: 'other.example.com' } },
    ['metadata.name: Invalid value: "other.example.com": must be spec.names.plural+"."+spec.group'],
  ],
];

for (const [what, crd, expected] of refused) test(`definitions: ${what}`, (t) => t.deepEqual(faults(crd), expected));

test('names and scope cannot be changed, a stored version cannot go', (t) => {
  const old = withSpec({});
  const established = {
    ...old,
    status: { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] },
  };
  const changed = { ...established, spec: { ...(old.spec as Fields), scope: 'Cluster' } };
  t.deepEqual(faults(changed, established), ['spec.scope: Invalid value: "Cluster": field is immutable']);
  const renamed = structuredClone(established) as unknown as Fields & { spec: { versions: { name: string }[] } };
  renamed.spec.versions[0]!.name = 'v2';
  t.regex(
    faults(renamed, established).join(),
    /^status\.storedVersions\[0\]: Invalid value: "v1": missing from spec\.versions;/,
  );
});

const ruled = (rule: string): readonly string[] =>
  [
    ...ruleProblems(
      base({
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': [{ rule }] },
        },
      }),
    ),
  ].map(({ detail }) => detail ?? '');

test('rules that do not compile are refused where they stand', (t) => {
  t.deepEqual(ruled("self.a == 'x'"), []);
  t.deepEqual(ruled('self.nope > 1'), [
    "compilation failed: ERROR: <input>:1:5: undefined field 'nope'\n | self.nope > 1\n | ....^",
  ]);
  t.deepEqual(ruled('self.a'), ['cel expression must evaluate to a bool']);
  t.regex(ruled('self.a ==')[0]!, /^compilation failed: ERROR: <input>:1:10: Syntax error: mismatched input '<EOF>'/);
  for (const rule of ['self.a = 42', 'self.a ? 1', '"x', '# nothing'])
    t.regex(ruled(rule)[0] ?? '', /Syntax error/, rule);
});
