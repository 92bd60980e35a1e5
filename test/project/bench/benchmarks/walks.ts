/** Measures the requests that walks of workspaces make, and what they cost the API server. */

import { type WatchEvent, Workspace } from '../../../../sdk/index.ts';
import type { Benchmark, Lab, Scale } from '../benchmark.ts';
import { startChild } from '../harness/child.ts';
import { createNamespaces, forEachIndex } from '../harness/driver.ts';
import { type BenchServer, type ServerName, startServer } from '../harness/servers.ts';
import { keyAt, workspaceAt } from '../harness/workload.ts';
import type { Cell, Table } from '../report/table.ts';

/** Conditions of the measured sequencer, each with one guarded thing, none of which waits for another. */
export const conditions = ['Database', 'Bucket', 'DNS'];

/** Parameters of the measured sequencer. */
export interface WalkParameters {
  readonly kubeconfigYaml: string;
}

/** Requests of the measured sequencer so far, by verb, kind and subresource. */
export interface WalkUsage {
  readonly requests: Readonly<Record<string, number>>;
}

const objectsAt: Readonly<Record<Scale, number>> = { full: 1_000, quick: 100, tiny: 5 };

/** Waits until all workspaces are Ready, or gone. */
async function untilAll(lab: Lab, { client }: BenchServer, end: 'Ready' | 'gone'): Promise<void> {
  const missing = new Set(Array.from({ length: objectsAt[lab.scale] }, (_, index) => keyAt(index).name));
  const isThere = (event: WatchEvent<Workspace>): event is Exclude<typeof event, { type: 'BOOKMARK' }> => {
    if (event.type === 'BOOKMARK') return false;
    const ready = event.object.status?.conditions?.find(({ type }) => type === 'Ready');
    return end === 'gone' ? event.type === 'DELETED' : ready?.status === 'True';
  };
  while (missing.size > 0) {
    // The server ends watches that begin just after the definition was created.
    for await (const event of client.watch(Workspace, { signal: lab.signal })) {
      if (isThere(event)) missing.delete(event.object.metadata.name);
      if (missing.size === 0) break;
    }
    lab.signal.throwIfAborted();
  }
}

const patchesOf = ({ requests }: WalkUsage): number =>
  Object.entries(requests).reduce((sum, [name, count]) => (name.startsWith('PATCH workspaces') ? sum + count : sum), 0);

/** Patches of a way, and server CPU for all its requests, both per workspace. */
interface Way {
  readonly patches: number;
  readonly cpuMs: number;
}

/** Fewest patches of a way: claim or release, and intent and outcome of each condition. */
const fewest = 1 + 2 * conditions.length;

/** Patches the status of small workspaces once each. */
async function patchSmall(lab: Lab, { client }: BenchServer): Promise<void> {
  const condition = { type: 'Bench', reason: 'Patched', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await forEachIndex(objectsAt[lab.scale], (index) => {
    const value = { status: { conditions: [{ ...condition, status: 'True' as const }], observedGeneration: index } };
    return client.patch(Workspace, smallAt(index), { type: 'merge', value }, { subresource: 'status' });
  });
}

const smallAt = (index: number) => ({ namespace: keyAt(index).namespace, name: `small-${index % 50}` });

async function measure(lab: Lab, server: BenchServer): Promise<Readonly<Record<'up' | 'down' | 'small', Way>>> {
  const { client } = server;
  const objects = objectsAt[lab.scale];
  const usedBy = async (work: () => Promise<unknown>): Promise<number> => {
    const before = server.cpuMs() ?? Number.NaN;
    await work();
    return ((server.cpuMs() ?? Number.NaN) - before) / objects;
  };
  await createNamespaces(client);
  await forEachIndex(50, (index) => client.create(Workspace, { metadata: smallAt(index), spec: {} }));
  await patchSmall(lab, server); // warms up
  const small = { patches: 1, cpuMs: await usedBy(() => patchSmall(lab, server)) };
  await using child = startChild('walk', { kubeconfigYaml: server.kubeconfigYaml } satisfies WalkParameters, { lab });
  await child.said();
  const way = async (work: () => Promise<unknown>): Promise<Way> => {
    const before = patchesOf(await child.ask<WalkUsage>('usage'));
    const cpuMs = await usedBy(work);
    return { patches: (patchesOf(await child.ask<WalkUsage>('usage')) - before) / objects, cpuMs };
  };
  const up = await way(async () => {
    await forEachIndex(objects, (index) => client.create(Workspace, workspaceAt(index), { answer: 'metadata' }));
    await untilAll(lab, server, 'Ready');
  });
  const down = await way(async () => {
    const gone = untilAll(lab, server, 'gone');
    await forEachIndex(objects, (index) => client.delete(Workspace, keyAt(index)));
    await gone;
  });
  return { up, down, small };
}

async function tableOf(lab: Lab, name: ServerName): Promise<Table> {
  lab.progress(name);
  await using server = await startServer(name, lab);
  const { up, down, small } = await measure(lab, server);
  const row = (title: string, { patches, cpuMs }: Way, least: number): readonly Cell[] => [
    title,
    patches,
    least,
    cpuMs,
    cpuMs / patches,
    small.cpuMs > 0 ? cpuMs / patches / small.cpuMs : '–', // too few patches to be measured
  ];
  return {
    title: `walks on ${name}: ${objectsAt[lab.scale]} workspaces of ${conditions.length} guarded conditions, up to Ready and down until they are gone`,
    columns: ['way', 'patches', 'least', 'server CPU ms', 'CPU ms/patch', '/ small'],
    rows: [row('up', up, fewest), row('down', down, fewest), row('a small status patch', small, 1)],
    notes: [
      'per workspace; server CPU includes etcd, creates, deletes, events and what the watches are sent',
      'least: claim or release, and intent and outcome of each condition; small: patches of workspaces without a spec, which nothing watches',
    ],
  };
}

/** Requests and server CPU of walks. */
export const walks: Benchmark = {
  name: 'walks',
  summary: 'what workspaces with three guarded conditions cost the API server',
  async run(lab) {
    const tables: Table[] = [];
    for (const server of lab.servers) tables.push(await tableOf(lab, server));
    return tables;
  },
};
