import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test from 'ava';
import { proofsBelow } from '../../project/docs/proof.ts';

/** A model and its documented claims: its behaviour, and the weaknesses of the original that it rules out. */
interface Promised {
  /** Prefix of the numbers of its behaviours. */
  readonly row: string;
  readonly rows: number;
  /** Prefix of the numbers of weaknesses. */
  readonly weakness: string;
  readonly weaknesses: number;
  /** Page below docs/models. */
  readonly page: string;
}

const models: readonly Promised[] = [
  { row: 'OKT-', rows: 15, weakness: 'OKT-c', weaknesses: 11, page: 'okt.md' },
  { row: 'OK-', rows: 15, weakness: 'OK-c', weaknesses: 11, page: 'operatorkit.md' },
  { row: 'SDKX-', rows: 15, weakness: 'SDKX-c', weaknesses: 11, page: 'operator-sdk-extra.md' },
  { row: 'GRAF-T', rows: 23, weakness: 'GRAF-c', weaknesses: 20, page: 'grafana-app-sdk.md' },
];

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const rowsOf = ({ row, rows }: Promised) => numbers(rows).map((number) => `${row}${number}`);
const weaknessesOf = ({ weakness, weaknesses }: Promised) =>
  numbers(weaknesses).map((number) => `${weakness}${number}`);

const proofs = proofsBelow(import.meta.dirname, /(?:OKT|OK|SDKX|GRAF)-[Tc]?\d+/);
const proved = new Set(proofs.flatMap(({ ids }) => ids));

/** Weaknesses that a page declares impossible, such as `(c4)` or `(c5, c20)`. */
const ruledOutBy = ({ page, weakness }: Promised): ReadonlySet<string> => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/models', page), 'utf8');
  const marks = [...text.matchAll(/\((c\d+(?:, c\d+)*)\)/g)].flatMap(([, list = '']) => list.split(', '));
  return new Set(marks.map((mark) => weakness + mark.slice(1)));
};

for (const model of models) {
  test(`each of ${model.row}1 to ${model.row}${model.rows} is what a test is called by`, (t) => {
    t.deepEqual(
      rowsOf(model).filter((id) => !proved.has(id)),
      [],
    );
  });

  test(`each of ${model.weakness}1 to ${model.weakness}${model.weaknesses} has a test, or a line in docs/models/${model.page}`, (t) => {
    const ruledOut = ruledOutBy(model);
    const open = weaknessesOf(model).filter((id) => !proved.has(id) && !ruledOut.has(id));
    t.deepEqual(open, []);
    t.deepEqual(
      [...ruledOut].filter((id) => !weaknessesOf(model).includes(id)),
      [],
      'nothing else is marked',
    );
  });
}

test('no test is called by a number that no model has', (t) => {
  const known = new Set(models.flatMap((model) => [...rowsOf(model), ...weaknessesOf(model)]));
  t.deepEqual(
    proofs.filter(({ ids }) => !ids.every((id) => known.has(id))),
    [],
  );
});

const sourceOf = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');

/** Tests that a suite for the real server includes. */
const onRealServer: ReadonlySet<string> = new Set(
  readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.real.ts'))
    .flatMap((path) =>
      [...sourceOf(path).matchAll(/^import '(.+\.test\.ts)';$/gm)].map(([, test = '']) =>
        relative(import.meta.dirname, join(import.meta.dirname, dirname(path), test)),
      ),
    ),
);

/** Reasons why a file has no test on a server. */
const withoutCluster: Readonly<Record<string, string>> = {
  'operator/watch-controller/pending-work.test.ts': 'what is kept of retries and events',
  'operator/engine/retry-dequeue.test.ts': 'a pure decision about two events',
  'operator/watch-controller/custom-event-source.test.ts': 'what comes from outside of any cluster',
  'operator/engine/list-map.test.ts': 'a collection',
  'operator/operator.test.ts': 'how functions that run side by side end',
  'reconcile/operatorkit/config-errors.test.ts': 'of which class errors are',
  'reconcile/operatorkit/crud.test.ts': 'the order of functions that a test brings',
  'reconcile/okt/free-style.test.ts': 'what a function that a test brings comes to',
  'reconcile/okt/machine.test.ts': 'a walk over a graph',
  'reconcile/operatorkit/metrics.test.ts': 'what counts as an operation',
  'reconcile/operatorkit/operations.test.ts': 'functions around functions',
  'reconcile/mutable-resource.test.ts': 'hashes of data',
  'reconcile/operatorkit/resource.test.ts': 'the order of functions that a test brings',
  'reconcile/results.test.ts': 'sums of wishes',
  'reconcile/operatorkit/retry.test.ts': 'how often a function is called, and when',
  'reconcile/operatorkit/router.test.ts': 'which function a request goes to',
  'reconcile/significant-change.test.ts': 'a pure decision about two states of an object',
  'reconcile/grafana-app-sdk/typed.test.ts': 'a check of a type',
  'retry.test.ts': 'delays between calls',
};

/** Functions that give a test a server: in memory or real, or in memory only. */
const aServer = /\b(?:aServer|aServerInVirtualTime|theServer|theWidgets|theParents|keeper)\(/;
const inMemoryAlone = /\bcreateCluster\(/;
const aServerOfAnyKind = new RegExp(`${aServer.source}|${inMemoryAlone.source}|\\baTargetCluster\\(`);

test('what talks to a cluster for a row or a weakness does so to the real server, too', (t) => {
  const paths = [...new Set(proofs.map(({ path }) => path))];
  t.deepEqual(
    paths.filter((path) => !onRealServer.has(path)).sort(),
    Object.keys(withoutCluster).sort(),
    'the others have nothing to ask of a server',
  );
  for (const path of paths) {
    if (path in withoutCluster) t.notRegex(sourceOf(path), aServer, path);
  }
});

/** Row of docs/models/tests.md: the beginning of a title, its file below `test`, and where it runs. */
const heldRows = [
  ...readFileSync(join(import.meta.dirname, '../../../docs/models/tests.md'), 'utf8').matchAll(
    /^\| .+ \| (.+) \| `(.+)` \| (both|none) \|$/gm,
  ),
].map(([row, title = '', path = '', servers = '']) => ({ row, title, path: `../../${path}.test.ts`, servers }));

/** Returns the titles of a test file; interpolated values are shown as `…`. */
const titlesOf = (path: string): readonly string[] =>
  [...sourceOf(path).matchAll(/\btest\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1/g)].map(([, , title = '']) =>
    title.replaceAll(/\$\{[^}]*\}/g, '…'),
  );

test('docs/models/tests.md names a test for each documented name, and the servers that it runs on', (t) => {
  t.true(heldRows.length > 130);
  const lost = heldRows.filter(({ title, path }) => !titlesOf(path).some((one) => one.startsWith(title)));
  t.deepEqual(lost, []);
  const isOnBoth = (path: string): boolean =>
    path.startsWith('../../system/stories/') ||
    onRealServer.has(relative(import.meta.dirname, join(import.meta.dirname, path)));
  for (const { row, path, servers } of heldRows) {
    t.is(servers, isOnBoth(path) ? 'both' : 'none', row);
    if (servers === 'none') t.notRegex(sourceOf(path), aServerOfAnyKind, row);
  }
});

test('so does whatever else talks to a cluster for the engine or a model', (t) => {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(?:operator|reconcile|metrics|tracing)\/.*\.test\.ts$/.test(path),
  );
  t.true(tests.length > 50);
  for (const path of tests) t.notRegex(sourceOf(path), inMemoryAlone, path);
  t.deepEqual(
    tests.filter((path) => aServer.test(sourceOf(path)) && !onRealServer.has(path)),
    [],
  );
});
