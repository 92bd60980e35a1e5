import { Readable } from 'node:stream';
import test from 'ava';
import { parseManifests, readManifests } from '../../../../../sequencer/cli/args/manifests.ts';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n';

test('documents come in order with file and line; empty ones count for nothing', async (t) => {
  const all = await parseManifests(`# first\n${pod}---\n---\n# only a comment\n---\n${pod}`, 'x.yaml');
  t.deepEqual(
    all.map(({ where, object }) => [where, object.metadata.name]),
    [
      ['x.yaml:2', 'a'],
      ['x.yaml:9', 'a'],
    ],
  );
});

test('a List stands for its items', async (t) => {
  const list = JSON.stringify({
    kind: 'List',
    apiVersion: 'v1',
    items: [1, 2].map((n) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `p${n}` } })),
  });
  t.deepEqual(
    (await parseManifests(list, 'x.json')).map(({ object }) => object.metadata.name),
    ['p1', 'p2'],
  );
});

test('anchors and merges are resolved', async (t) => {
  const [one] = await parseManifests(`${pod}spec: { a: &x { b: 1 }, c: { <<: *x, d: 2 } }`, 'x.yaml');
  t.like(one!.object, { spec: { c: { b: 1, d: 2 } } });
});

test('YAML that does not parse is reported with file, line and column', async (t) => {
  await t.throwsAsync(parseManifests(`${pod}---\nspec:\n  a: [1, 2\n  b: 3\n`, 'dir/x.yaml'), {
    code: 'E#2003',
    message: /^dir\/x\.yaml:7:3: invalid YAML: /,
  });
});

for (const [what, text, message] of [
  ['an alias without an anchor', `${pod}spec: *lost\n`, /^x\.yaml:1: invalid YAML: Unresolved alias .*lost/],
  ['a merge of a number', `${pod}spec: { <<: 3 }\n`, /^x\.yaml:1: invalid YAML: Merge sources must be maps/],
] as const)
  test(`${what} is reported with file and line`, (t) =>
    t.throwsAsync(parseManifests(text, 'x.yaml'), { code: 'E#2003', message }));

const strange: readonly (readonly [text: string, message: string])[] = [
  ['- a\n- b\n', 'x.yaml:1: not a Kubernetes object, but a list'],
  ['just text\n', 'x.yaml:1: not a Kubernetes object, but string'],
  ['kind: Pod\n', 'x.yaml:1: apiVersion is missing'],
  ['\n\napiVersion: v1\n', 'x.yaml:3: kind is missing'],
  ['apiVersion: v1\nkind: Pod\n', 'x.yaml:1: metadata.name of this Pod is missing, or is not a string'],
  [
    'apiVersion: v1\nkind: Pod\nmetadata: { name: 7 }\n',
    'x.yaml:1: metadata.name of this Pod is missing, or is not a string',
  ],
  ['# nothing\n', 'x.yaml: there is no object in it'],
];
for (const [text, message] of strange)
  test(`${JSON.stringify(text)} is not an object`, (t) =>
    t.throwsAsync(parseManifests(text, 'x.yaml'), { code: 'E#2004', message }));

test('standard input is read where a - stands', async (t) => {
  const [one] = await readManifests(['-'], Readable.from([pod]));
  t.is(one!.where, 'standard input:1');
});

test('a file that cannot be read is named', (t) =>
  t.throwsAsync(readManifests(['/no/such/file.yaml'], Readable.from([])), {
    code: 'E#2002',
    message: /^cannot read \/no\/such\/file\.yaml: /,
  }));

/** YAML whose aliases stand for nine to the power of seven values. */
const laughs = [
  'a: &a [x]',
  ...[...'bcdefgh'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`),
].join('\n');

test('an alias that stands for nothing, or for too much, is reported with file and line', async (t) => {
  for (const [yaml, said] of [
    [`${pod}spec: { host: *.example.com }`, /^x\.yaml:1: invalid YAML: .*alias/],
    [`${pod}spec: { a: *b }`, /^x\.yaml:1: invalid YAML: .*alias/],
    [laughs, /^x\.yaml:1: invalid YAML: .*alias/],
  ] as const)
    await t.throwsAsync(parseManifests(yaml, 'x.yaml'), { code: 'E#2003', message: said }, yaml);
});
