/** Runs a scenario once for each crash that could happen in it. */

import type { Fault } from '../faults/faults.ts';
import type { Arena } from '../processes/arena.ts';
import type { Random } from '../processes/random.ts';
import type { Identity } from '../protocols/guarded.ts';
import { isFailure, type LifeOptions, live, type Verdict } from './life.ts';

/** A course of events to sweep. */
export interface Scenario {
  readonly name: string;
  /** Acts of users and foreign writers, and faults present in every run. */
  readonly faults: readonly Fault[];
  /** @default 1 */
  readonly replicas?: number;
}

const at = (ms: number, kind: Extract<Fault, { on: 'time' }>['kind']): Fault => ({ on: 'time', at: ms, kind, ms: 0 });

/** Everything that happens to a workspace sooner or later. */
export const wholeLife: Scenario = {
  name: 'create, update, delete',
  faults: [at(30_000, 'spec change'), at(60_000, 'delete')],
};

/** The workspace is recreated under its name as soon as that is free. */
export const recreation: Scenario = { name: 'recreate', faults: [at(30_000, 'recreate')] };

export interface SweepOptions {
  readonly arena: Arena;
  readonly identity: Identity;
  readonly scenario: Scenario;
  /** Further options of a life. */
  readonly life?: Partial<LifeOptions>;
}

/** Result of a sweep. */
export interface Swept {
  readonly effects: number;
  readonly runs: number;
  /** Number of lives in which a person has to decide. */
  readonly human: number;
  readonly failures: readonly { readonly faults: readonly Fault[]; readonly verdict: Verdict }[];
}

const crash = (effect: number, kind: 'crash before' | 'crash after'): Fault => ({
  on: 'effect',
  at: effect,
  kind,
  ms: 0,
});

/** All possible crashes: just before and just after each of `count` effects. */
export const crashesOf = (count: number): readonly Fault[] =>
  Array.from({ length: count }, (_, effect) => [crash(effect, 'crash before'), crash(effect, 'crash after')]).flat();

/** Draws pairs of crashes from the stream, `budget` in number. */
export function pairsOf(count: number, budget: number, random: Random): readonly (readonly Fault[])[] {
  const crashes = crashesOf(count);
  return Array.from({ length: budget }, () => {
    const first = random.pick(crashes);
    return [first, crash(first.at + 1 + random.below(count), random.pick(['crash before', 'crash after'] as const))];
  });
}

const lifeOf = ({ arena, identity, scenario, life }: SweepOptions, faults: readonly Fault[]): LifeOptions => ({
  arena,
  identity,
  seed: `sweep/${scenario.name}/${identity}`,
  replicas: scenario.replicas ?? 1,
  horizon: 240_000,
  ...life,
  faults: [...scenario.faults, ...faults],
});

/** Returns the number of effects of a scenario without crashes. */
export async function effectsOf(options: SweepOptions): Promise<number> {
  const verdict = await live(lifeOf(options, []));
  if (isFailure(verdict)) throw new Error(`${options.scenario.name} fails by itself:\n${verdict.trace.join('\n')}`);
  return verdict.effects;
}

/** Runs the scenario once for each set of faults. */
export async function sweep(options: SweepOptions, sets: readonly (readonly Fault[])[]): Promise<Swept> {
  const failures: { faults: readonly Fault[]; verdict: Verdict }[] = [];
  let human = 0;
  let effects = 0;
  for (const faults of sets) {
    const verdict = await live(lifeOf(options, faults));
    effects += verdict.effects;
    if (verdict.outcome === 'human') human += 1;
    if (isFailure(verdict)) failures.push({ faults, verdict });
  }
  return { effects, runs: sets.length, human, failures };
}
