import type { Benchmark, Lab, Scale } from '../benchmark.ts';
import { createBacklog, verifyAll } from '../harness/driver.ts';
import { type OperatorName, operatorNames, startOperator } from '../harness/operators.ts';
import { type BenchServer, type ServerName, startServer } from '../harness/servers.ts';
import type { Progress } from '../programs/tally.ts';
import type { Cell, Table } from '../report/table.ts';

const objectsAt: Readonly<Record<Scale, number>> = { full: 5_000, quick: 500, tiny: 20 };

interface Measured {
  readonly name: OperatorName;
  readonly wallMs: number;
  /** ms from the start of the process until the first object is ready. */
  readonly firstMs: number;
  readonly serverCpuMs: number | undefined;
  readonly bytes: number;
  readonly progress: Progress;
}

async function measure(lab: Lab, server: BenchServer, name: OperatorName): Promise<Measured> {
  const objects = objectsAt[lab.scale];
  await createBacklog(server.client, objects);
  const cpuBefore = server.cpuMs();
  const started = Date.now();
  await using operator = await startOperator(lab, server, { name, objects });
  const progress = await operator.said<Progress>();
  const cpuAfter = server.cpuMs();
  const { bytes } = await verifyAll(server.client, objects);
  const serverCpuMs = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    name,
    wallMs: progress.at - started,
    firstMs: progress.firstReadyAt - started,
    serverCpuMs,
    bytes,
    progress,
  };
}

const rowOf = ({ name, wallMs, firstMs, serverCpuMs, progress }: Measured, objects: number): readonly Cell[] => [
  name,
  (objects / wallMs) * 1000,
  firstMs,
  progress.cpuMs / objects,
  progress.peakRssMb,
  progress.writes / objects,
  progress.conflicts,
  serverCpuMs === undefined ? undefined : serverCpuMs / objects,
];

async function tableOf(lab: Lab, serverName: ServerName): Promise<Table> {
  const measured: Measured[] = [];
  for (const name of operatorNames) {
    lab.progress(`${serverName}, ${name}`);
    await using server = await startServer(serverName, lab);
    measured.push(await measure(lab, server, name));
  }
  const objects = objectsAt[lab.scale];
  const [ours, floor] = measured.map(({ progress }) => progress);
  return {
    title: `backlog on ${serverName}: ${objects} workspaces exist, an operator starts and writes twice to each`,
    columns: [
      'operator',
      'objects/s',
      'first Ready ms',
      'CPU ms/object',
      'peak MB',
      'writes/object',
      'conflicts',
      'server CPU ms/object',
    ],
    rows: measured.map((one) => rowOf(one, objects)),
    notes: [
      `objects of ${Math.round(measured[0]!.bytes)} bytes when ready; 16 at once; CPU and time from the start of the process, each on a fresh server; all verified`,
      `this SDK / undici alone: CPU ${(ours!.cpuMs / floor!.cpuMs).toFixed(2)}, peak memory ${(ours!.peakRssMb / floor!.peakRssMb).toFixed(2)}`,
    ],
  };
}

/** Cost of a start on an existing cluster. */
export const backlog: Benchmark = {
  name: 'backlog',
  summary: 'an operator starts on thousands of objects and writes twice to each',
  async run(lab) {
    const tables: Table[] = [];
    for (const server of lab.servers) tables.push(await tableOf(lab, server));
    return tables;
  },
};
