import { compatible, drawAdversaries } from './adversaries.ts';
import type { Arena } from './arena.ts';
import { addCounts, type Counts } from './coverage.ts';
import type { Scenario } from './directed/schedule.ts';
import { drawFaults, type Fault, harsh, type Rates } from './faults.ts';
import type { Identity } from './guarded.ts';
import { isFailure, type LifeOptions, live, type Verdict } from './life.ts';
import { bounds, type Protocol, theGuard } from './protocol.ts';
import { randomOf } from './random.ts';

/** Which lives to live. */
export interface LivesOptions {
  readonly arena: Arena;
  readonly seed: number | string;
  readonly identity: Identity;
  /** The number of the first one. @default 0 */
  readonly from?: number;
  readonly lives: number;
  /** @default the guard */
  readonly protocol?: Protocol;
  /** @default harsh */
  readonly rates?: Rates;
  /** The schedules of this scenario in place of faults that are drawn: life n is its n-th schedule. */
  readonly scenario?: Scenario | undefined;
  /** Told of every life. */
  onLife?(number: number, verdict: Verdict): void;
}

/** What came of many lives. */
export interface Tally {
  /** Of a directed scenario; undefined for random lives. */
  readonly scenario: string | undefined;
  readonly protocol: string;
  readonly identity: Identity;
  readonly lives: number;
  /** Lives in which, at rest, more than one thing of a workspace existed. */
  readonly duplicates: number;
  /** Lives in which something was left of a workspace that is gone. */
  readonly leaks: number;
  /** Lives that came to nothing, without saying why. */
  readonly stuck: number;
  /** Lives in which a person has to decide, and the condition says so. */
  readonly human: number;
  /** Lives in which a promise was broken, of whatever kind. */
  readonly violated: number;
  readonly effects: number;
  /** Which states of the protocol were reached how often. */
  readonly coverage: Counts;
  /** In how many lives each kind of fault struck. */
  readonly struck: ReadonlyMap<Fault['kind'], number>;
  /** The numbers of the lives that failed. */
  readonly failed: readonly number[];
}

const horizon = 120_000;

/** How one numbered life begins: the same for ever. */
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

/** @throws TypeError if the scenario has no such schedule */
function scheduleOf({ seed, identity, protocol = theGuard() }: LivesOptions, scenario: Scenario, number: number) {
  const schedules = scenario.schedules(protocol, identity);
  const schedule = schedules[number];
  if (schedule === undefined)
    throw new TypeError(
      `${scenario.name} has ${schedules.length} schedules for ${protocol.name}, counted from 0; found ${number}`,
    );
  return { seed: `${seed}/${scenario.name}`, ...schedule };
}

/** What two shares of the same lives came to. */
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

/** Lives them all, one after the other. */
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
