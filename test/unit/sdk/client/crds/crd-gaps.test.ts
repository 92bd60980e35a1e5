import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import type { CustomResourceDefinition } from '../../../../../sdk/api/kind.ts';
import { Workspace } from '../../../../../sdk/api/workspace.ts';
import { schemaGaps, statusGaps } from '../../../../../sdk/client/crds/crd-gaps.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

for (const [what, written, served, gaps] of [
  ['the same', object({ a: text }), object({ a: text }), []],
  ['more fields and no bounds', object({ a: { ...text, maxLength: 3 } }), object({ a: text, b: text }), []],
  [
    'a field less',
    object({ a: text, b: object({ c: text }) }),
    object({ b: object({}) }),
    ['s.a is dropped', 's.b.c is dropped'],
  ],
  [
    'unknown fields kept',
    object({ a: object({ b: text }) }),
    object({}, { 'x-kubernetes-preserve-unknown-fields': true }),
    [],
  ],
  ['a map of anything', object({ a: text }), { type: 'object', additionalProperties: true }, []],
  [
    'maps and lists',
    object({
      m: { type: 'object', additionalProperties: object({ a: text }) },
      l: { type: 'array', items: object({ b: text }) },
    }),
    object({ m: { type: 'object', additionalProperties: object({}) }, l: { type: 'array', items: object({}) } }),
    ['s.m.*.a is dropped', 's.l.*.b is dropped'],
  ],
  ['another type', { type: 'integer' }, text, ['s is refused by type "string"']],
  [
    'tighter bounds',
    { ...text, maxLength: 5 },
    { ...text, maxLength: 4, minLength: 1 },
    ['s is refused by maxLength 4', 's is refused by minLength 1'],
  ],
  ['wider bounds', { ...text, maxLength: 5, minLength: 1 }, { ...text, maxLength: 6, minLength: 0 }, []],
  [
    'an enum with one value less',
    { ...text, enum: ['a', 'b'] },
    { ...text, enum: ['a'] },
    ['s is refused when it is "b"'],
  ],
  ['an enum where any text was good', text, { ...text, enum: ['a'] }, ['s is refused unless it is one of an enum']],
  ['a required field more', object({ a: text }), object({ a: text }, { required: ['a'] }), ['s is refused without a']],
  ['null', { ...text, nullable: true }, text, ['s is refused when it is null']],
  [
    'a rule more',
    text,
    { ...text, 'x-kubernetes-validations': [{ rule: 'self == "a"' }] },
    ['s has a rule that this release does not know'],
  ],
  [
    'named members alone',
    object({}, { 'x-kubernetes-preserve-unknown-fields': true }),
    object({}),
    ['s: members that the schema does not name are dropped'],
  ],
] as const)
  test(`what a server does not keep: ${what}`, (t) => t.deepEqual(schemaGaps(written, served, 's'), gaps));

test('keywords that differ without refusing anything are not gaps', (t) => {
  t.deepEqual(schemaGaps({ type: 'integer' }, { type: 'number' }, 's'), []);
  const items = { type: 'array', items: text };
  t.deepEqual(schemaGaps(items, { ...items, 'x-kubernetes-list-type': 'atomic' }, 's'), []);
  t.deepEqual(schemaGaps(items, { ...items, 'x-kubernetes-list-type': 'set' }, 's'), [
    's is refused by x-kubernetes-list-type "set"',
  ]);
});

const current = async () => (await Workspace.crd?.())!.spec.versions[0]!;

test('a version that is not served, or has no status subresource, keeps no status', async (t) => {
  const ours = await current();
  t.deepEqual(statusGaps(ours, undefined), ['version v1alpha1 is not served']);
  const { subresources: _, ...bare } = ours;
  t.deepEqual(statusGaps(ours, bare), ['the subresource status is not served']);
  t.deepEqual(statusGaps(ours, { ...ours, schema: { openAPIV3Schema: { type: 'object' } } }), ['status is dropped']);
});

test('a definition that has no place for the format of a journal entry is reported', async (t) => {
  const ours = await current();
  const older = JSON.parse(JSON.stringify(ours), (name, value) => {
    if (name !== 'properties' || value.holder === undefined) return value;
    const { format: _, ...others } = value;
    return others;
  }) as typeof ours;
  t.deepEqual(statusGaps(ours, older), ['status.guards.*.format is dropped']);
  t.deepEqual(statusGaps(older, ours), [], 'and the older release can continue with the newer definition');
});

const folder = join(import.meta.dirname, '../../../../system/upgrade/releases');
for (const file of globSync('*.yaml', { cwd: folder }))
  test(`every status of release ${file} is kept by the definition of this one`, async (t) => {
    const earlier = parse(readFileSync(join(folder, file), 'utf8')) as CustomResourceDefinition;
    t.deepEqual(statusGaps(earlier.spec.versions[0]!, await current()), []);
  });
