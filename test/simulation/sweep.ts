import type { Arena } from './arena.ts';
import type { Fault } from './faults.ts';
import type { Identity } from './guarded.ts';
import { isFailure, type LifeOptions, live, type Verdict } from './life.ts';
import type { Random } from './random.ts';

/** A course of events that is swept. */
export interface Scenario {
  readonly name: string;
  /** What users and foreign writers do, and what goes wrong anyway. */
  readonly faults: readonly Fault[];
  /** @default 1 */
  readonly replicas?: number;
}

const at = (ms: number, kind: Extract<Fault, { on: 'time' }>['kind']): Fault => ({ on: 'time', at: ms, kind, ms: 0 });

/** What happens to every workspace sooner or later. */
export const wholeLife: Scenario = {
  name: 'create, update, delete',
  faults: [at(30_000, 'spec change'), at(60_000, 'delete')],
};

/** Made again under its name as soon as that is free. */
export const recreation: Scenario = { name: 'recreate', faults: [at(30_000, 'recreate')] };

export interface SweepOptions {
  readonly arena: Arena;
  readonly identity: Identity;
  readonly scenario: Scenario;
  /** What else a life is made with. */
  readonly life?: Partial<LifeOptions>;
}

/** What came of a sweep. */
export interface Swept {
  readonly effects: number;
  readonly runs: number;
  /** Lives in which a person has to decide. */
  readonly human: number;
  readonly failures: readonly { readonly faults: readonly Fault[]; readonly verdict: Verdict }[];
}

const crash = (effect: number, kind: 'crash before' | 'crash after'): Fault => ({
  on: 'effect',
  at: effect,
  kind,
  ms: 0,
});

/** Every crash there can be: just before and just after each of `count` effects. */
export const crashesOf = (count: number): readonly Fault[] =>
  Array.from({ length: count }, (_, effect) => [crash(effect, 'crash before'), crash(effect, 'crash after')]).flat();

/** Pairs of crashes, so many, drawn by the stream. */
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

/** How many effects a scenario has when nothing else goes wrong. */
export async function effectsOf(options: SweepOptions): Promise<number> {
  const verdict = await live(lifeOf(options, []));
  if (isFailure(verdict)) throw new Error(`${options.scenario.name} fails by itself:\n${verdict.trace.join('\n')}`);
  return verdict.effects;
}

/** Lives the scenario once for each set of faults. */
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
