import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, Workspace } from '../../../../sdk/index.ts';
import type { Benchmark, Lab, Scale } from '../benchmark.ts';
import { createNamespaces, isReady } from '../harness/driver.ts';
import { type OperatorName, operatorNames, startOperator } from '../harness/operators.ts';
import { type ServerName, startServer } from '../harness/servers.ts';
import { workspaceAt } from '../harness/workload.ts';
import type { Progress } from '../programs/tally.ts';
import { percentile } from '../report/figures.ts';
import type { Cell, Table } from '../report/table.ts';

/** Number of measured creates, and of those before that only warm up. */
interface Creates {
  readonly warmUp: number;
  readonly count: number;
}

const createsAt: Readonly<Record<Scale, Creates>> = {
  full: { warmUp: 40, count: 400 },
  quick: { warmUp: 40, count: 60 },
  tiny: { warmUp: 1, count: 3 },
};
/** ms from one create to the next. */
const interval = 50;
/** ms until the last one must be ready. */
const maxWait = 30_000;

/** Workspaces with these numbers. */
interface Range {
  readonly from: number;
  readonly count: number;
}

/** Creates one workspace every {@link interval} ms and returns the ms of each from before its POST until a watch showed it Ready. */
async function latencies(client: Client, { from, count }: Range, signal: AbortSignal): Promise<readonly number[]> {
  const { resourceVersion } = await client.list(Workspace);
  const sent = new Map<string, number>();
  const took: number[] = [];
  const stop = new AbortController();
  const late = AbortSignal.timeout(count * interval + maxWait);
  const watching = AbortSignal.any([signal, stop.signal, late]);
  const follow = async (): Promise<void> => {
    for await (const event of client.watch(Workspace, { resourceVersion, signal: watching })) {
      if (event.type === 'BOOKMARK' || !isReady(event.object)) continue;
      const { name } = event.object.metadata;
      const before = sent.get(name);
      if (before === undefined || !sent.delete(name)) continue;
      took.push(performance.now() - before);
      if (took.length === count) return;
    }
    throw new Error(`the watch ended after ${took.length} of ${count} workspaces`);
  };
  const following = follow();
  following.catch(() => {});
  const begin = performance.now();
  const creating: Promise<unknown>[] = [];
  for (let index = 0; index < count; index++) {
    await sleep(Math.max(0, begin + index * interval - performance.now()), undefined, { signal });
    const workspace = workspaceAt(from + index);
    sent.set(workspace.metadata.name!, performance.now());
    creating.push(client.create(Workspace, workspace, { answer: 'metadata', signal }));
  }
  await Promise.all([...creating, following]);
  stop.abort();
  return took;
}

async function rowOf(lab: Lab, serverName: ServerName, name: OperatorName): Promise<readonly Cell[]> {
  const { warmUp, count } = createsAt[lab.scale];
  await using server = await startServer(serverName, lab);
  await createNamespaces(server.client);
  await using operator = await startOperator(lab, server, { name, objects: 0 });
  await operator.said<Progress>();
  await latencies(server.client, { from: 0, count: warmUp }, lab.signal);
  const before = await operator.ask<Progress>('how far');
  const took = await latencies(server.client, { from: warmUp, count }, lab.signal);
  const after = await operator.ask<Progress>('how far');
  const { writes, cpuMs, peakRssMb } = after;
  const shares = [0.5, 0.95, 0.99].map((share) => percentile(took, share));
  return [
    name,
    ...shares,
    Math.max(...took),
    (cpuMs - before.cpuMs) / count,
    peakRssMb,
    (writes - before.writes) / count,
  ];
}

async function tableOf(lab: Lab, server: ServerName): Promise<Table> {
  const rows: (readonly Cell[])[] = [];
  const { warmUp, count } = createsAt[lab.scale];
  const names = lab.scale === 'tiny' ? operatorNames.slice(0, 1) : operatorNames;
  for (const name of names) {
    lab.progress(`${server}, ${name}`);
    rows.push(await rowOf(lab, server, name));
  }
  return {
    title: `latency on ${server}: ms from before the create until a watch shows the workspace Ready, after two writes`,
    columns: ['operator', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms', 'CPU ms/object', 'peak MB', 'writes/object'],
    rows,
    notes: [
      `${count} creates, one each ${interval} ms, after ${warmUp} that are not counted; CPU of the operator meanwhile, without its start`,
    ],
  };
}

/** Time until a new object is ready. */
export const latency: Benchmark = {
  name: 'latency',
  summary: 'from create to Ready at 20 creates a second',
  async run(lab) {
    const tables: Table[] = [];
    for (const server of lab.servers) tables.push(await tableOf(lab, server));
    return tables;
  },
};
