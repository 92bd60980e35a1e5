import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { run } from '../stories/programs.ts';
import { built, suites } from './recipes.ts';
import { startInMemory } from './servers.ts';

type Suite = (typeof suites)[number];

/** The specs that are left out: one wants a server without a controller for service accounts, others are the same again for other caches and take minutes. */
const skipped: Readonly<Partial<Record<Suite, string>>> = {
  cache:
    'find exactly one in namespace test-namespace-1|Multi-Namespace Informer Cache|without global DeepCopy|with ReaderFailOnMissingInformer|unstructured|metadata-only',
};

/** How many specs have to pass, so that none is left out unnoticed. */
const atLeast: Readonly<Record<Suite, number>> = {
  client: 279,
  cache: 50,
  controller: 32,
  envtest: 28,
  webhook: 8,
  source: 19,
  builder: 50,
};

/** Runs the tests of one package as their own authors do, with a cluster that exists; answers what Ginkgo said. */
async function outcome(suite: Suite, kubeconfigPath: string): Promise<string> {
  const where = ['list', '-C', join(import.meta.dirname, 'go'), '-f', '{{.Dir}}'];
  const { stdout: folder } = await run('go', [...where, `sigs.k8s.io/controller-runtime/pkg/${suite}`]);
  const args = ['--ginkgo.no-color', `--ginkgo.skip=${skipped[suite] ?? 'nothing is skipped'}`];
  const env = { KUBECONFIG: kubeconfigPath, USE_EXISTING_CLUSTER: 'true' };
  const program = join(built('go') ?? '', `${suite}.test`);
  const { stdout } = await run(program, args, { env, cwd: folder.trim() });
  return stripVTControlCharacters(stdout);
}

for (const suite of suites)
  (built('go') === undefined ? test.skip : test.serial)(
    `controller-runtime's own tests of ${suite} pass`,
    async (t) => {
      const server = await startInMemory([]);
      t.teardown(() => server.close());
      const said = await outcome(suite, server.kubeconfigPath);
      const [, passed = '0', failed = '?'] = /(\d+) Passed \| (\d+) Failed/.exec(said) ?? [];
      t.is(failed, '0', said.slice(said.indexOf('Summarizing')));
      t.true(Number(passed) >= atLeast[suite], said.slice(-500));
      t.log(`${passed} specs`);
    },
  );
