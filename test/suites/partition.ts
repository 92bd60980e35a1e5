import { globSync, readdirSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What keeps a worker of its own: a file that awaits at its top or has hooks, waits for real processes, or takes seconds. The slowest come first. */
export const alone: readonly string[] = [
  'test/simulation/{sweep,faults,sequencer,lives,removals,controls,directed}.test.ts',
  'test/integrations/flawed/flawed.test.ts',
  'test/compliance/index.test.ts',
  'test/flawed-plug-ins/flawed-plug-ins.test.ts',
  'test/stories/*.test.ts',
  'test/bench/bench.test.ts',
];

/** A file of `workers` and the folder of tests it stands for: `sequencer-cli.ts` for `test/sequencer/cli`, `rest.ts` for all of `test`. */
const folderOf = (worker: string): string => {
  const name = basename(worker, '.ts');
  return name === 'rest' ? 'test' : `test/${name.replaceAll('-', '/')}`;
};

/** The test files that each file of `workers` runs: those in its folder and below, unless they are alone or in a deeper one's folder. */
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

/** The test file as titles name it: `test/sdk/client/line-splitter.test.ts` is `sdk › client › lines`. */
export const nameOf = (file: string): string =>
  file
    .replace(/^test\//, '')
    .replace(/\.test\.ts$/, '')
    .replaceAll('/', ' › ');
