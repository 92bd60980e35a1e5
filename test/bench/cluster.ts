import type { Benchmark, Lab, Scale } from './benchmark.ts';
import { startChild } from './child.ts';
import { type Access, accessOf } from './connect.ts';
import { type BenchServer, type ServerName, startServer } from './servers.ts';
import type { Cell, Table, Target } from './table.ts';

/** What the program that makes requests is started with. */
export interface RequestParameters {
  readonly access: Access;
  /** Requests under way at once. */
  readonly inFlight: number;
}

/** Something to do that often. */
export interface Phase {
  readonly kind: 'create' | 'read' | 'watch';
  /** Requests; of a watch, creates that every watcher is to see. */
  readonly count: number;
  readonly watchers?: number;
}

/** What came of a phase: requests answered, or events delivered. */
export interface Rate {
  readonly done: number;
  readonly wallMs: number;
  readonly clientCpuMs: number;
}

/** How much is done in each phase. */
interface Size {
  readonly objects: number;
  readonly reads: number;
  readonly watched: number;
}

const sizeAt: Readonly<Record<Scale, Readonly<Record<ServerName, Size>>>> = {
  full: {
    'in-memory': { objects: 100_000, reads: 20_000, watched: 1_000 },
    'kube-apiserver': { objects: 5_000, reads: 5_000, watched: 500 },
  },
  quick: {
    'in-memory': { objects: 2_000, reads: 2_000, watched: 50 },
    'kube-apiserver': { objects: 500, reads: 500, watched: 50 },
  },
  tiny: {
    'in-memory': { objects: 50, reads: 50, watched: 5 },
    'kube-apiserver': { objects: 50, reads: 50, watched: 5 },
  },
};

const inFlight = 16;
const watchers = 20;

interface Figure extends Rate {
  readonly serverCpuMs: number | undefined;
}

interface Measured {
  readonly server: ServerName;
  readonly startedMs: number;
  /** CPU ms and resident MB of a server that has just started. */
  readonly startCpuMs: number | undefined;
  readonly startMb: number | undefined;
  readonly create: Figure;
  readonly read: Figure;
  readonly watch: Figure;
  /** Resident MB that the created objects have added. */
  readonly grownMb: number | undefined;
}

const difference = (after: number | undefined, before: number | undefined): number | undefined =>
  after === undefined || before === undefined ? undefined : after - before;

async function measure(lab: Lab, server: BenchServer): Promise<Measured> {
  const { objects, reads, watched } = sizeAt[lab.scale][server.name];
  const [startCpuMs, startMb] = [server.cpuMs(), await server.rssMb()];
  const parameters: RequestParameters = { access: await accessOf(server.kubeconfigYaml), inFlight };
  await using child = startChild('requests', parameters, { lab });
  await child.said();
  const phase = async (wanted: Phase): Promise<Figure> => {
    const before = server.cpuMs();
    const rate = await child.ask<Rate>(wanted);
    return { ...rate, serverCpuMs: difference(server.cpuMs(), before) };
  };
  await phase({ kind: 'create', count: 200 });
  const before = await server.rssMb();
  const create = await phase({ kind: 'create', count: objects });
  const grownMb = difference(await server.rssMb(), before);
  const read = await phase({ kind: 'read', count: reads });
  const watch = await phase({ kind: 'watch', count: watched, watchers });
  const { name, startedMs } = server;
  return { server: name, startedMs, startCpuMs, startMb, create, read, watch, grownMb };
}

const perSecond = ({ done, wallMs }: Figure): number => (done / wallMs) * 1000;
const cpuEach = ({ done, serverCpuMs }: Figure): number | undefined =>
  serverCpuMs === undefined ? undefined : serverCpuMs / done;

/** One column: what it shows of a server. */
interface Column {
  readonly head: string;
  readonly of: (measured: Measured) => number | undefined;
  /** What the in-memory cluster is to reach, with what that means. */
  readonly target?: readonly [atMost: number, meaning: string];
}

const startColumns: readonly Column[] = [
  { head: 'ms until ready', of: ({ startedMs }) => startedMs },
  { head: 'CPU ms', of: ({ startCpuMs }) => startCpuMs },
  { head: 'MB', of: ({ startMb }) => startMb },
];

const workColumns = (lab: Lab): readonly Column[] => [
  { head: 'creates/s', of: ({ create }) => perSecond(create) },
  {
    head: 'CPU ms',
    of: ({ create }) => cpuEach(create),
    target: [1 / 5, 'CPU ms per create, for 5 000/s on one core'],
  },
  { head: 'reads/s', of: ({ read }) => perSecond(read) },
  { head: 'CPU ms', of: ({ read }) => cpuEach(read), target: [1 / 15, 'CPU ms per read, for 15 000/s on one core'] },
  { head: 'events/s', of: ({ watch }) => perSecond(watch) },
  {
    head: 'CPU ms',
    of: ({ watch }) => cpuEach(watch),
    target: [1 / 100, 'CPU ms per event, its share of the write included, for 100 000/s on one core'],
  },
  {
    head: 'MB per 100 000 objects',
    of: ({ server, grownMb }) => grownMb && (grownMb * 100_000) / sizeAt[lab.scale][server].objects,
    target: [500, 'MB per 100 000 objects'],
  },
];

const ratio = (a: number | undefined, b: number | undefined): number | undefined => a && b && a / b;

/** A row for each server, and one that compares two. */
function tableOf(columns: readonly Column[], measured: readonly Measured[]): Pick<Table, 'columns' | 'rows'> {
  const rowOf = (one: Measured): readonly Cell[] => [one.server, ...columns.map(({ of }) => of(one))];
  const [first, second] = measured;
  const compared =
    first && second
      ? [[`${first.server} / ${second.server}`, ...columns.map(({ of }) => ratio(of(first), of(second)))]]
      : [];
  return { columns: ['server', ...columns.map(({ head }) => head)], rows: [...measured.map(rowOf), ...compared] };
}

function targetsOf(columns: readonly Column[], measured: readonly Measured[]): readonly Target[] {
  const ours = measured.find(({ server }) => server === 'in-memory');
  return columns.flatMap(({ of, target }) => {
    const value = ours && of(ours);
    return target === undefined || value === undefined ? [] : [{ what: target[1], value, atMost: target[0] }];
  });
}

/** What the server itself can do. */
export const cluster: Benchmark = {
  name: 'cluster',
  summary: 'requests, events and memory of the in-memory cluster, beside the real server',
  async run(lab) {
    const measured: Measured[] = [];
    for (const name of lab.servers) {
      lab.progress(name);
      await using server = await startServer(name, lab);
      measured.push(await measure(lab, server));
    }
    const start: Table = {
      title: 'cluster: from exec until it is ready for clients over HTTPS, with the processes it needs',
      ...tableOf(startColumns, measured),
      notes: ['CPU and resident memory once a first client has registered its kind'],
    };
    const work: Table = {
      title: 'cluster: what the server itself does with ConfigMaps of 1 kB, over HTTPS on the loopback interface',
      ...tableOf(workColumns(lab), measured),
      ...(lab.scale === 'full' && { targets: targetsOf(workColumns(lab), measured) }),
      notes: [
        `${inFlight} requests at once from a client that parses nothing; events: ${watchers} watches see the same creates, each delivery counts; CPU is the server's`,
        'memory is resident memory per object created, for what a server keeps, caches and remembers of it',
      ],
    };
    return [start, work];
  },
};
