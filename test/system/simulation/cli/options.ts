/** Parses the command line of the simulation. */

import { parseArgs } from 'node:util';
import { scenarioNamed, scenarios } from '../directed/scenarios.ts';
import type { Scenario } from '../directed/schedule.ts';
import { harsh, type Rates } from '../faults/faults.ts';
import { controls } from '../protocols/controls.ts';
import { type Identity, identities } from '../protocols/guarded.ts';
import { type Protocol, theGuard, theResources, theSequencer, theThings } from '../protocols/protocol.ts';

/** Options of the command line. */
export interface SimulationOptions {
  readonly lives: number;
  readonly seed: string;
  readonly identities: readonly Identity[];
  readonly protocols: readonly Protocol[];
  readonly rates: Rates;
  /** Runs this life only. */
  readonly life: number | undefined;
  readonly jobs: number | undefined;
  /** Runs the `index`-th of `count` parts of all these lives, from 1: for several runs or machines. */
  readonly part: { readonly index: number; readonly count: number };
  readonly trace: boolean;
  /** Runs directed schedules instead of random lives. */
  readonly scenarios: readonly Scenario[] | undefined;
  /** Stops at the first life that fails, and prints it. */
  readonly first: boolean;
}

export const usage = `Usage: npm run simulate -- [options]

  --lives N           lives of the guard, dealt out to protocols and identities (default 1000); a tenth of it for each control
  --seed S            where chance begins (default 1)
  --identity I        name, tag, key or opaque (default all)
  --protocol P        ensure, guard, things (ensure, several of them), sequencer (ensure in the whole engine), ours (these four),
                      controls (what others do), or all (default)
  --jobs N            workers at once (default: one for each processor)
  --part K/N          the K-th of N parts of these lives
  --life N            this life only
  --trace             print what happens in it
  --directed          every schedule of every directed scenario, in place of random lives
  --scenario NAME     of this scenario only; one of
                      ${scenarios.map(({ name }) => name).join(', ')}
  --first             end at the first life that fails, and print it
  --request R, --call R, --process R, --world N
                      share of requests, calls and effects that something befalls; foreign acts per life
                      (default ${harsh.request}, ${harsh.call}, ${harsh.process}, ${harsh.world})
  --adversary N       acts of tenants who forge and copy, administrators, policies and backups per life, on average
                      (default ${harsh.adversary})`;

const ours: readonly Protocol[] = [theResources(), theGuard(), theThings(), theSequencer()];

const protocolsOf: Readonly<Record<string, readonly Protocol[]>> = {
  ours,
  ensure: [theResources()],
  guard: [theGuard()],
  sequencer: [theSequencer()],
  things: [theThings()],
  controls,
  all: [...ours, ...controls],
};

const everybody = [...ours, ...controls];

/** Returns the protocol with that name in reports. */
export const protocolNamed = (name: string): Protocol => everybody.find((one) => one.name === name)!;

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!(value >= 0) || text.trim() === '')
    throw new TypeError(`--${name} must be a number, 0 or more; found "${text}"`);
  return value;
}

function partOf(text: string): SimulationOptions['part'] {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw new TypeError(`--part must be K/N, with K from 1 to N; found "${text}"`);
  return { index, count };
}

/** Parses the command line. @throws TypeError that names the expected form */
export function optionsOf(args: readonly string[]): SimulationOptions {
  const text = { type: 'string' } as const;
  const names = [
    'lives',
    'seed',
    'identity',
    'protocol',
    'life',
    'jobs',
    'part',
    'request',
    'call',
    'process',
    'world',
    'adversary',
    'scenario',
  ] as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { ...Object.fromEntries(names.map((name) => [name, text])), trace: flag, directed: flag, first: flag },
  });
  const { trace = false, directed = false, first = false } = values as Partial<Record<string, boolean>>;
  const given = values as Partial<Record<(typeof names)[number], string>>;
  const chosen = identities.filter((one) => given.identity === undefined || one === given.identity);
  const protocols = protocolsOf[given.protocol ?? 'all'];
  if (chosen.length === 0) throw new TypeError(`--identity must be one of ${identities.join(', ')}`);
  if (protocols === undefined) throw new TypeError(`--protocol must be one of ${Object.keys(protocolsOf).join(', ')}`);
  const rate = (name: keyof Rates): number => numberOf(name, given[name], harsh[name]);
  return {
    lives: numberOf('lives', given.lives, 1000),
    seed: given.seed ?? '1',
    identities: chosen,
    protocols,
    rates: {
      request: rate('request'),
      call: rate('call'),
      process: rate('process'),
      world: rate('world'),
      adversary: rate('adversary'),
    },
    life: given.life === undefined ? undefined : numberOf('life', given.life, 0),
    jobs: given.jobs === undefined ? undefined : numberOf('jobs', given.jobs, 1),
    part: partOf(given.part ?? '1/1'),
    trace,
    scenarios: given.scenario !== undefined ? [scenarioNamed(given.scenario)] : directed ? scenarios : undefined,
    first,
  };
}
