/** Measures replicas that share the workspaces. */

import { Workspace } from '../../../../sdk/index.ts';
import type { Benchmark, Lab, Scale } from '../benchmark.ts';
import { type Child, startChild } from '../harness/child.ts';
import { createBacklog, forEachIndex } from '../harness/driver.ts';
import { type BenchServer, type ServerName, startServer } from '../harness/servers.ts';
import type { Usage } from '../harness/usage.ts';
import { keyAt } from '../harness/workload.ts';
import type { Table } from '../report/table.ts';

/** Parameters of a replica. */
export interface ReplicaParameters {
  readonly kubeconfigYaml: string;
  readonly replica: string;
  /** True: a shard of the ring `bench`; false: a candidate to lead. */
  readonly isShard: boolean;
}

/** Usage of a replica, and its requests and watch events about workspaces. */
export interface ReplicaUsage extends Usage {
  readonly requests: number;
  readonly events: number;
}

const objectsAt: Readonly<Record<Scale, number>> = { full: 1_000, quick: 300, tiny: 20 };
const label = 'shard.alpha.sharding.timebertt.dev/bench';
/** ms: the default of leader election. */
const leaseDuration = 15_000;

const isReady = ({ metadata, status }: Workspace): boolean =>
  status?.conditions?.some(
    ({ type, status: value, observedGeneration }) =>
      type === 'Ready' && value === 'True' && observedGeneration === metadata.generation,
  ) === true;

/** Follows all workspaces until `holds` of so many of them. */
async function untilAll(lab: Lab, { client }: BenchServer, holds: (workspace: Workspace) => boolean): Promise<void> {
  const missing = new Set(Array.from({ length: objectsAt[lab.scale] }, (_, index) => keyAt(index).name));
  const signal = AbortSignal.any([lab.signal, AbortSignal.timeout(240_000)]);
  for await (const event of client.watch(Workspace, { signal })) {
    if (event.type === 'BOOKMARK') continue;
    if (holds(event.object)) missing.delete(event.object.metadata.name);
    else missing.add(event.object.metadata.name);
    if (missing.size === 0) return;
  }
  throw new Error(`${missing.size} workspaces are not as they should be`);
}

async function shardsOf({ client }: BenchServer): Promise<ReadonlyMap<string, string | undefined>> {
  const { items } = await client.list(Workspace, { answer: 'metadata' });
  return new Map(items.map(({ metadata }) => [metadata.name, metadata.labels?.[label]]));
}

/** Replicas that have walked all workspaces twice. */
interface Walked {
  readonly replicas: number;
  readonly usages: readonly ReplicaUsage[];
}

const start = async (lab: Lab, parameters: ReplicaParameters): Promise<Child> => {
  const child = startChild('shard', parameters, { lab, nodeArguments: ['--expose-gc'], deadline: 60_000 });
  await child.said();
  return child;
};

/** Has replicas walk all workspaces, changes each once, and has them walk again. */
async function walkTwice(lab: Lab, server: BenchServer, replicas: readonly Child[]): Promise<Walked> {
  const objects = objectsAt[lab.scale];
  await createBacklog(server.client, objects);
  await untilAll(lab, server, isReady);
  await forEachIndex(objects, (index) => {
    const value = { spec: { networking: { dns: { zone: 'example.org' } } } };
    return server.client.patch(Workspace, keyAt(index), { type: 'merge', value }, { answer: 'metadata' });
  });
  await untilAll(lab, server, isReady);
  const usages = await Promise.all(replicas.map((replica) => replica.ask<ReplicaUsage>('usage')));
  return { replicas: replicas.length, usages };
}

/** Moves of workspaces after a replica has joined or left. */
interface Moves {
  readonly what: string;
  readonly moved: number;
  /** ms until all of them are assigned. */
  readonly took: number;
}

/** Waits until all workspaces have a shard among these, and counts those whose shard was another. */
async function movesUntil(
  lab: Lab,
  server: BenchServer,
  {
    what,
    shards,
    change,
  }: { readonly what: string; readonly shards: readonly string[]; readonly change: () => unknown },
): Promise<Moves> {
  const before = await shardsOf(server);
  const from = performance.now();
  await change();
  const missing = async () => !new Set((await shardsOf(server)).values()).has(shards.at(-1));
  while (await missing()) lab.signal.throwIfAborted();
  const isSettled = ({ metadata: { labels = {} } }: Workspace): boolean =>
    shards.includes(labels[label] ?? '') && !Object.keys(labels).some((key) => key.startsWith('drain.'));
  await untilAll(lab, server, isSettled);
  const took = performance.now() - from;
  const moved = [...(await shardsOf(server))].filter(([name, shard]) => before.get(name) !== shard).length;
  return { what, moved, took };
}

/** Starts a fourth replica, and ends it and another one. */
async function joinAndLeave(lab: Lab, server: BenchServer, replicas: readonly Child[]): Promise<readonly Moves[]> {
  let fourth: Child | undefined;
  const three = ['replica-0', 'replica-1', 'replica-2'];
  const moves = (what: string, shards: readonly string[], change: () => unknown) =>
    movesUntil(lab, server, { what, shards, change });
  const joins = await moves('a fourth joins', [...three, 'replica-3'], async () => {
    fourth = await start(lab, { kubeconfigYaml: server.kubeconfigYaml, replica: 'replica-3', isShard: true });
  });
  const stops = await moves('it is told to stop', three, () => fourth![Symbol.asyncDispose]());
  if (lab.scale === 'tiny') return [joins, stops];
  const killed = await moves('SIGKILL of the third', three.slice(0, 2), () =>
    process.kill(replicas[2]!.pid, 'SIGKILL'),
  );
  return [joins, stops, killed];
}

async function measure(lab: Lab, serverName: ServerName): Promise<readonly Table[]> {
  const walked: Walked[] = [];
  let moves: readonly Moves[] = [];
  for (const count of [1, 3]) {
    lab.progress(`${serverName}, ${count} of them`);
    await using server = await startServer(serverName, lab);
    const { kubeconfigYaml } = server;
    await using replicas = new AsyncDisposableStack();
    const all: Child[] = [];
    for (let at = 0; at < count; at += 1)
      all.push(replicas.use(await start(lab, { kubeconfigYaml, replica: `replica-${at}`, isShard: count > 1 })));
    walked.push(await walkTwice(lab, server, all));
    if (count > 1) moves = await joinAndLeave(lab, server, all);
  }
  return [tableOf(lab, serverName, walked), movesOf(lab, serverName, moves)];
}

const most = ({ usages }: Walked, of: (usage: ReplicaUsage) => number): number => Math.max(...usages.map(of));
const sum = ({ usages }: Walked, of: (usage: ReplicaUsage) => number): number =>
  usages.reduce((total, usage) => total + of(usage), 0);

function tableOf(lab: Lab, serverName: ServerName, walked: readonly Walked[]): Table {
  const objects = objectsAt[lab.scale];
  const [one, three] = walked as [Walked, Walked];
  const ratio = (of: (usage: ReplicaUsage) => number) => (most(three, of) / most(one, of)).toFixed(2);
  return {
    title: `shards on ${serverName}: ${objects} workspaces are walked to Ready, changed, and walked again`,
    columns: [
      'replicas',
      'events/object, most',
      'requests/object, most',
      'requests/object, all',
      'CPU ms/object, most',
      'CPU ms/object, all',
      'MB, most',
    ],
    rows: walked.map((it) => [
      `${it.replicas}`,
      most(it, ({ events }) => events) / objects,
      most(it, ({ requests }) => requests) / objects,
      sum(it, ({ requests }) => requests) / objects,
      most(it, ({ cpuMs }) => cpuMs) / objects,
      sum(it, ({ cpuMs }) => cpuMs) / objects,
      most(it, ({ rssMb }) => rssMb),
    ]),
    notes: [
      `the busiest of three / the only one: watch events ${ratio(({ events }) => events)}, requests ${ratio(({ requests }) => requests)}, CPU ${ratio(({ cpuMs }) => cpuMs)}`,
      '"most" is the replica with the most of it, which may be the one that assigns; "all" is their sum',
    ],
  };
}

function movesOf(lab: Lab, serverName: ServerName, moves: readonly Moves[]): Table {
  const objects = objectsAt[lab.scale];
  return {
    title: `shards on ${serverName}: three replicas, and a fourth that comes and goes`,
    columns: ['what', 'workspaces that move', 'share of all', 'lease durations'],
    rows: moves.map(({ what, moved, took }) => [what, moved, moved / objects, took / leaseDuration]),
    notes: ['from the start of the process or the signal until the last of them is assigned; a lease lasts 15 s'],
  };
}

/** Gain of replicas that walk side by side, and the cost of moves between them. */
export const shards: Benchmark = {
  name: 'shards',
  summary: 'three replicas share the workspaces, against one; one joins and is killed',
  async run(lab) {
    const tables: Table[] = [];
    for (const server of lab.servers) tables.push(...(await measure(lab, server)));
    return tables;
  },
};
