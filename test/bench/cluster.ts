import type { Benchmark, Lab, Scale } from './benchmark.ts';
import { startChild } from './child.ts';
import { type Access, accessOf } from './connect.ts';
import { type BenchServer, type ServerName, startServer } from './servers.ts';
import type { Cell, Table } from './table.ts';

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
    'in-memory': { objects: 20_000, reads: 10_000, watched: 500 },
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
  return { server: server.name, create, read, watch, grownMb };
}

const perSecond = ({ done, wallMs }: Figure): number => (done / wallMs) * 1000;
const cpuEach = ({ done, serverCpuMs }: Figure): number | undefined =>
  serverCpuMs === undefined ? undefined : serverCpuMs / done;

const rowOf = (lab: Lab, { server, create, read, watch, grownMb }: Measured): readonly Cell[] => [
  server,
  perSecond(create),
  cpuEach(create),
  perSecond(read),
  cpuEach(read),
  perSecond(watch),
  cpuEach(watch),
  grownMb === undefined ? undefined : (grownMb * 100_000) / sizeAt[lab.scale][server].objects,
];

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
    const table: Table = {
      title: 'cluster: what the server itself does with ConfigMaps of 1 kB, over HTTPS on the loopback interface',
      columns: ['server', 'creates/s', 'CPU ms', 'reads/s', 'CPU ms', 'events/s', 'CPU ms', 'MB per 100 000 objects'],
      rows: measured.map((one) => rowOf(lab, one)),
      notes: [
        `${inFlight} requests at once from a client that parses nothing; events: ${watchers} watches see the same creates, each delivery counts; CPU is the server's`,
        'memory is resident memory per object created, for what a server keeps, caches and remembers of it',
      ],
    };
    return [table];
  },
};
