/** Scenarios of CustomResourceDefinitions. */

import type { Scenario, Step } from '../runner/scenario.ts';

/** Path of definitions. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition of one version. */
export const definition = (schema: object, version: object = {}, spec: object = {}) => ({
  metadata: { name: 'things.{ns}.example.com' },
  spec: {
    group: '{ns}.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', ...schema } },
        ...version,
      },
    ],
    ...spec,
  },
});

/** Dry runs of definitions. */
export const dry = (name: string, bodies: readonly object[]): Scenario => ({
  name: `definitions: ${name}`,
  steps: bodies.map((body): Step => ({ path: `${definitions}?dryRun=All`, body })),
});

/** A definition of one field, `spec.x`. */
export const field = (x: object) => definition({ properties: { spec: { type: 'object', properties: { x } } } });
const rule = (one: object) =>
  definition({
    properties: {
      spec: {
        type: 'object',
        properties: { a: { type: 'integer' }, m: { type: 'object', additionalProperties: { type: 'string' } } },
        'x-kubernetes-validations': [one],
      },
    },
  });
const keyed = { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] };
/** A definition of one list. */
export const list = (more: object) => field({ type: 'array', items: { type: 'string' }, ...more });

const things = '/apis/{ns}.example.com/v1/namespaces/{ns}/things';

/** Values of one field, each in an object of its own. */
export const values = (name: string, x: object, given: readonly unknown[]): Scenario => ({
  name: `values: ${name}`,
  steps: [
    { path: definitions, body: field(x), silent: true },
    { path: things, until: 200, silent: true },
    ...given.map(
      (value, index): Step => ({
        path: things,
        body: { apiVersion: '{ns}.example.com/v1', kind: 'Thing', metadata: { name: `t${index}` }, spec: { x: value } },
      }),
    ),
  ],
});

/** Definitions and their objects, valid and invalid, with equal answers. */
export const definitionScenarios: readonly Scenario[] = [
  dry('schemas', [
    definition({ type: 'string' }),
    field({}),
    field({ type: 'array' }),
    field({ type: 'string', default: 5 }),
    field({ type: 'object', default: { a: 1 } }),
    field({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }),
    field({ type: 'foo' }),
    field({ $ref: '#/x' }),
    field({ type: 'string', pattern: '[' }),
    list({ uniqueItems: true }),
    list({ 'x-kubernetes-list-type': 'bag' }),
    list({ 'x-kubernetes-list-map-keys': ['k'] }),
    list({ items: keyed, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'k'] }),
    field({ type: 'string', 'x-kubernetes-embedded-resource': true }),
    field({ type: 'string', anyOf: [{ type: 'string' }] }),
    definition({ properties: { metadata: { type: 'object', required: ['labels'] } } }),
    definition({ properties: { kind: { type: 'string', default: 'x' } } }),
    definition({ nullable: true }),
  ]),
  dry('versions and columns', [
    definition({}, { deprecationWarning: 'x' }),
    definition({}, { deprecated: true, deprecationWarning: '' }),
    definition({}, { storage: false }),
    definition({}, { subresources: { scale: {} } }),
    definition({}, { additionalPrinterColumns: [{ name: '', type: 'bogus', jsonPath: 'a' }] }),
    definition({}, { additionalPrinterColumns: [{ name: 'a', type: 'integer', format: 'int9', jsonPath: '.a' }] }),
    definition({}, { selectableFields: [{ jsonPath: 'spec.x' }, { jsonPath: '' }] }),
    definition({}, {}, { scope: 'Other' }),
    definition({}, {}, { group: 'nodots' }),
    definition({}, {}, { names: { plural: 'things', kind: 'Thing', shortNames: ['', 'T h'] } }),
    definition({}, {}, { conversion: { strategy: 'Webhook' } }),
  ]),
  dry('rules', [
    rule({ rule: '' }),
    rule({ rule: 'self.nope > 1' }),
    rule({ rule: 'self.a' }),
    rule({ rule: 'self.a > "x"' }),
    rule({ rule: 'foo(self)' }),
    rule({ rule: 'true', reason: 'Bogus' }),
    rule({ rule: 'true', fieldPath: '.nope' }),
    rule({ rule: 'true', fieldPath: '.m.x' }),
    rule({ rule: 'true', messageExpression: '1' }),
    rule({ rule: 'self.a == 1', optionalOldSelf: true }),
  ]),
  values('texts', { type: 'string', minLength: 2, maxLength: 3, pattern: '^a' }, ['ab', 'a', 'b', 'abcd', 5, null, {}]),
  values('numbers', { type: 'integer', format: 'int32', minimum: 1, exclusiveMinimum: true }, [
    1,
    2,
    2.5,
    -5,
    '3',
    1e2,
  ]),
  values('choices', { type: 'string', nullable: true, enum: ['a'] }, ['a', 'c', null, '']),
  values('lists', { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } }, [
    [1],
    [],
    [1, 2, 3],
    ['a'],
    {},
  ]),
  values('maps', { type: 'object', minProperties: 1, additionalProperties: { type: 'integer' } }, [
    {},
    { a: null },
    { a: 'x' },
  ]),
  values(
    'list maps',
    { type: 'array', items: keyed, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    [[{ k: 'a' }, { k: 'a' }, { k: 'a' }], [{}]],
  ),
  ...['hostname', 'byte', 'date-time', 'datetime', 'uuid', 'ipv4', 'uri', 'email'].map((format) =>
    values(format, { type: 'string', format }, [
      '2020-01-02',
      '2020-01-02T03:04:05Z',
      '1.2.3.4',
      'a@b.c',
      'http://a.b/c',
      'x',
      '',
      'YWJj',
      'a.b-c',
    ]),
  ),
];
