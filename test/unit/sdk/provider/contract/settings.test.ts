import test from 'ava';
import * as z from 'zod';
import type { Workspace } from '../../../../../sdk/api/workspace.ts';
import { mistakeInSettingsSchema, readSettings } from '../../../../../sdk/provider/contract/settings.ts';

const schema = z.strictObject({
  host: z.string().max(253),
  interval: z.int().min(10).default(60),
  alerts: z
    .array(z.strictObject({ mail: z.email() }))
    .max(8)
    .default([]),
  limits: z.record(z.string(), z.strictObject({ perMinute: z.int() })).optional(),
  target: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('http'), path: z.string() }),
      z.strictObject({ kind: z.literal('tcp'), port: z.int() }),
    ])
    .optional(),
});
const workspace = (integrations: object | undefined, outputs = {}): Workspace =>
  ({ spec: { integrations }, status: { outputs } }) as unknown as Workspace;
const read = (written: unknown, settings: z.ZodType = schema) =>
  readSettings({ name: 'acme', settings }, workspace({ acme: written }));

test('valid settings are parsed, with the defaults of the schema', (t) => {
  t.deepEqual(read({ host: 'a.example' }), { settings: { host: 'a.example', interval: 60, alerts: [] } });
  t.deepEqual(readSettings({ name: 'acme' }, workspace({ acme: { any: 1 } })), { settings: undefined });
});

test('a misspelt field is reported first, by its path, with the one that was meant', (t) => {
  for (const [written, mistake] of [
    [
      { hosst: 'a' },
      'spec.integrations.acme.hosst: there is no such field; did you mean host?; spec.integrations.acme.host: Invalid input: expected string, received undefined',
    ],
    [
      { host: 'a', alerts: [{ mail: 'a@b.example' }, { mail: 'a@b.example', maill: 1 }] },
      'spec.integrations.acme.alerts[1].maill: there is no such field; did you mean mail?',
    ],
    [
      { host: 'a', limits: { eu: { perMinute: 1, perminut: 1 } } },
      'spec.integrations.acme.limits.eu.perminut: there is no such field; did you mean perMinute?',
    ],
    [
      { host: 'a', target: { kind: 'tcp', port: 1, prot: 1 } },
      'spec.integrations.acme.target.prot: there is no such field; did you mean port?',
    ],
    [
      { host: 'a', frequency: 1 },
      'spec.integrations.acme.frequency: there is no such field; known are host, interval, alerts, limits, target',
    ],
  ] as const)
    t.like(read(written), { mistake });
});

test('any other mistake is reported by its path, and so is what is missing altogether', (t) => {
  t.deepEqual(read({ host: 'a', interval: 1 }), {
    mistake: 'spec.integrations.acme.interval: Too small: expected number to be >=10',
    fields: [{ field: 'spec.integrations.acme.interval', message: 'Too small: expected number to be >=10' }],
  });
  const missing = { mistake: 'spec.integrations.acme: Invalid input: expected object, received undefined' };
  t.like(readSettings({ name: 'acme', settings: schema }, workspace(undefined)), missing);
  t.like(readSettings({ name: 'constructor', settings: schema }, workspace({})), {
    mistake: missing.mistake.replace('acme', 'constructor'),
  });
  const either = z.union([z.strictObject({ a: z.string(), b: z.string() }), z.strictObject({ c: z.string() })]);
  t.like(read({ c: 1 }, either), {
    mistake: 'spec.integrations.acme.c: Invalid input: expected string, received number',
  });
});

test('what tenants write has no influence on the length of the mistake', (t) => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}${'y'.repeat(300)}`, 1]));
  for (const written of [
    many,
    { host: 'a', alerts: Array.from({ length: 100_000 }, () => 1) },
    'x'.repeat(1_000_000),
  ]) {
    const reading = read(written);
    t.true('mistake' in reading && reading.mistake.length <= 1000);
  }
});

test('a schema that throws, or does not answer at once, is a mistake of its own', (t) => {
  const throwing = z.strictObject({ a: z.string().transform(() => JSON.parse('{')) });
  t.regex(JSON.stringify(read({ a: 'b' }, throwing)), /mistake":"spec\.integrations\.acme: .*JSON/);
  const slow = z.strictObject({ a: z.string().refine(async () => true) });
  t.regex(JSON.stringify(read({ a: 'b' }, slow)), /mistake":"spec\.integrations\.acme: Encountered Promise/);
});

test('a schema that calls itself is read, and its fields are known at any depth', (t) => {
  const tree = z.strictObject({
    name: z.string(),
    get children() {
      return z.array(tree).optional();
    },
  });
  t.is(mistakeInSettingsSchema(tree), undefined);
  t.like(read({ name: 'a', children: [{ name: 'b', childern: [] }] }, tree), {
    mistake: 'spec.integrations.acme.children[0].childern: there is no such field; did you mean children?',
  });
});

test('outputs are put in before, where the integration has references', (t) => {
  const settings = z.strictObject({ url: z.url() });
  const references = () => [];
  const written = { acme: { url: 'https://${outputs::Ingress.host}/' } };
  const outputs = { Ingress: { values: { host: 'a.example' } } };
  t.deepEqual(readSettings({ name: 'acme', settings, references }, workspace(written, outputs)), {
    settings: { url: 'https://a.example/' },
  });
  t.like(readSettings({ name: 'acme', settings, references }, workspace(written)), {
    mistake: 'spec.integrations.acme: ${outputs::Ingress.host} is not there yet',
  });
});

test('a schema that would drop misspelt members is refused, wherever it does', (t) => {
  const advice = 'drops misspelt members: z.strictObject({ … }) tells them, and z.looseObject({ … }) keeps them';
  for (const [loose, path] of [
    [z.object({ a: z.string() }), 'settings'],
    [z.strictObject({ a: z.object({}) }), 'settings.a'],
    [z.strictObject({ a: z.array(z.object({ b: z.string() })) }), 'settings.a[]'],
    [z.strictObject({ a: z.record(z.string(), z.object({ b: z.string() })) }), 'settings.a.*'],
    [z.strictObject({ a: z.union([z.string(), z.object({ b: z.string() })]) }), 'settings.a'],
  ] as const)
    t.is(mistakeInSettingsSchema(loose), `${path} ${advice}`);
  for (const right of [
    schema,
    z.strictObject({}),
    z.looseObject({ a: z.string() }),
    z.strictObject({}).optional(),
    z.json(),
  ])
    t.is(mistakeInSettingsSchema(right), undefined);
  t.is(mistakeInSettingsSchema({ host: 'string' }), 'must be a schema of zod 4; found {"host":"string"}');
});
