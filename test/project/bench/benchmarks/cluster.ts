import type { Benchmark, Lab } from '../benchmark.ts';
import {
  type Figure,
  floorName,
  inFlight,
  type Measured,
  measureFloor,
  measureServer,
  sizeAt,
  watchers,
} from '../harness/requesting.ts';
import { type ServerName, startServer } from '../harness/servers.ts';
import type { Cell, Table, Target } from '../report/table.ts';

interface Started {
  readonly server: ServerName;
  readonly startedMs: number;
  /** CPU time in ms of a server that has just started; resident memory in MB. */
  readonly cpuMs: number | undefined;
  readonly mb: number | undefined;
}

const perSecond = ({ done, wallMs }: Figure): number => (done / wallMs) * 1000;
/** Microseconds. */
const cpuEach = ({ done, serverCpuMs }: Figure): number | undefined =>
  serverCpuMs === undefined ? undefined : (serverCpuMs / done) * 1000;

/** A column: title and value for a server. */
interface Column<Row> {
  readonly head: string;
  readonly of: (row: Row) => number | undefined;
  /** Target of the in-memory cluster, with its meaning. */
  readonly target?: readonly [atMost: number, meaning: string];
}

const startColumns: readonly Column<Started>[] = [
  { head: 'ms until ready', of: ({ startedMs }) => startedMs },
  { head: 'CPU ms', of: ({ cpuMs }) => cpuMs },
  { head: 'MB', of: ({ mb }) => mb },
];

const workColumns = (lab: Lab): readonly Column<Measured>[] => [
  { head: 'creates/s', of: ({ create }) => perSecond(create) },
  {
    head: 'CPU µs',
    of: ({ create }) => cpuEach(create),
    target: [1e6 / 5_000, 'CPU µs per create, for 5 000/s on one core'],
  },
  { head: 'reads/s', of: ({ read }) => perSecond(read) },
  {
    head: 'CPU µs',
    of: ({ read }) => cpuEach(read),
    target: [1e6 / 15_000, 'CPU µs per read, for 15 000/s on one core'],
  },
  { head: 'events/s', of: ({ watch }) => perSecond(watch) },
  {
    head: 'CPU µs',
    of: ({ watch }) => cpuEach(watch),
    target: [1e6 / 100_000, 'CPU µs per event, its share of the write included, for 100 000/s on one core'],
  },
  {
    head: 'MB per 100 000 objects',
    of: ({ server, grownMb }) =>
      server === floorName ? undefined : grownMb && (grownMb * 100_000) / sizeAt[lab.scale][server].objects,
    target: [500, 'MB per 100 000 objects'],
  },
];

const http2Columns: readonly Column<Measured>[] = [
  { head: 'creates/s', of: ({ create2 }) => perSecond(create2) },
  { head: 'CPU µs', of: ({ create2 }) => cpuEach(create2) },
  { head: 'reads/s', of: ({ read2 }) => perSecond(read2) },
  { head: 'CPU µs', of: ({ read2 }) => cpuEach(read2) },
];

const ratio = (a: number | undefined, b: number | undefined): number | undefined => a && b && a / b;

/** A table with a row for each server, and one that compares the first with each of the others. */
function tableOf<Row extends { readonly server: string }>(
  columns: readonly Column<Row>[],
  measured: readonly Row[],
): Pick<Table, 'columns' | 'rows'> {
  const rowOf = (one: Row): readonly Cell[] => [one.server, ...columns.map(({ of }) => of(one))];
  const [first, ...others] = measured;
  const compared = (first === undefined ? [] : others).map((other): readonly Cell[] => [
    `${first!.server} / ${other.server}`,
    ...columns.map(({ of }) => ratio(of(first!), of(other))),
  ]);
  return { columns: ['server', ...columns.map(({ head }) => head)], rows: [...measured.map(rowOf), ...compared] };
}

function targetsOf(columns: readonly Column<Measured>[], measured: readonly Measured[]): readonly Target[] {
  const ours = measured.find(({ server }) => server === 'in-memory');
  return columns.flatMap(({ of, target }) => {
    const value = ours && of(ours);
    return target === undefined || value === undefined ? [] : [{ what: target[1], value, atMost: target[0] }];
  });
}

async function measureAll(lab: Lab): Promise<{ readonly started: Started[]; readonly measured: Measured[] }> {
  const started: Started[] = [];
  const measured: Measured[] = [];
  for (const name of lab.servers) {
    lab.progress(name);
    await using server = await startServer(name, lab);
    started.push({ server: name, startedMs: server.startedMs, cpuMs: server.cpuMs(), mb: await server.rssMb() });
    measured.push(await measureServer(lab, server));
  }
  lab.progress(floorName);
  measured.push(await measureFloor(lab));
  return { started, measured };
}

/** Throughput of the server itself. */
export const cluster: Benchmark = {
  name: 'cluster',
  summary: 'requests, events and memory of the in-memory cluster, beside the real server',
  async run(lab) {
    const { started, measured } = await measureAll(lab);
    const columns = workColumns(lab);
    return [
      {
        title: 'cluster: from exec until it is ready for clients over HTTPS, with the processes it needs',
        ...tableOf(startColumns, started),
        notes: ['CPU and resident memory once a first client has registered its kind'],
      },
      {
        title: 'cluster: what the server itself does with ConfigMaps of 1 kB, over HTTPS on the loopback interface',
        ...tableOf(columns, measured),
        ...(lab.scale === 'full' && { targets: targetsOf(columns, measured) }),
        notes: [
          `${inFlight} requests at once from a client that parses nothing; events: ${watchers} watches, each a connection of its own, see the same creates; each delivery counts; CPU is the server's`,
          `${floorName}: Node's HTTPS server, which keeps the texts that it was sent and does nothing else`,
          'reads are counted after as many that are not: the first 20 000 cost half to three quarters more, while Node compiles what answers them',
          'memory is resident memory per object created, for what a server keeps, caches and remembers of it',
        ],
      },
      {
        title: `cluster: the same over one connection of HTTP/2, ${inFlight} requests at once`,
        ...tableOf(http2Columns, measured),
      },
    ];
  },
};
