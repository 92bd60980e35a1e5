import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { createScratch } from '../../real/owned-process.ts';
import { run, sequencerArguments } from '../../stories/programs.ts';
import { built, suites } from '../recipes.ts';

type Suite = (typeof suites)[number];

/** Specs to skip: some repeat others for different caches and take minutes, some want the server to answer later than they retry. */
const skipped: Readonly<Partial<Record<Suite, string>>> = {
  cache:
    'Multi-Namespace Informer Cache|without global DeepCopy|with ReaderFailOnMissingInformer|unstructured|metadata-only|to be cancelled',
};

/** Number of specs that must pass, so that none is skipped unnoticed. */
const atLeast: Readonly<Record<Suite, number>> = {
  client: 279,
  cache: 60,
  cluster: 14,
  controller: 32,
  envtest: 28,
  webhook: 8,
  source: 19,
  builder: 50,
  'internal/recorder': 4,
};

const programs = built('go');
const { folder: assets, remove } = createScratch('assets');
test.after.always(remove);

/** Has suites use `sequencer` for the programs that envtest starts. */
test.before(async (t) => {
  const { code, stderr } = await run(process.execPath, sequencerArguments('envtest', assets));
  t.is(code, 0, stderr);
});

/** Runs the tests of one package as its authors do; returns Ginkgo's output, and how it ended. */
async function outcome(suite: Suite): Promise<string> {
  const where = ['list', '-C', join(import.meta.dirname, '../go'), '-f', '{{.Dir}}'];
  const { stdout: folder } = await run('go', [...where, `sigs.k8s.io/controller-runtime/pkg/${suite}`]);
  const args = ['--ginkgo.no-color', `--ginkgo.skip=${skipped[suite] ?? 'nothing is skipped'}`];
  const program = join(programs ?? '', `${basename(suite)}.test`);
  const { code, stdout, stderr } = await run(program, args, {
    env: { KUBEBUILDER_ASSETS: assets },
    cwd: folder.trim(),
  });
  return stripVTControlCharacters(`${stdout}\n${stderr}\nended with ${code}`);
}

for (const suite of suites)
  (programs === undefined ? test.skip : test.serial)(
    `controller-runtime's own tests of ${suite} pass in the place of envtest`,
    async (t) => {
      const said = await outcome(suite);
      const [, passed = '0', failed = '?'] = /(\d+) Passed \| (\d+) Failed/.exec(said) ?? [];
      t.is(failed, '0', said.slice(Math.max(said.indexOf('Summarizing'), 0)));
      t.true(Number(passed) >= atLeast[suite], said.slice(-500));
      t.log(`${passed} specs`);
    },
  );
