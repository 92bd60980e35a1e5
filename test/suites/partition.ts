/** Assigns the test files to AVA workers. */

import { globSync, readdirSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Test files with a worker of their own: they await at top level or have hooks, wait for real processes, or take seconds. The slowest come first. */
export const alone: readonly string[] = [
  'test/simulation/{sweep,faults,sequencer,lives,removals,controls,directed}.test.ts',
  'test/integrations/flawed/flawed.test.ts',
  'test/compliance/index.test.ts',
  'test/flawed-plug-ins/flawed-plug-ins.test.ts',
  'test/stories/*.test.ts',
  'test/examples/preview.test.ts',
  'test/sequencer/run/shards.test.ts',
  'test/bench/bench.test.ts',
  'test/sequencer/cli/{doctor/checks,manifests/chart}.test.ts',
];

/** Returns the test folder that a file of `workers` runs: `sequencer-cli.ts` runs `test/sequencer/cli`, `rest.ts` all of `test`. */
const folderOf = (worker: string): string => {
  const name = basename(worker, '.ts');
  return name === 'rest' ? 'test' : `test/${name.replaceAll('-', '/')}`;
};

/** Returns the test files by file of `workers`: those below its folder, except those with their own worker or in a more specific folder. */
export function suites(): ReadonlyMap<string, readonly string[]> {
  const workers = readdirSync(join(import.meta.dirname, 'workers'));
  const deepestFirst = workers.toSorted((a, b) => folderOf(b).length - folderOf(a).length);
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const shared = files.filter((file) => !alone.some((pattern) => matchesGlob(file, pattern)));
  const byWorker = Map.groupBy(shared, (file) =>
    deepestFirst.find((worker) => file.startsWith(`${folderOf(worker)}/`)),
  );
  return new Map(workers.map((worker) => [worker, byWorker.get(worker) ?? []]));
}

/** Returns the name of a test file in titles: `test/sdk/client/http/line-splitter.test.ts` is `sdk › client › line-splitter`. */
export const nameOf = (file: string): string =>
  file
    .replace(/^test\//, '')
    .replace(/\.test\.ts$/, '')
    .replaceAll('/', ' › ');
