/** Runs many lives of one protocol and tallies their results. */

import { addCounts, type Counts } from '../checks/coverage.ts';
import type { Scenario } from '../directed/schedule.ts';
import { compatible, drawAdversaries } from '../faults/adversaries.ts';
import { drawFaults, type Fault, harsh, type Rates } from '../faults/faults.ts';
import type { Arena } from '../processes/arena.ts';
import { randomOf } from '../processes/random.ts';
import type { Identity } from '../protocols/guarded.ts';
import { bounds, type Protocol, theGuard } from '../protocols/protocol.ts';
import { isFailure, type LifeOptions, live, type Verdict } from './life.ts';

/** Selection of the lives to run. */
export interface LivesOptions {
  readonly arena: Arena;
  readonly seed: number | string;
  readonly identity: Identity;
  /** Number of the first one. @default 0 */
  readonly from?: number;
  readonly lives: number;
  /** @default the guard */
  readonly protocol?: Protocol;
  /** @default harsh */
  readonly rates?: Rates;
  /** Uses the schedules of this scenario instead of drawn faults: life n is its n-th schedule. */
  readonly scenario?: Scenario | undefined;
  /** Receives the verdict of every life. */
  onLife?(number: number, verdict: Verdict): void;
}

/** Totals of many lives. */
export interface Tally {
  /** Name of a directed scenario; undefined for random lives. */
  readonly scenario: string | undefined;
  readonly protocol: string;
  readonly identity: Identity;
  readonly lives: number;
  /** Number of lives in which, at rest, more than one thing of a workspace existed. */
  readonly duplicates: number;
  /** Number of lives that left something of a deleted workspace behind. */
  readonly leaks: number;
  /** Number of lives that stopped without stating a reason. */
  readonly stuck: number;
  /** Number of lives in which a person has to decide, as the condition says. */
  readonly human: number;
  /** Number of lives in which any guarantee was broken. */
  readonly violated: number;
  readonly effects: number;
  /** Number of times each state of the protocol was reached. */
  readonly coverage: Counts;
  /** Number of lives in which each kind of fault took effect. */
  readonly struck: ReadonlyMap<Fault['kind'], number>;
  /** Numbers of the failed lives. */
  readonly failed: readonly number[];
}

const horizon = 120_000;

/** Options of a numbered life; the same number always gives the same life. */
export function lifeOf(options: LivesOptions, number: number): LifeOptions {
  const { arena, identity, protocol = theGuard(), rates = harsh, scenario } = options;
  if (scenario !== undefined) return { arena, identity, protocol, ...scheduleOf(options, scenario, number) };
  const seed = `${options.seed}/${identity}/${number}`;
  const random = randomOf(`${seed}/faults`);
  const limits = { ...bounds, horizon, watched: protocol.run !== undefined };
  const drawn = drawFaults(random, rates, limits);
  const faults = compatible([...drawn, ...drawAdversaries(random, rates.adversary, limits)]);
  return { arena, identity, protocol, seed, faults, horizon, replicas: 1 + (number % 2) };
}

/** Returns the schedule of a life. @throws TypeError if the scenario has no such schedule */
function scheduleOf({ seed, identity, protocol = theGuard() }: LivesOptions, scenario: Scenario, number: number) {
  const schedules = scenario.schedules(protocol, identity);
  const schedule = schedules[number];
  if (schedule === undefined)
    throw new TypeError(
      `${scenario.name} has ${schedules.length} schedules for ${protocol.name}, counted from 0; found ${number}`,
    );
  return { seed: `${seed}/${scenario.name}`, ...schedule };
}

/** Adds the tallies of two shares of the same lives. */
export const addTallies = (a: Tally, b: Tally): Tally => {
  const struck = new Map(a.struck);
  for (const [kind, count] of b.struck) struck.set(kind, (struck.get(kind) ?? 0) + count);
  return {
    scenario: a.scenario,
    protocol: a.protocol,
    identity: a.identity,
    lives: a.lives + b.lives,
    duplicates: a.duplicates + b.duplicates,
    leaks: a.leaks + b.leaks,
    stuck: a.stuck + b.stuck,
    human: a.human + b.human,
    violated: a.violated + b.violated,
    effects: a.effects + b.effects,
    struck,
    coverage: addCounts(a.coverage, b.coverage),
    failed: [...a.failed, ...b.failed].sort((one, other) => one - other),
  };
};

/** Runs all lives, one after the other. */
export async function liveMany(options: LivesOptions): Promise<Tally> {
  const { from = 0, lives, protocol = theGuard(), identity, onLife } = options;
  const struck = new Map<Fault['kind'], number>();
  const failed: number[] = [];
  let coverage: Counts = new Map();
  const counts = { duplicates: 0, leaks: 0, stuck: 0, human: 0, violated: 0, effects: 0 };
  for (let number = from; number < from + lives; number += 1) {
    const verdict = await live(lifeOf(options, number));
    counts.duplicates += Number(verdict.duplicates > 0);
    counts.leaks += Number(verdict.leaks > 0);
    counts.stuck += Number(verdict.outcome === 'stuck');
    counts.human += Number(verdict.outcome === 'human');
    counts.violated += Number(verdict.violations.length > 0);
    counts.effects += verdict.effects;
    coverage = addCounts(coverage, verdict.coverage);
    for (const kind of new Set(verdict.struck.map((fault) => fault.kind)))
      struck.set(kind, (struck.get(kind) ?? 0) + 1);
    if (isFailure(verdict)) failed.push(number);
    onLife?.(number, verdict);
  }
  return {
    scenario: options.scenario?.name,
    protocol: protocol.name,
    identity,
    lives,
    ...counts,
    struck,
    coverage,
    failed,
  };
}
