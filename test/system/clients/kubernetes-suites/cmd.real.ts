import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { run } from '../../stories/programs.ts';
import { built } from '../recipes.ts';
import { startInMemory } from '../servers.ts';
import { rows } from './cmd-cases.ts';

const battery = join(import.meta.dirname, '../cmd/battery.sh');

/** Workloads run, nodes are healthy, and pods stay Pending, as in the suite's own environment, which has no kubelet. */
const flags = ['--controllers', 'others,nodeLifecycle,volumeProtection,scheduler=off,kubelet=off'];

/** Output of one function, by its verdict. */
interface Told {
  readonly verdict: string;
  readonly name: string;
  readonly said: string;
}

function parseResults(output: string): readonly Told[] {
  const parts = stripVTControlCharacters(output).split(/^@@ (\w+) (\w+)$/m);
  return parts.flatMap((said, index) =>
    index % 3 === 0 && parts[index + 2] !== undefined
      ? [{ said, verdict: parts[index + 1]!, name: parts[index + 2]! }]
      : [],
  );
}

/** Deadline of a row in ms, on a busy machine. */
const maxMs = 900_000;

/** Kills the script with all its processes at the deadline. */
const deadline = ['--kill-after=10', `${maxMs / 1000}`];

const programs = built('cmd');

(programs === undefined ? test.skip : test.serial)("kubectl's own tests pass", async (t) => {
  t.timeout(maxMs + 30_000);
  const outcomes = await Promise.all(
    rows.map(async (cases) => {
      const server = await startInMemory(flags);
      t.teardown(() => server.close());
      const { stdout, stderr } = await run(
        'timeout',
        [...deadline, 'bash', battery, programs ?? '', server.kubeconfigPath, ...cases],
        { timeout: maxMs + 20_000 },
      );
      return { told: parseResults(stdout), last: stderr.slice(-2000), cases };
    }),
  );
  const failed = outcomes.flatMap(({ told }) => told.filter(({ verdict }) => verdict !== 'ok'));
  t.deepEqual(
    failed.map(({ name, said }) => `${name}: ${said.slice(-3000)}`),
    [],
  );
  for (const { told, last, cases } of outcomes) {
    t.deepEqual(
      told.map(({ name }) => name),
      cases,
      last,
    );
  }
  const said = outcomes.flatMap(({ told }) => told.map((one) => one.said)).join('');
  t.log(`${rows.flat().length} functions, ${said.match(/Successful|matched/g)?.length ?? 0} assertions`);
});
