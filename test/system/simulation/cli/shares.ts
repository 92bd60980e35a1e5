/** Distributes lives over protocols, identities and worker processes. */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { scenarioNamed } from '../directed/scenarios.ts';
import type { Scenario } from '../directed/schedule.ts';
import type { Rates } from '../faults/faults.ts';
import { addTallies, type LivesOptions, type Tally } from '../lives/lives.ts';
import type { Arena } from '../processes/arena.ts';
import type { Identity } from '../protocols/guarded.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { protocolNamed } from './options.ts';

/** Lives of one protocol and identity that one worker runs in one go. */
export interface Share {
  /** Name of a directed scenario; undefined for random lives. */
  readonly scenario?: string | undefined;
  readonly protocol: string;
  readonly identity: Identity;
  readonly seed: string;
  readonly rates: Rates;
  readonly from: number;
  readonly lives: number;
}

/** Lives per share: a few seconds of work. */
const atOnce = 100;

/** Number of lives of `total` in the n-th of `parts`; the first parts take the remainder. */
const partOf = (total: number, parts: number, n: number): number =>
  Math.floor(total / parts) + Number(n < total % parts);

export interface Dealing {
  /** Number of lives of all guarding protocols together. */
  readonly lives: number;
  readonly seed: string;
  readonly rates: Rates;
  readonly identities: readonly Identity[];
  readonly protocols: readonly Protocol[];
}

/**
 * Distributes lives evenly over protocols and identities. Protocols that are only there for comparison get a tenth as many and one
 * identity: they fail soon enough.
 */
export function dealt({ lives, seed, rates, identities, protocols }: Dealing): readonly Share[] {
  const guarded = protocols.filter((one) => one.guarded);
  const pairs = guarded.flatMap(({ name }) => identities.map((identity) => ({ protocol: name, identity })));
  const blind = identities.includes('opaque') ? 'opaque' : identities[0]!;
  const controls = protocols.filter((one) => !one.guarded).map(({ name }) => ({ protocol: name, identity: blind }));
  const shares = [
    ...pairs.map((pair, n) => ({ ...pair, lives: partOf(lives, pairs.length, n) })),
    ...controls.map((pair) => ({ ...pair, lives: Math.ceil(lives / 10) })),
  ];
  return shares.flatMap((share) => cut({ ...share, seed, rates }));
}

/** Cuts a share into pieces of a few seconds each. */
const cut = (share: Omit<Share, 'from'>): readonly Share[] =>
  Array.from({ length: Math.ceil(share.lives / atOnce) }, (_, index) => {
    const from = index * atOnce;
    return { ...share, from, lives: Math.min(atOnce, share.lives - from) };
  });

/** Returns shares of all schedules of these scenarios, for every guarding protocol and every identity. */
export const directed = (
  scenarios: readonly Scenario[],
  { seed, rates, identities, protocols }: Omit<Dealing, 'lives'>,
): readonly Share[] =>
  scenarios.flatMap((scenario) =>
    protocols
      .filter(({ guarded }) => guarded)
      .flatMap((protocol) =>
        identities.flatMap((identity) => {
          const lives = scenario.schedules(protocol, identity).length;
          return cut({ scenario: scenario.name, protocol: protocol.name, identity, seed, rates, lives });
        }),
      ),
  );

/** Returns the lives of a share. */
export const livesOf = (arena: Arena, { scenario, protocol, ...lives }: Share): LivesOptions => ({
  arena,
  ...lives,
  scenario: scenario === undefined ? undefined : scenarioNamed(scenario),
  protocol: protocolNamed(protocol),
});

/** Merges tallies of the same protocol and identity, in the order of their first share. */
export function gathered(tallies: readonly Tally[]): readonly Tally[] {
  const sums = new Map<string, Tally>();
  for (const tally of tallies) {
    const name = `${tally.scenario} ${tally.protocol} ${tally.identity}`;
    const before = sums.get(name);
    sums.set(name, before === undefined ? tally : addTallies(before, tally));
  }
  return [...sums.values()];
}

/** Runs all shares on one worker per processor. @returns the tally of each, in the order of the shares */
export async function liveShares(
  shares: readonly Share[],
  onShare: (done: number) => void,
  jobs = availableParallelism(),
): Promise<readonly Tally[]> {
  const tallies: Tally[] = [];
  const waiting = shares.map((share, index) => ({ share, index }));
  let done = 0;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./share-worker.ts', import.meta.url));
      let at = -1;
      const next = (): void => {
        const job = waiting.shift();
        if (job === undefined) {
          resolve(worker.terminate().then(() => undefined));
          return;
        }
        at = job.index;
        worker.postMessage(job.share);
      };
      worker.on('error', reject);
      worker.on('message', (tally: Tally) => {
        tallies[at] = tally;
        onShare(++done);
        next();
      });
      next();
    });
  await Promise.all(Array.from({ length: Math.min(jobs, shares.length) }, work));
  return tallies;
}
