import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { binaryPath } from '../../real/binaries.ts';
import { createScratch } from '../../real/owned-process.ts';
import { run } from '../../stories/programs.ts';
import { built } from '../recipes.ts';
import { startInMemory } from '../servers.ts';
import { leftOut, wanted } from './e2e-specs.ts';

/** Number of specs that must pass, so that none is skipped unnoticed. */
const atLeast = 180;

/** Parallel processes: more than processors, since most wait most of the time. */
const processes = 12;

/** Runs the specs as Kubernetes' own jobs do; returns Ginkgo's output. */
async function outcome(program: string, kubeconfigPath: string, folder: string): Promise<string> {
  const choice = [`--focus=${wanted.join('|')}`, `--skip=${leftOut.map(({ specs }) => specs).join('|')}`];
  const ginkgo = ['run', `--procs=${processes}`, '--no-color', '--timeout=300s', '--keep-going', ...choice];
  const framework = [
    `--kubeconfig=${kubeconfigPath}`,
    `--kubectl-path=${binaryPath('kubectl')}`,
    ...['--provider=skeleton', '--num-nodes=1', '--allowed-not-ready-nodes=-1', '--minStartupPods=0'],
    ...['--disable-log-dump', '--dump-logs-on-failure=false'],
  ];
  const args = [...ginkgo, join(program, 'e2e.test'), '--', ...framework];
  const { stdout } = await run(join(program, 'ginkgo'), args, { cwd: folder, timeout: 320_000 });
  return stripVTControlCharacters(stdout);
}

const program = built('e2e');

(program === undefined ? test.skip : test.serial)(
  "Kubernetes' own tests of what needs no containers pass",
  async (t) => {
    t.timeout(340_000);
    const scratch = createScratch('e2e');
    t.teardown(() => scratch.remove());
    const server = await startInMemory(['--kubelet', '--controllers', 'all']);
    t.teardown(() => server.close());
    const said = await outcome(program ?? '', server.kubeconfigPath, scratch.folder);
    const [, passed = '0', failed = '?'] = /(\d+) Passed \| (\d+) Failed/.exec(said) ?? [];
    t.is(failed, '0', said.slice(said.indexOf('Summarizing')));
    t.true(Number(passed) >= atLeast, said.slice(-500));
    t.log(`${passed} specs`);
  },
);
