import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
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
import { build } from './harness/build.ts';
import { builtIn } from './harness/code.ts';
import { availableServers, serverNames } from './harness/servers.ts';
import { type Table, tableText } from './report/table.ts';

const benchmarks: readonly Benchmark[] = [startup, backlog, latency, guard, walks, models, cluster, shards, kit];

const usage = [
  'npm run bench -- [OPTION]... [NAME]...',
  '',
  ...benchmarks.map(({ name, summary }) => `  ${name.padEnd(10)}  ${summary}`),
  '',
  `  --server NAME  measure on this server alone: ${serverNames.join(' or ')} (default: every one that is built)`,
  '  --quick        a tenth of the objects: whether it works, not how fast',
  '  --json         figures for programs',
  '  --help         show this',
  '',
  'Ratios within one run are the result; what a machine does in a second moves by a factor of two.',
  '',
].join('\n');

interface Wanted {
  readonly benchmarks: readonly Benchmark[];
  readonly lab: Pick<Lab, 'scale' | 'servers'>;
  readonly json: boolean;
}

/** Parses the arguments. @throws Error with the mistake; undefined when only help is requested */
function wantedOf(args: readonly string[]): Wanted | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      server: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const known = benchmarks.map(({ name }) => name);
  const strange = positionals.find((name) => !known.includes(name));
  if (strange !== undefined) throw new Error(`there is no benchmark ${strange}; there are ${known.join(', ')}`);
  const available = availableServers();
  const servers = available.filter((name) => values.server === undefined || values.server === name);
  if (servers.length === 0)
    throw new Error(`there is no server ${values.server} here; there are ${available.join(', ')}`);
  return {
    benchmarks: benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    lab: { scale: values.quick ? 'quick' : 'full', servers },
    json: values.json,
  };
}

const note = (text: string): void => void process.stderr.write(`${text}\n`);

/** ms after which a run is aborted. */
const maxMs = 900_000;

async function measure({ benchmarks: wanted, lab, json }: Wanted): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)));
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(maxMs)]);
  using built = await build();
  const machine = `${availableParallelism()} cores, Node ${process.version}, ${process.platform} ${process.arch}`;
  const found: (Table & { readonly benchmark: string })[] = [];
  if (!json) process.stdout.write(`${machine}, load ${loadavg()[0]?.toFixed(1)}\n\n`);
  for (const { name, run } of wanted) {
    const progress = (what: string) => note(`... ${name}: ${what}`);
    const tables = await run({ ...lab, code: builtIn(built.folder), signal, progress });
    found.push(...tables.map((table) => ({ benchmark: name, ...table })));
    if (!json) for (const table of tables) process.stdout.write(`${tableText(table)}\n\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify({ machine, scale: lab.scale, tables: found }, null, 2)}\n`);
}

try {
  const wanted = wantedOf(process.argv.slice(2));
  if (wanted === undefined) process.stdout.write(usage);
  else await measure(wanted);
} catch (error) {
  note(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
