/** Story of two sequencers that work on the same workspaces and are killed at random, and how acts are repeated steadily. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { type Client, type GuardTimes, NotFoundError, Workspace } from '../../../../sdk/index.ts';
import { connectTo, isReady } from '../sequencing.ts';
import { type Crowd, member, startCrowd } from './crowd.ts';
import type { Names } from './names.ts';
import { startVictim, type Victim } from './victim.ts';

/** Parameters of the story. */
export interface ChaosPlot {
  readonly kubeconfigPath: string;
  readonly names: Names;
  readonly workspaces: number;
  /** ms for which replicas are killed: while workspaces are created, and while they are deleted. */
  readonly chaos: { readonly up: number; readonly down: number };
  readonly times: Partial<GuardTimes>;
  readonly progress: (line: string) => void;
}

/** ms between two kills, and between two foreign writes. */
const killInterval = 1_000;
const foreignInterval = 20;

interface Scene {
  readonly t: ExecutionContext;
  readonly plot: ChaosPlot;
  readonly client: Client;
  /** Client of a foreign writer. */
  readonly foreign: Client;
  readonly crowd: Crowd;
  readonly replicas: readonly Victim[];
  readonly tell: (what: string) => void;
}

/** Counts of events. */
interface Toll {
  kills: number;
  patches: number;
  refused: number;
  /** Foreign patches in flight. */
  underWay: number;
}

/** Acts at this interval on average until aborted; catches up on missed acts. */
export async function steadily(interval: number, stop: AbortSignal, act: (count: number) => void): Promise<void> {
  const beginning = performance.now();
  for (let count = 1; !stop.aborted; count += 1) {
    const wait = beginning + count * interval - performance.now();
    await sleep(Math.max(0, wait), undefined, { signal: stop }).catch(() => undefined);
    if (!stop.aborted) act(count);
  }
}

/** Most foreign requests in flight: a slow server gets fewer of them, which is reported. */
const foreignWidth = 25;

/** Patches labels of one workspace after the other, and foreign fields of its status, in turn. */
function foreignWrite({ foreign, crowd }: Scene, toll: Toll, count: number): void {
  const members = crowd.members();
  const one = members[Math.floor(count / 2) % Math.max(1, members.length)];
  if (one === undefined || toll.underWay >= foreignWidth) return;
  const key = { namespace: 'default', name: one.metadata.name };
  const seen = String(count);
  const [value, options] =
    count % 2 === 0
      ? [{ metadata: { labels: { 'example.com/seen': seen } } }, {}]
      : [{ status: { tunnel: { meta: { seen } } } }, { subresource: 'status' as const }];
  toll.patches += 1;
  toll.underWay += 1;
  const refused = (error: unknown) => {
    if (!(error instanceof NotFoundError)) toll.refused += 1;
  };
  void foreign
    .patch(Workspace, key, { type: 'merge', value }, options)
    .catch(refused)
    .finally(() => {
      toll.underWay -= 1;
    });
}

/** Kills one replica after the other at random while the others continue. */
async function underChaos(scene: Scene, ms: number, during: () => Promise<void>): Promise<void> {
  const { replicas, tell, crowd } = scene;
  const beginning = performance.now();
  const stop = new AbortController();
  const toll: Toll = { kills: 0, patches: 0, refused: 0, underWay: 0 };
  const restarts: Promise<void>[] = [];
  const kill = () => {
    const victim = replicas[Math.floor(Math.random() * replicas.length)]!;
    toll.kills += 1;
    restarts.push(victim.killAndRestart());
  };
  const [killing, writing] = [
    steadily(killInterval, stop.signal, kill),
    steadily(foreignInterval, stop.signal, (count) => foreignWrite(scene, toll, count)),
  ];
  try {
    await during();
    await sleep(Math.max(0, ms - (performance.now() - beginning)));
  } finally {
    stop.abort();
    await Promise.all([killing, writing, ...restarts]);
  }
  const ready = crowd.members().filter(isReady).length;
  tell(
    `${toll.kills} kills and as many restarts, ${toll.patches} foreign patches (${toll.refused} refused) in ${Math.round((performance.now() - beginning) / 1_000)} s; ${crowd.members().length} there, ${ready} ready`,
  );
}

async function createSlowly({ client, plot }: Scene, within: number): Promise<void> {
  const beginning = performance.now();
  for (let nth = 0; nth < plot.workspaces; nth += 1) {
    await client.create(Workspace, member(`w${nth}`, plot.names.zone));
    await sleep(Math.max(0, beginning + (nth * within) / plot.workspaces - performance.now()));
  }
}

const hostsOf = (crowd: Crowd): readonly string[] =>
  crowd
    .members()
    .map(({ status }) => status?.host ?? '')
    .sort();

async function play(scene: Scene): Promise<void> {
  const { t, plot, crowd, tell } = scene;
  const { names, workspaces, chaos } = plot;
  await underChaos(scene, chaos.up, () => createSlowly(scene, chaos.up * 0.9));
  await crowd.until('all are ready', (members) => members.length === workspaces && members.every(isReady));
  tell(`${workspaces} are Ready`);
  t.is(new Set(hostsOf(crowd)).size, workspaces);
  t.deepEqual(await names.published(), hostsOf(crowd), 'every workspace has exactly one record');
  t.deepEqual(await names.marked(), hostsOf(crowd), 'and one mark');

  await underChaos(scene, chaos.down, () => crowd.deleteAll());
  await crowd.until('all are gone', (members) => members.length === 0);
  tell('all are gone');
  t.deepEqual(await names.published(), []);
  t.deepEqual(await names.marked(), []);
}

/**
 * Two sequencers reconcile the same workspaces at once, without leader election; one of them is killed every second, and another client
 * writes the same objects up to fifty times a second in all. In the end every workspace is Ready and has exactly one record, and after
 * deletion there is none.
 */
export async function tellOfChaos(t: ExecutionContext, plot: ChaosPlot): Promise<void> {
  const beginning = performance.now();
  const tell = (what: string): void => {
    const line = `${((performance.now() - beginning) / 1_000).toFixed(1)} s: ${what}`;
    t.log(line);
    plot.progress(line);
  };
  const client = await connectTo(plot);
  const foreign = await connectTo(plot);
  const options = { kubeconfig: plot.kubeconfigPath, dns: plot.names.options, times: plot.times };
  const replicas = await Promise.all([startVictim(options), startVictim(options)]);
  const hopeless = () => replicas.map((one) => one.ending()).find((ending) => ending !== undefined);
  const crowd = await startCrowd({ client, patience: 60_000, hopeless });
  try {
    await play({ t, plot, client, foreign, crowd, replicas, tell });
  } finally {
    await Promise.all(replicas.map((one) => one.close()));
    await crowd.close();
    await foreign.close();
    await client.close();
  }
}
