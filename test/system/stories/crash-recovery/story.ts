/** Story of many workspaces with a sequencer that is killed repeatedly. */

import type { ExecutionContext } from 'ava';
import { conditionOf, type GuardTimes, type Workspace } from '../../../../sdk/index.ts';
import { connectTo, isReady, statusesOf } from '../sequencing.ts';
import { type Crowd, isSettled, isStuck, isUnknown, startCrowd } from './crowd.ts';
import type { Names } from './names.ts';
import { startThirdParty, type ThirdParty } from './third-party.ts';
import { startVictim, type Victim } from './victim.ts';

/** Parameters of the story. */
export interface Plot {
  readonly kubeconfigPath: string;
  readonly workspaces: number;
  /** Number of kills while the workspaces become ready, and while they are deleted. */
  readonly kills: { readonly up: number; readonly down: number };
  readonly times: Partial<GuardTimes>;
  /** ms without any progress after which the story fails. */
  readonly patience: number;
  /** Name server; without it, the third party holds the names as well. */
  readonly names?: Names;
  /** Receives progress reports. */
  readonly progress?: (line: string) => void;
}

interface Cast {
  readonly t: ExecutionContext;
  readonly plot: Plot;
  readonly party: ThirdParty;
  readonly crowd: Crowd;
  readonly victim: Victim;
  /** Reports progress with the time taken. */
  readonly told: (what: string) => void;
}

/** Kills the sequencer each time another part of the crowd is done. */
async function killOnTheWay(cast: Cast, kills: number, through: (members: readonly Workspace[]) => number) {
  const { crowd, victim, plot, told } = cast;
  for (let kill = 1; kill <= kills; kill += 1) {
    const part = (plot.workspaces * kill) / (kills + 1);
    await crowd.until(`${part} are through`, (members) => through(members) >= part);
    await victim.killAndRestart();
    told(`killed when ${through(crowd.members())} of ${plot.workspaces} were through`);
  }
}

function tellerFor(t: ExecutionContext, { progress }: Plot): Cast['told'] {
  const beginning = performance.now();
  return (what) => {
    const line = `${((performance.now() - beginning) / 1000).toFixed(1)} s: ${what}`;
    t.log(line);
    progress?.(line);
  };
}

/** Types of the things that exist at the third party for one workspace, sorted. */
const existingFor = (party: ThirdParty, { metadata }: Workspace): string =>
  party
    .things()
    .filter(({ exists, owner }) => exists && owner === metadata.uid)
    .map(({ type }) => type)
    .sort()
    .join();

function nothingWasMadeTwice({ t, party }: Cast): void {
  const makings = new Map<string, number>();
  for (const { owner, type, made } of party.things())
    makings.set(`${type} of ${owner}`, (makings.get(`${type} of ${owner}`) ?? 0) + made);
  t.deepEqual(
    [...makings].filter(([, made]) => made !== 1),
    [],
    'nothing is made twice',
  );
}

/**
 * Asserts that the lock of a dead holder names the holder and the time, or, if it died before it wrote those, the waiter, so that a person
 * can act on it.
 */
function saysWhoHeldIt({ t }: Cast, workspace: Workspace): void {
  t.regex(
    conditionOf(workspace, 'Tunneling').reason,
    /(held|missed) by \S+ since \d{4}-\d\d-\d\dT/,
    workspace.metadata.name,
  );
}

async function checkTop(cast: Cast): Promise<void> {
  const { t, crowd, party, plot } = cast;
  const all = crowd.members();
  t.is(all.length, plot.workspaces);
  const ready = all.filter(isReady);
  const here = plot.names === undefined ? 'DNS,Ingress,Tunneling' : 'Ingress,Tunneling';
  for (const one of ready) {
    t.like(statusesOf(one), { Tunneling: 'Completed', Ingress: 'Completed', DNS: 'Completed' });
    t.is(existingFor(party, one), here, one.metadata.name);
  }
  for (const one of all.filter(isUnknown)) {
    saysWhoHeldIt(cast, one);
    t.true(['', 'Tunneling'].includes(existingFor(party, one)), `${one.metadata.name} went no further`);
  }
  nothingWasMadeTwice(cast);
  if (plot.names !== undefined)
    t.deepEqual(await plot.names.published(), ready.map(({ status }) => status?.host ?? '').sort());
}

/** Resolves unknown tunnels as an administrator does: looks, removes what exists, and releases the workspace. */
async function settleByHand({ crowd, party }: Cast): Promise<void> {
  for (const workspace of crowd.members()) {
    party.removeAll(workspace.metadata.uid!);
    await crowd.release(workspace);
  }
}

async function play(cast: Cast): Promise<void> {
  const { t, plot, crowd, party, told } = cast;
  const { workspaces, kills } = plot;
  const creating = crowd.createAll(workspaces, plot.names?.zone ?? 'example.test');
  await killOnTheWay(cast, kills.up, (members) => members.filter(isSettled).length);
  await creating;
  await crowd.until('all are ready or unknown', (members) => members.every(isSettled));
  const unknown = crowd.members().filter(isUnknown);
  told(`${workspaces - unknown.length} ready, ${unknown.length} unknown after ${kills.up} kills`);
  t.true(unknown.length <= kills.up * 10, 'no more than were at work when their holder died');
  await checkTop(cast);

  const deleting = crowd.deleteAll();
  await killOnTheWay(cast, kills.down, (members) => workspaces - members.filter((one) => !isStuck(one)).length);
  await deleting;
  await crowd.until('all are gone or unknown', (members) => members.every(isStuck));
  const stuck = crowd.members();
  told(`${workspaces - stuck.length} gone, ${stuck.length} wait for a person after ${kills.down} more kills`);
  t.true(stuck.length <= (kills.up + kills.down) * 10);
  for (const one of stuck) saysWhoHeldIt(cast, one);

  await settleByHand(cast);
  await crowd.until('all are gone', (members) => members.length === 0);
  told('nothing is left');
  nothingWasMadeTwice(cast);
  t.deepEqual(
    party.things().filter(({ exists }) => exists),
    [],
  );
  if (plot.names !== undefined) t.deepEqual(await plot.names.published(), []);
}

/**
 * Many workspaces become ready and are deleted again while their sequencer is killed repeatedly: identifiable things are found again,
 * others are reported and never created again, and no thing is created twice.
 */
export async function tellOfKills(t: ExecutionContext, plot: Plot): Promise<void> {
  const client = await connectTo(plot);
  const party = await startThirdParty({ latency: 5 });
  const { kubeconfigPath: kubeconfig, times, names } = plot;
  const dns = names && { dns: names.options };
  const victim = await startVictim({ kubeconfig, url: party.url, times, ...dns });
  const crowd = await startCrowd({ client, patience: plot.patience, hopeless: () => victim.ending() });
  try {
    await play({ t, plot, party, crowd, victim, told: tellerFor(t, plot) });
  } finally {
    await victim.close();
    await crowd.close();
    await party.close();
    await client.close();
  }
}
