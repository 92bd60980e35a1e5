import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  askingComments,
  staleDefaults,
  uncommented,
  untitled,
  vagueComments,
  vagueTexts,
  vagueTitles,
} from './architecture/comments.ts';
import { badDoors, type Door, unreached } from './architecture/doors.ts';
import { ambiguousNames } from './architecture/meanings.ts';
import { unportable } from './architecture/portable.ts';
import { cycles, fullRooms, importers, importerViolations, layerViolations, rooms } from './architecture/rules.ts';
import {
  badNames,
  environmentReaders,
  overBudget,
  scatteredRetries,
  selfLocating,
  statementRules,
  untested,
} from './architecture/shape.ts';
import { readSources, scan } from './architecture/source.ts';

const root = join(import.meta.dirname, '../..');
const sources = readSources(root, ['sdk', 'sequencer', 'integrations', 'examples', 'templates', 'test']);
const all = sources.map(scan);
const product = all.filter(({ path }) => /^(sdk|sequencer|integrations)\//.test(path));
const shipped = [...product, ...all.filter(({ path }) => path.startsWith('test/cluster/'))];
const isPublished = (path: string): boolean => /^test\/(cluster|compliance)\//.test(path);
const published = [...product, ...all.filter(({ path }) => isPublished(path))];
/** All sources but the rules for words, and their test. */
const written = all.filter(({ path }) => !path.startsWith('test/project/architecture/comments.'));
/** Reports whether a file reaches users in a bundle of its own, with the packages that it loads. */
const isBundled = (path: string): boolean => path.startsWith('sequencer/page/browser/');
const manifest: {
  readonly exports: Readonly<Record<string, Door>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Source files whose behaviour is tested by the test of another file. */
const testedElsewhere: Readonly<Record<string, string>> = {
  'integrations/acme/dns-proof.ts': 'test/unit/integrations/acme/certificate.test.ts',
  'integrations/acme/issuance.ts': 'test/unit/integrations/acme/certificate.test.ts',
  'integrations/acme/proof.ts': 'test/unit/integrations/acme/http-proof.test.ts',
  'integrations/acme/certificate-steps.ts': 'test/unit/integrations/acme/certificate.test.ts',
  'integrations/acme/tls-secret.ts': 'test/unit/integrations/acme/certificate.test.ts',
  'integrations/components/pod-security-standards.ts': 'test/unit/integrations/components/pod-spec.test.ts',
  'integrations/code-host/code-host.ts': 'test/unit/integrations/code-host/options.test.ts',
  'sdk/client/client.ts': 'test/unit/sdk/client/http/create-client.test.ts',
  'sdk/api/crd.ts': 'test/unit/sdk/api/kind.test.ts',
  'sdk/node-builtins.ts': 'test/unit/cluster/loading.test.ts',
  'sdk/metrics/instruments.ts': 'test/unit/sdk/metrics/index.test.ts',
  'sdk/reconcile/pass.ts': 'test/unit/sdk/reconcile/operator-sdk-extra/phases.test.ts',
  'sdk/provider/controller/report-slow-call.ts': 'test/unit/sequencer/broken-contracts.test.ts',
  'sequencer/run/served-page.ts': 'test/unit/sequencer/run/run.test.ts',
  'sdk/provider/external/with-owner-reference.ts': 'test/unit/sdk/provider/controller/create-controller.test.ts',
  'sdk/provider/external/dry-run-changes.ts': 'test/unit/sdk/provider/controller/dry-run.test.ts',
  'sdk/provider/external/update-or-delete.ts': 'test/unit/sdk/provider/external/ensure.test.ts',
  'sdk/provider/external/ensure-context.ts': 'test/unit/sdk/provider/external/ensure.test.ts',
  'sdk/provider/external/change-outcome.ts': 'test/unit/sdk/provider/external/ensure.test.ts',
  'sdk/provider/external/object-owners.ts': 'test/unit/sdk/provider/external/find-owned.test.ts',
  'sdk/provider/journal/next-object-change.ts': 'test/unit/sdk/provider/journal/external-objects.test.ts',
};

const none = (t: ExecutionContext, violations: readonly string[]): void => {
  t.deepEqual(violations, []);
};

test('docs/architecture.md shows the rooms that there are, in their order', (t) => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const cellOf = (layer: string) => page.split('\n').find((line) => line.startsWith(`| \`${layer}\` | `)) ?? '';
  for (const [layer, all] of Object.entries(rooms)) {
    const own = all.filter((room) => room !== '.');
    const folders = readdirSync(join(root, layer), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const isLayer = (name: string) => layer === 'sequencer' && name === 'cli';
    const there = folders.map(({ name }) => name).filter((name) => !isLayer(name));
    t.deepEqual(there.toSorted(), own.toSorted(), `${layer} and rules.ts`);
    const shown = [...cellOf(layer).matchAll(/[|·] `([a-z-]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => name !== layer);
    if (layer === 'test/cluster') for (const room of own) t.regex(page, new RegExp(`^\\|[^|]*\`${room}\``, 'm'), room);
    else t.deepEqual(shown, own, `docs/architecture.md: ${layer}`);
  }
});

test('the README of the simulation shows the rooms that there are', (t) => {
  const folder = join(root, 'test/system/simulation');
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  const shown = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name = '']) => name);
  t.deepEqual(folders.map(({ name }) => name).toSorted(), shown.toSorted());
});

test('no folder is too full, be it of sources or of tests', (t) => none(t, fullRooms(all)));
test('layers are imported one way, through their entry points', (t) => none(t, layerViolations(published)));

test('no file is in an import cycle', (t) => none(t, cycles(all)));

test('each package has its importers', (t) =>
  none(t, importerViolations(published.filter(({ path }) => !isBundled(path)))));

test('every package that is loaded is a dependency, and every dependency is loaded', (t) => {
  const { dependencies, peerDependencies } = manifest;
  t.deepEqual(Object.keys(importers).sort(), Object.keys({ ...dependencies, ...peerDependencies }).sort());
});

test('libraries of vendors are optional, and loaded late by their integrations only', (t) => {
  const vendors = Object.keys(manifest.peerDependencies);
  t.deepEqual(
    vendors.filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true),
    [],
  );
  const early = shipped.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, when }) => vendors.includes(target) && when === 'static')
      .map(({ target }) => `${path}: ${target} has to be imported when it is needed, by vendorLibrary`),
  );
  none(t, early);
});

test('files and functions keep their budgets', (t) => none(t, overBudget(all)));

test('files are named by what they hold', (t) => none(t, badNames(sources.map(({ path }) => path))));

test('no default exports, no barrels, no state in modules', (t) => none(t, statementRules(shipped)));

test('one word has one meaning', (t) => none(t, ambiguousNames(product)));

test('paths come from node:path, and signals are those that Windows has', (t) => {
  // What is said of pods is said of Linux, and the tests of this repository run on it.
  const ofWindows = all.filter(({ path }) => !path.startsWith('test/') || isPublished(path));
  const ours = ofWindows.filter(({ path }) => !path.startsWith('test/cluster/apis/'));
  none(t, unportable([...ours, ...readSources(root, ['site']).map(scan)]));
});

test('the environment is read at the start of the program only', (t) => none(t, environmentReaders(shipped)));

test('one module has the numbers of all retries', (t) => none(t, scatteredRetries(product)));

test('the number that a comment gives as a default is one of the code', (t) => none(t, staleDefaults(published)));

test('no file finds others by where it is itself', (t) => none(t, selfLocating(published)));

test('every source file has its mirrored test', (t) => {
  const tests = new Set(sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts')));
  none(
    t,
    untested(
      product.filter(({ path }) => !path.endsWith('.tsx')),
      tests,
      testedElsewhere,
    ),
  );
});

test('a comment says what a thing is or does, and a file of several exports what it is for', (t) => {
  none(t, askingComments(written));
  none(t, vagueComments(written));
  none(t, untitled(all));
});

test('what is published, an example or a template begins with a comment on what it is for', (t) =>
  none(
    t,
    uncommented([...published, ...all.filter(({ path }) => /^(examples|templates)\/(?!.*\.test\.)/.test(path))]),
  ));

test('what is published, and the title of a test, name the client, owner or holder', (t) => {
  none(t, vagueTexts(published));
  none(t, vagueTitles(written));
});

test('what is published and what tests it have folders of their own', (t) => {
  t.deepEqual(readdirSync(join(root, 'test')).sort(), ['cluster', 'compliance', 'project', 'system', 'unit']);
  const entries = Object.values(manifest.exports).map((door) => (typeof door === 'string' ? door : door.source));
  const roots = [...product.map(({ path }) => path), ...entries.map((path = '') => path.replace('./', ''))];
  none(t, unreached(all, roots, isPublished));
});

test('every door leads to a source, and to what is built from it', (t) => {
  none(
    t,
    badDoors(manifest.exports, (path) => existsSync(join(root, path))),
  );
  for (const path of Object.values(manifest.bin))
    t.true(existsSync(join(root, path.replace('./dist/', '').replace(/\.js$/, '.ts'))), path);
});
