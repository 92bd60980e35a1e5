import test from 'ava';
import * as z from 'zod';
import { apiVersionOf, defineKind, parseApiVersion, resourceOf } from '../../../../sdk/api/kind.ts';
import { Pod } from '../../../../sdk/api/kinds.ts';

const Website = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  shortNames: ['web'],
  columns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
  schema: () =>
    z.object({
      spec: z.object({
        host: z
          .string()
          .min(1)
          .meta({ 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'host is immutable' }] }),
        replicas: z.int().min(0).default(1),
        tags: z.record(z.string(), z.string()).optional(),
        extra: z.looseObject({}).optional(),
        ports: z
          .array(z.object({ port: z.int() }))
          .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port'] })
          .optional(),
      }),
      status: z.object({ phase: z.string() }).optional(),
    }),
});

test('a kind is plain data; its schema is not loaded before its CRD is asked for', async (t) => {
  let loaded = 0;
  const kind = defineKind({
    group: 'example.com',
    version: 'v1',
    kind: 'Thing',
    schema: () => {
      loaded += 1;
      return z.object({ spec: z.object({}) });
    },
  });
  t.is(kind.plural, 'things');
  t.is(loaded, 0);
  const crd = await kind.crd?.();
  t.is(loaded, 1);
  t.is(crd?.spec.versions[0]?.subresources, undefined, 'no status in the schema, no status subresource');
});

test('a zod schema becomes a structural one: bounds, defaults, CEL rules, list-map keys, open and closed objects', async (t) => {
  const version = (await Website.crd?.())?.spec.versions[0];
  t.deepEqual(version?.subresources, { status: {} });
  t.deepEqual(version?.additionalPrinterColumns, [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }]);
  t.deepEqual(version?.schema?.openAPIV3Schema, {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['host'],
        properties: {
          host: {
            type: 'string',
            minLength: 1,
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'host is immutable' }],
          },
          replicas: { type: 'integer', minimum: 0, default: 1 },
          tags: { type: 'object', additionalProperties: { type: 'string' } },
          extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          ports: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['port'],
            items: { type: 'object', required: ['port'], properties: { port: { type: 'integer' } } },
          },
        },
      },
      status: { type: 'object', required: ['phase'], properties: { phase: { type: 'string' } } },
    },
  });
});

test('kinds are addressed as people and URLs write them', (t) => {
  t.is(apiVersionOf(Website), 'example.com/v1');
  t.is(apiVersionOf(Pod), 'v1');
  t.is(resourceOf(Website), 'websites.example.com');
  t.is(resourceOf(Pod), 'pods');
});

test('an apiVersion names a group, or none for core, and a version', (t) => {
  t.deepEqual(parseApiVersion('apps/v1'), { group: 'apps', version: 'v1' });
  t.deepEqual(parseApiVersion('v1'), { group: '', version: 'v1' });
});
