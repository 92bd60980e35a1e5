import { definition, definitions, dry, field, list, values } from '../machinery/definitions.ts';
import type { Scenario, Step } from '../runner/scenario.ts';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

const schemas: Readonly<Record<string, readonly object[]>> = {
  'types that are not structural': [
    field({ type: ['string'] }),
    field({ type: 'null' }),
    field({ type: 'string', items: text }),
    field({ type: 'array', items: [text] }),
    field({ type: 'object', additionalProperties: false }),
    field({ type: 'object', additionalProperties: true, properties: { a: text } }),
    field({ type: 'object', patternProperties: { '^a': text } }),
    field({ type: 'array', items: {} }),
    field({ type: 'array', items: text, additionalItems: true }),
    field({ definitions: { a: text }, type: 'string' }),
    field({ type: 'object', dependencies: { a: ['b'] } }),
    field({ type: 'string', id: 'x', $schema: 'y', externalDocs: { url: 'x' }, example: 'z', title: 't' }),
    definition({ additionalProperties: text }),
    definition({
      properties: { metadata: object({ name: { type: 'string', pattern: 'a' }, labels: { type: 'object' } }) },
    }),
    definition({ properties: { apiVersion: { type: 'integer' }, kind: { type: 'object' } } }),
    definition({ 'x-kubernetes-embedded-resource': true }),
    definition({ default: {} }),
  ],
  'logic that is not structural': [
    field({ type: 'string', allOf: [{ type: 'string' }] }),
    field({ type: 'string', oneOf: [{ default: 'x' }] }),
    field({ type: 'string', not: { nullable: true, description: 'x' } }),
    field({ type: 'object', anyOf: [{ properties: { a: { pattern: 'x' } } }] }),
    field({ type: 'object', anyOf: [{ additionalProperties: { type: 'string' } }] }),
    field({
      type: 'object',
      properties: { a: text },
      anyOf: [{ required: ['a'] }, { properties: { b: { minLength: 1 } } }],
    }),
    field({ 'x-kubernetes-int-or-string': true }),
    field({ 'x-kubernetes-int-or-string': true, type: 'string' }),
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }] }),
    field({ 'x-kubernetes-preserve-unknown-fields': false, type: 'object' }),
    field({ 'x-kubernetes-preserve-unknown-fields': true }),
    field({ 'x-kubernetes-preserve-unknown-fields': true, type: 'string' }),
    field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
    field({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { metadata: { type: 'string' } },
    }),
    field({ type: 'object', 'x-kubernetes-map-type': 'bag' }),
    field({ type: 'string', 'x-kubernetes-map-type': 'atomic' }),
    field({ type: 'object', 'x-kubernetes-map-type': 'granular', additionalProperties: text }),
  ],
  'lists that are not structural': [
    list({ 'x-kubernetes-list-type': 'set', items: object({ a: text }) }),
    list({ 'x-kubernetes-list-type': 'set', items: { type: 'array', items: text } }),
    list({ 'x-kubernetes-list-type': 'map' }),
    list({ 'x-kubernetes-list-type': 'map', items: object({ a: text }) }),
    list({ 'x-kubernetes-list-type': 'map', items: object({ a: text }), 'x-kubernetes-list-map-keys': ['a'] }),
    list({ 'x-kubernetes-list-type': 'map', items: object({ a: text }), 'x-kubernetes-list-map-keys': ['b'] }),
    list({
      'x-kubernetes-list-type': 'map',
      items: object({ a: object({}) }, { required: ['a'] }),
      'x-kubernetes-list-map-keys': ['a'],
    }),
    list({
      'x-kubernetes-list-type': 'map',
      items: object({ a: { ...text, default: 'x' } }),
      'x-kubernetes-list-map-keys': ['a'],
    }),
    list({
      'x-kubernetes-list-type': 'map',
      items: object({ a: { ...text, nullable: true } }, { required: ['a'] }),
      'x-kubernetes-list-map-keys': ['a'],
    }),
    list({ 'x-kubernetes-list-type': 'map', items: text, 'x-kubernetes-list-map-keys': ['a'] }),
    list({ 'x-kubernetes-list-type': 'atomic', items: object({}, { nullable: true }) }),
    list({ 'x-kubernetes-list-type': 'set', nullable: true, items: { ...text, nullable: true } }),
    field({ type: 'object', 'x-kubernetes-list-type': 'atomic' }),
  ],
  defaults: [
    field({ type: 'string', default: null }),
    field({ type: 'string', nullable: true, default: null }),
    field({ type: 'integer', default: 1.5 }),
    field({ type: 'integer', minimum: 5, default: 1 }),
    field({ type: 'string', enum: ['a'], default: 'b' }),
    field({ type: 'array', items: text, default: [1] }),
    field({ ...object({ a: text }), default: { a: 'x', b: 'y' } }),
    field({ ...object({ a: text }, { required: ['a'] }), default: {} }),
    field({ ...object({ a: { ...text, default: 'x' } }, { required: ['a'] }), default: {} }),
    field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: { b: 1 } }),
    field({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { a: 1 },
    }),
    field({ type: 'object', additionalProperties: { type: 'string', default: 'x' } }),
    definition({ properties: { status: { type: 'object', default: { a: 1 } } } }),
    definition({ properties: { metadata: { type: 'object', default: { labels: {} } } } }),
  ],
  'what values may be': [
    field({ type: 'string', pattern: '(?<name>a)' }),
    field({ type: 'string', pattern: '^(?=a)' }),
    field({ type: 'string', pattern: '\\d+(' }),
    field({ type: 'string', minLength: -1, maxLength: -5 }),
    field({ type: 'string', minLength: 5, maxLength: 1 }),
    field({ type: 'integer', minimum: 5, maximum: 1 }),
    field({ type: 'integer', multipleOf: 0 }),
    field({ type: 'number', exclusiveMinimum: true }),
    field({ type: 'string', enum: [] }),
    field({ type: 'string', enum: ['a', 'a'] }),
    field({ type: 'string', enum: [1] }),
    field({ type: 'string', format: 'unknown-format' }),
    field({ type: 'integer', format: 'date' }),
    field({ type: 'object', required: ['nope'] }),
    field({ type: 'object', required: ['a', 'a'], properties: { a: text } }),
    field({ type: 'array', items: text, minItems: -1, maxItems: -2 }),
    field({ type: 'object', maxProperties: -1, minProperties: -1 }),
  ],
};

const cases: Readonly<Record<string, readonly [object, readonly unknown[]]>> = {
  'any of': [{ type: 'string', anyOf: [{ minLength: 3 }, { pattern: '^a' }] }, ['a', 'bbb', 'b', '']],
  'one of': [{ type: 'integer', oneOf: [{ minimum: 5 }, { multipleOf: 2 }] }, [1, 2, 5, 6]],
  'all of': [{ type: 'string', allOf: [{ minLength: 3 }, { pattern: '^a' }] }, ['abc', 'b', 'ab', 'bcd']],
  not: [{ type: 'string', not: { enum: ['a'] } }, ['a', 'b']],
  'objects by logic': [
    { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    [{}, { a: 'x' }, { b: 'x' }, { a: 'x', b: 'x' }],
  ],
  'numbers of all kinds': [
    { type: 'number', multipleOf: 0.1, maximum: 10, exclusiveMaximum: true },
    [0.1, 0.25, 10, 9.9, '1', 1e300],
  ],
  'large integers': [{ type: 'integer' }, [9007199254740991, -9007199254740991, 1e15, 1e19, 1.0, 0.1]],
  'small integers': [{ type: 'integer', format: 'int32' }, [2147483647, 2147483648, -2147483649]],
  'integers or texts': [
    { 'x-kubernetes-int-or-string': true, pattern: '^\\d+%$', maximum: 5 },
    [1, 9, '10%', 'x', 1.5, true, {}],
  ],
  'unknown fields': [
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: object({ b: text }) } },
    [{ z: 1, a: { b: 'x', c: 1 } }, { a: 5 }],
  ],
  'embedded objects': [
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    [
      {},
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'BAD NAME', labels: { a: 5 } } },
      { apiVersion: 'v1', kind: 'Pod', metadata: 'x' },
      { apiVersion: 5, kind: '' },
      { apiVersion: 'a/b/c', kind: 'x y', metadata: { finalizers: ['bad'] } },
    ],
  ],
  sets: [{ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } }, [[1, 2], [1, 1, 1, 2, 2], []]],
  'lists in lists': [
    { type: 'array', items: { type: 'array', items: text, maxItems: 1 } },
    [[['a']], [['a', 'b'], [5]], ['a']],
  ],
  nulls: [
    {
      ...object({ a: text, b: { ...text, nullable: true }, c: { ...text, default: 'x' } }, { required: ['a'] }),
      nullable: true,
    },
    [null, { a: null }, { a: 'x', b: null, c: null }],
  ],
  'many errors': [
    { type: 'array', items: object({ a: { type: 'integer' } }, { required: ['b'] }) },
    [Array.from({ length: 40 }, () => ({ a: 'x' }))],
  ],
  'patterns of Go': [{ type: 'string', pattern: '^[[:alpha:]]+\\z' }, ['abc', 'ab1', 'é', 'a\n']],
  'maps of objects': [
    { type: 'object', additionalProperties: object({ a: text }, { required: ['a'] }) },
    [{ x: {} }, { 'a.b/c': { a: 5 } }, { x: null }],
  ],
};

const formats: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011', 'x'],
  uri: ['http://a/b', '/a', 'a', 'mailto:x@y', 'http://a b'],
  email: ['a@b', 'a@b.c', 'A <a@b.c>', 'a'],
  hostname: ['a', 'a.b', '-a', 'a_b', 'a.', '1.2.3.4', 'A.B'],
  ipv4: ['1.2.3.4', '01.2.3.4', '1.2.3', '::1'],
  ipv6: ['::1', '1.2.3.4', 'fe80::1%eth0', '::ffff:1.2.3.4'],
  cidr: ['10.0.0.0/8', '10.0.0.0', '::/0', '10.0.0.0/40'],
  mac: ['00:00:5e:00:53:01', '00-00-5e-00-53-01', '0000.5e00.5301', 'x'],
  uuid: ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6ba7b8109dad11d180b400c04fd430c8', 'x'],
  uuid3: ['6fa459ea-ee8a-3ca4-894e-db77e160355e', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  uuid4: ['16fd2706-8baf-433b-82eb-8c7fada847da', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  uuid5: ['886313e1-3b8a-5372-9b90-0c9aee199e5d', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  isbn: ['0321751043', '978-0321751041', 'x'],
  isbn10: ['0321751043', '9780321751041'],
  isbn13: ['9780321751041', '0321751043'],
  creditcard: ['4111111111111111', '4111 1111 1111 1111', '1234'],
  ssn: ['111-11-1111', '111 11 1111', '11-1'],
  hexcolor: ['#fff', 'fff', '#ffffff', '#ggg', '#ff'],
  rgbcolor: ['rgb(1,2,3)', 'rgb(1, 2, 3)', 'rgb(300,0,0)', 'x'],
  byte: ['YWJj', 'YWJ', '', 'a b', 'YQ=='],
  password: ['x', ''],
  date: ['2020-01-02', '2020-1-2', '2020-02-30', '2020-01-02T00:00:00Z'],
  duration: ['1s', '1h30m', '1d', '5', '1 day', '-1s', 'P1D', '3 weeks'],
  datetime: ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05.123+01:00', '2020-01-02', '2020-01-02 03:04:05'],
  'date-time': ['2020-01-02T03:04:05Z', '2020-01-02T03:04:60Z', '2020-13-02T03:04:05Z', '2020-01-02T03:04:05'],
  'k8s-short-name': ['abc', 'Abc', 'a.b', 'x'.repeat(64)],
  'k8s-long-name': ['a.b.c', 'A', 'a_b'],
  int32: ['x'],
};

/** Unknown members of a custom resource beside those of its definition. */
const unknown: Scenario = {
  name: 'values: unknown fields, validated in three ways',
  apart: true,
  steps: [
    { path: definitions, body: field(object({ a: text })), silent: true },
    { path: '/apis/{ns}.example.com/v1/namespaces/{ns}/things', until: 200, silent: true },
    ...['Strict', 'Warn', 'Ignore', ''].flatMap((mode, index) =>
      [
        JSON.stringify({
          apiVersion: '{ns}.example.com/v1',
          kind: 'Thing',
          metadata: { name: `t${index}`, nope: 1 },
          spec: { x: { a: 'b', c: 'd' }, y: 1 },
          z: 1,
        }),
        `{"apiVersion":"{ns}.example.com/v1","kind":"Thing","metadata":{"name":"u${index}","name":"u${index}"},"spec":{"x":{"a":"1","a":"2"}}}`,
      ].map(
        (body): Step => ({ path: `/apis/{ns}.example.com/v1/namespaces/{ns}/things?fieldValidation=${mode}`, body }),
      ),
    ),
  ],
};

/** Schemas, valid and invalid, and values of every type. */
export const schemaScenarios: readonly Scenario[] = [
  ...Object.entries(schemas).map(([name, bodies]) => ({ ...dry(name, bodies), apart: true })),
  ...Object.entries(cases).map(([name, [x, given]]) => ({ ...values(name, x, given), apart: true })),
  ...Object.entries(formats).map(([format, given]) => ({
    ...values(`of format ${format}`, { type: 'string', format }, given),
    apart: true,
  })),
  unknown,
];
