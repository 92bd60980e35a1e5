/** Assigns the test files to AVA workers. */

import { globSync, readdirSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Stories that take ten seconds, or four of processor time. */
const longStories =
  'kill|removal|upgrade|newer-journal|throttled|lost-seal|refused|fairness|rights|many-things|elsewhere|copied|restored|adopted|hanging|tenants|rollout|npm-signals|leader-program';

/**
 * Kits of integrations, and test files that take ten seconds, or one and a half of processor time, or judge growth: `npm run test:long` runs them, and `.ci/run`.
 */
export const long: readonly string[] = [
  'test/project/bench/bench.test.ts',
  'test/system/simulation/{faults/faults,mutants/removals,directed/directed}.test.ts',
  'test/system/simulation/{lives/{lives,sweep},protocols/{sequencer,things}}.test.ts',
  'test/unit/sequencer/cli/scaffold/make.test.ts',
  'test/unit/sequencer/cli/commands/{dev,control,plan}.test.ts',
  'test/unit/sequencer/cli/prove/prove.test.ts',
  'test/unit/sequencer/run/{shards,shards-chaos}.test.ts',
  'test/unit/compliance/{index,runners}.test.ts',
  'test/unit/integrations/flawed/flawed.test.ts',
  'test/system/flawed-plug-ins/flawed-plug-ins.test.ts',
  'test/system/differential/{machinery,others,kinds}.test.ts',
  'test/project/docs/examples/{examples,error-examples,plug-ins}.test.ts',
  'test/unit/integrations/**/{*compliance*,report}.test.ts',
  'test/unit/examples/preview.test.ts',
  `test/system/stories/**/@(${longStories}).test.ts`,
  'test/{unit,system/fuzz,unit/sdk,unit/integrations}/growth.test.ts',
  'test/unit/cluster/{apis/validation-growth,cel/hostile-expressions,encoding/deep-bodies,managed-fields/merge}.test.ts',
  'test/system/{author-mistakes/mistakes,fuzz/fuzz}.test.ts',
  'test/unit/sdk/provider/{many-things,copied-status}.test.ts',
  'test/unit/sequencer/{change-of-integration,engine/mirrors/lost-seal}.test.ts',
  'test/system/upgrade/journals.test.ts',
  'test/unit/cluster/{openapi/openapi,controllers/{services,garbage-collector,deployment},apimachinery/go/unified-diff}.test.ts',
  'test/unit/integrations/{cloudflare/tunnel,acme/certificate}.test.ts',
  'test/unit/sequencer/{engine/mirrors/foreign-mirrors,run/run-with-services,odd-plugins,put-back,any-error,tenants/crashes}.test.ts',
  'test/unit/sdk/operator/watch-controller/pending-work.test.ts',
  'test/system/simulation/lives/determinism.test.ts',
];

/** Time without a sign of life after which AVA ends a run: as long as any test's own limit at least, or else it may wait for ever. */
export const timeout = '5m';

/** Returns the test folder that a file of `workers` runs: `unit-sequencer-cli.ts` runs `test/unit/sequencer/cli`, `rest.ts` all of `test`. */
const folderOf = (worker: string): string => {
  const name = basename(worker, '.ts');
  return name === 'rest' ? 'test' : `test/${name.replaceAll('-', '/')}`;
};

/** Returns the test files by file of `workers`: those below its folder, except long ones and those in a more specific folder. */
export function suites(): ReadonlyMap<string, readonly string[]> {
  const workers = readdirSync(join(import.meta.dirname, 'workers'));
  const deepestFirst = workers.toSorted((a, b) => folderOf(b).length - folderOf(a).length);
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const shared = files.filter((file) => !long.some((pattern) => matchesGlob(file, pattern)));
  const byWorker = Map.groupBy(shared, (file) =>
    deepestFirst.find((worker) => file.startsWith(`${folderOf(worker)}/`)),
  );
  return new Map(workers.map((worker) => [worker, byWorker.get(worker) ?? []]));
}

/** Returns the name of a test file in titles: `test/unit/sdk/client/http/line-splitter.test.ts` is `sdk › client › line-splitter`. */
export const nameOf = (file: string): string =>
  file
    .replace(/^test\/(unit|system|project)\//, '')
    .replace(/\.test\.ts$/, '')
    .replaceAll('/', ' › ');
