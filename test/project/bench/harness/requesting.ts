/** Measures the throughput of servers. */

import type { Lab, Scale } from '../benchmark.ts';
import { startChild } from './child.ts';
import { type Access, accessOf } from './connect.ts';
import type { BenchServer, ServerName } from './servers.ts';
import { type Usage, usageOf } from './usage.ts';

/** Parameters of the load generator. */
export interface RequestParameters {
  readonly access: Access;
  /** Concurrent requests. */
  readonly inFlight: number;
}

/** A kind of request, and its number. */
export interface Phase {
  readonly kind: 'create' | 'read' | 'watch';
  /** Number of requests; of a watch, number of creates that every watcher is to observe. */
  readonly count: number;
  readonly watchers?: number;
  /** Uses one HTTP/2 connection instead of one HTTP/1.1 connection for each concurrent request. @default false */
  readonly http2?: boolean;
}

/** Result of a phase: answered requests, or delivered events. */
export interface Rate {
  readonly done: number;
  readonly wallMs: number;
  readonly clientCpuMs: number;
}

/** Node's own HTTPS server, which only stores texts: the minimum cost of any server in Node. */
export const floorName = 'Node alone';

/** Names of the measured servers. */
export type SubjectName = ServerName | typeof floorName;

/** A measured server. */
interface Subject {
  readonly name: SubjectName;
  readonly access: Access;
  cpuMs(): number | undefined;
  rssMb(): Promise<number | undefined>;
}

/** Number of requests in each phase. */
interface Size {
  readonly objects: number;
  readonly reads: number;
  readonly watched: number;
}

const real = (objects: number, watched: number): Size => ({ objects, reads: objects, watched });

/** Sizes by scale and server. */
export const sizeAt: Readonly<Record<Scale, Readonly<Record<SubjectName, Size>>>> = {
  full: {
    'in-memory': { objects: 100_000, reads: 20_000, watched: 1_000 },
    'kube-apiserver': real(5_000, 200),
    [floorName]: { objects: 20_000, reads: 20_000, watched: 1_000 },
  },
  quick: { 'in-memory': real(2_000, 50), 'kube-apiserver': real(500, 20), [floorName]: real(2_000, 50) },
  tiny: { 'in-memory': real(50, 5), 'kube-apiserver': real(50, 5), [floorName]: real(50, 5) },
};

/** Concurrent requests. */
export const inFlight = 16;
/** Watches that observe the same creates. */
export const watchers = 100;

/** Result of a phase, and the resources that the server used for it. */
export interface Figure extends Rate {
  readonly serverCpuMs: number | undefined;
}

/** Throughput of a server. */
export interface Measured {
  readonly server: SubjectName;
  readonly create: Figure;
  readonly read: Figure;
  readonly watch: Figure;
  readonly create2: Figure;
  readonly read2: Figure;
  /** Resident memory in MB that the created objects have added. */
  readonly grownMb: number | undefined;
}

const difference = (after: number | undefined, before: number | undefined): number | undefined =>
  after === undefined || before === undefined ? undefined : after - before;

/** Measures a server. */
async function measureSubject(lab: Lab, subject: Subject): Promise<Measured> {
  const { objects, reads, watched } = sizeAt[lab.scale][subject.name];
  const parameters: RequestParameters = { access: subject.access, inFlight };
  await using child = startChild('requests', parameters, { lab, deadline: 300_000 });
  await child.said();
  const phase = async (wanted: Phase): Promise<Figure> => {
    const before = subject.cpuMs();
    const rate = await child.ask<Rate>(wanted);
    return { ...rate, serverCpuMs: difference(subject.cpuMs(), before) };
  };
  await phase({ kind: 'create', count: 200 });
  const before = await subject.rssMb();
  const create = await phase({ kind: 'create', count: objects });
  const grownMb = difference(await subject.rssMb(), before);
  await phase({ kind: 'read', count: reads }); // warms up; compilation counts as start-up cost
  const read = await phase({ kind: 'read', count: reads });
  const watch = await phase({ kind: 'watch', count: watched, watchers });
  const create2 = await phase({ kind: 'create', count: reads, http2: true });
  const read2 = await phase({ kind: 'read', count: reads, http2: true });
  return { server: subject.name, create, read, watch, create2, read2, grownMb };
}

/** Measures a Kubernetes API server. */
export const measureServer = async (lab: Lab, server: BenchServer): Promise<Measured> =>
  measureSubject(lab, { ...server, access: await accessOf(server.kubeconfigYaml) });

/** Measures the floor of any server in Node. */
export async function measureFloor(lab: Lab): Promise<Measured> {
  await using child = startChild('floor-server', {}, { lab, nodeArguments: ['--expose-gc'] });
  const access = await child.said<Access>();
  const cpuMs = () => usageOf(child.pid)?.cpuMs;
  const rssMb = async () => (await child.ask<Usage>('usage')).rssMb;
  return await measureSubject(lab, { name: floorName, access, cpuMs, rssMb });
}
