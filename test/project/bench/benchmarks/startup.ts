import type { Benchmark, Lab, Scale } from '../benchmark.ts';
import { sources } from '../harness/code.ts';
import { accessOf } from '../harness/connect.ts';
import {
  clusterOf,
  doorsOf,
  firstAnswer,
  firstClientNodeAnswer,
  firstUndiciAnswer,
  importing,
  type Lap,
  type Probe,
  type Reading,
  read,
  wallOf,
} from '../harness/probes.ts';
import { startServer } from '../harness/servers.ts';
import { median, medianRatio } from '../report/figures.ts';
import type { Cell, Table } from '../report/table.ts';

const repetitionsAt: Readonly<Record<Scale, number>> = { full: 7, quick: 3, tiny: 1 };

/** Readings by probe name; those of one index were taken right after each other. */
type Readings = Readonly<Record<string, readonly Reading[]>>;

/** Runs all probes in turn, repeatedly, so that all meet the same load. */
async function readAll(lab: Lab, probes: Readonly<Record<string, Probe>>): Promise<Readings> {
  const readings: Record<string, Reading[]> = {};
  for (let repetition = 0; repetition < repetitionsAt[lab.scale]; repetition++)
    for (const [name, probe] of Object.entries(probes)) {
      readings[name] ??= [];
      readings[name].push(await read(probe, lab.signal));
    }
  return readings;
}

const clientNode = '@kubernetes/client-node';
const built = 'sdk + sequencer';

const valuesOf = (readings: Readings, name: string, of: (reading: Reading) => number): readonly number[] =>
  readings[name]!.map(of);

const note = (lab: Lab): string =>
  `medians of ${repetitionsAt[lab.scale]} fresh processes each, in turn; ratios are taken turn by turn; memory is that of the whole process`;

async function imports(lab: Lab): Promise<Table> {
  lab.progress('importing');
  const names: Readonly<Record<string, Probe>> = {
    'Node alone': importing([]),
    undici: importing(['undici']),
    [clientNode]: importing([clientNode]),
    [built]: doorsOf(lab.code),
    ...(lab.scale !== 'tiny' && { [`${built}, types stripped`]: doorsOf(sources) }),
  };
  const readings = await readAll(lab, names);
  const ms = ({ laps }: Reading) => laps.import!.ms;
  const cpu = ({ laps }: Reading) => laps.import!.cpuMs;
  const rss = ({ rssMb }: Reading) => rssMb;
  const ratio = (name: string, of: (reading: Reading) => number) =>
    medianRatio(valuesOf(readings, name, of), valuesOf(readings, clientNode, of));
  return {
    title: 'startup: importing',
    columns: ['what', 'ms', 'CPU ms', 'MB', 'ms / client-node', 'CPU / client-node', 'MB / client-node'],
    rows: Object.keys(names).map((name): readonly Cell[] => [
      name,
      ...[ms, cpu, rss].map((of) => median(valuesOf(readings, name, of))),
      ...[ms, cpu, rss].map((of) => ratio(name, of)),
    ]),
    targets: [
      {
        what: 'importing sdk + sequencer, as a share of the time of client-node',
        value: ratio(built, ms),
        atMost: 1 / 3,
      },
      { what: 'memory with sdk + sequencer, MB', value: median(valuesOf(readings, built, rss)), atMost: 85 },
    ],
    notes: [note(lab)],
  };
}

async function firstAnswers(lab: Lab): Promise<Table> {
  lab.progress('first answer');
  await using server = await startServer('in-memory', lab);
  const { kubeconfigYaml } = server;
  const names: Readonly<Record<string, Probe>> = {
    undici: firstUndiciAnswer(await accessOf(kubeconfigYaml)),
    [clientNode]: firstClientNodeAnswer(kubeconfigYaml),
    sdk: firstAnswer(lab.code, kubeconfigYaml),
    ...(lab.scale !== 'tiny' && { 'sdk, types stripped': firstAnswer(sources, kubeconfigYaml) }),
  };
  const readings = await readAll(lab, names);
  const sinceExec = ({ sinceExec: ms }: Reading) => ms;
  const figures: readonly ((reading: Reading) => number)[] = [
    ({ laps }) => laps.answer!.ms,
    sinceExec,
    ({ laps }) => laps.answer!.cpuMs,
    ({ rssMb }) => rssMb,
  ];
  return {
    title: 'startup: from import to the first answer of a server (GET /version over HTTPS, kubeconfig read)',
    columns: ['what', 'ms', 'ms since exec', 'CPU ms', 'MB', 'since exec / client-node'],
    rows: Object.keys(names).map((name): readonly Cell[] => [
      name,
      ...figures.map((of) => median(valuesOf(readings, name, of))),
      medianRatio(valuesOf(readings, name, sinceExec), valuesOf(readings, clientNode, sinceExec)),
    ]),
    notes: [note(lab)],
  };
}

async function clusters(lab: Lab): Promise<Table> {
  lab.progress('createCluster()');
  const names: Readonly<Record<string, Probe>> = {
    built: clusterOf(lab.code),
    ...(lab.scale !== 'tiny' && { 'types stripped': clusterOf(sources) }),
  };
  const readings = await readAll(lab, names);
  const laps = ['import', 'first', 'second', 'listen'];
  const lap = (name: string, of: string, unit: keyof Lap) =>
    median(valuesOf(readings, name, ({ laps: all }) => all[of]![unit]));
  return {
    title: 'startup: the in-memory cluster, ms and CPU ms',
    columns: ['form', 'import', 'CPU', 'createCluster(), list', 'CPU', 'a second one', 'CPU', 'listen()', 'CPU', 'MB'],
    rows: Object.keys(names).map((name): readonly Cell[] => [
      name,
      ...laps.flatMap((of) => [lap(name, of, 'ms'), lap(name, of, 'cpuMs')]),
      median(valuesOf(readings, name, ({ rssMb }) => rssMb)),
    ]),
    targets: [
      { what: 'the first createCluster() of a process and a list, ms', value: lap('built', 'first', 'ms'), atMost: 10 },
      {
        what: 'the same with listen(), ms',
        value: lap('built', 'first', 'ms') + lap('built', 'listen', 'ms'),
        atMost: 40,
      },
    ],
    notes: [note(lab)],
  };
}

async function commands(lab: Lab): Promise<Table> {
  lab.progress('sequencer --help');
  const main = lab.code.path('sequencer/cli/main.ts');
  const rows = { 'node --eval 0': ['--eval', '0'], 'sequencer --help': [...lab.code.nodeArguments, main, '--help'] };
  const walls: Record<string, number[]> = {};
  for (let repetition = 0; repetition < repetitionsAt[lab.scale]; repetition++)
    for (const [name, args] of Object.entries(rows)) {
      walls[name] ??= [];
      walls[name].push(await wallOf(args, lab.signal));
    }
  const [node] = Object.values(walls);
  return {
    title: 'startup: the command line, from exec to exit',
    columns: ['command', 'ms', '/ node alone'],
    rows: Object.entries(walls).map(([name, ms]): readonly Cell[] => [name, median(ms), medianRatio(ms, node!)]),
    notes: [note(lab)],
  };
}

/** Cost of loading. */
export const startup: Benchmark = {
  name: 'startup',
  summary: 'importing, the first answer, createCluster(), the command line',
  async run(lab) {
    return [await imports(lab), await firstAnswers(lab), await clusters(lab), await commands(lab)];
  },
};
