import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import type { Benchmark, Lab } from './benchmark.ts';
import { backlog } from './benchmarks/backlog.ts';
import { cluster } from './benchmarks/cluster.ts';
import { guard } from './benchmarks/guard.ts';
import { kit } from './benchmarks/kit.ts';
import { latency } from './benchmarks/latency.ts';
import { models } from './benchmarks/models.ts';
import { shards } from './benchmarks/shards.ts';
import { startup } from './benchmarks/startup.ts';
import { walks } from './benchmarks/walks.ts';
import { type Build, build } from './harness/build.ts';
import { builtIn, sources } from './harness/code.ts';
import { tableText } from './report/table.ts';

const { signal } = new AbortController();
let built: Build;

test.before(async () => {
  built = await build();
  // Many programs start from this folder: the compile cache serves all of them and is removed with it.
  process.env.NODE_COMPILE_CACHE = join(built.folder, 'compile-cache');
});
test.after.always(() => built?.[Symbol.dispose]());

const measures = test.macro({
  title: (_, benchmark: Benchmark) => `the ${benchmark.name} benchmark prints what it is for: ${benchmark.summary}`,
  async exec(t, benchmark: Benchmark) {
    const lab: Lab = {
      scale: 'tiny',
      servers: ['in-memory'],
      code: builtIn(built.folder),
      signal,
      progress: (what) => t.log(what),
    };
    const tables = await benchmark.run(lab);
    t.true(tables.length > 0);
    for (const table of tables) {
      t.true(table.rows.length > 0, table.title);
      for (const row of table.rows) {
        t.is(row.length, table.columns.length, table.title);
        const figures = row.filter((cell) => typeof cell === 'number');
        t.true(figures.length > 0 && figures.every((figure) => Number.isFinite(figure) && figure >= 0), `${row}`);
      }
      t.true(tableText(table).startsWith(table.title));
    }
  },
});

for (const benchmark of [startup, backlog, latency, guard, walks, models, cluster, shards, kit])
  test(measures, benchmark);

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [...sources.nodeArguments, join(import.meta.dirname, 'main.ts'), ...args]);

test('a benchmark that does not exist is refused by name', async (t) => {
  const failure = await t.throwsAsync<Error & { code: number; stderr: string }>(run('backlogs'));
  t.is(failure?.code, 1);
  t.is(
    failure?.stderr,
    'error: there is no benchmark backlogs; there are startup, backlog, latency, guard, walks, models, cluster, shards, kit\n',
  );
});
