import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { long, nameOf, suites, timeout } from './partition.ts';

const cwd = join(import.meta.dirname, '../../..');

test('npm test or npm run test:long runs each test file, once', (t) => {
  const together = [...suites().values()].flat();
  const everywhere = [...together, ...globSync(long, { cwd })];
  t.deepEqual(everywhere.sort(), globSync('test/**/*.test.ts', { cwd }).sort());
});

test('each of those that are long is there', (t) => {
  for (const pattern of long) t.true(globSync(pattern, { cwd }).length > 0, pattern);
});

test('each worker has files, and runs them', (t) => {
  for (const [worker, files] of suites()) {
    t.true(files.length > 0, worker);
    t.is(
      readFileSync(join(import.meta.dirname, 'workers', worker), 'utf8'),
      "import { runTogether } from '../together.ts';\n\nawait runTogether(import.meta.filename);\n",
    );
  }
});

test('a file goes with the deepest folder that has a worker', (t) => {
  const workerOf = (file: string) => [...suites()].find(([, files]) => files.includes(file))?.[0];
  t.is(workerOf('test/unit/sequencer/cli/args/command.test.ts'), 'unit-sequencer-cli.ts');
  t.is(workerOf('test/unit/sequencer/cli/commands/explain.test.ts'), 'unit-sequencer-cli-commands.ts');
  t.is(workerOf('test/unit/sdk/client/http/line-splitter.test.ts'), 'unit-sdk.ts');
  t.is(workerOf('test/project/architecture.test.ts'), 'rest.ts');
});

test('a title names a file by its path', (t) => {
  t.is(nameOf('test/unit/sdk/client/cache/own-writes.test.ts'), 'sdk › client › cache › own-writes');
});

test('no test has a limit of its own beyond that of a run, which would not end when a worker does not', (t) => {
  const limits = globSync('test/**/*.test.ts', { cwd }).flatMap((file) =>
    [...readFileSync(join(cwd, file), 'utf8').matchAll(/\bt\.timeout\((\d[\d_]*)/g)].map(([, limit]) => ({
      file,
      limit: Number(limit!.replaceAll('_', '')),
    })),
  );
  t.is(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).ava.timeout, timeout);
  t.true(limits.length > 0);
  t.deepEqual(
    limits.filter(({ limit }) => limit > Number.parseInt(timeout, 10) * 60_000),
    [],
  );
});
