import type { OwnWritesHealth } from '../client/own-writes.ts';
import type { ReflectorHealth } from '../client/reflector.ts';
import type { QueueHealth } from './queue.ts';

/** How a controller is doing. */
export interface ControllerHealth {
  readonly name: string;
  /** Whether it has seen everything once, and so runs. */
  readonly synced: boolean;
  /** Its own kind first, then the kinds it owns or watches. */
  readonly sources: readonly ReflectorHealth[];
  readonly queue: QueueHealth;
  readonly ownWrites: OwnWritesHealth;
  /** Since the start. */
  readonly runs: number;
  readonly failures: number;
  /** Objects whose last run failed. */
  readonly failing: number;
  /** How often an object was given up until it changes. */
  readonly givenUp: number;
}

export interface HealthLimits {
  /** ms without a word from the server, which sends a bookmark a minute. @default 300 000 */
  readonly silence?: number;
  /** ms that one run may take. @default 900 000 */
  readonly run?: number;
}

/** Runs that take too long, as sentences: what only a restart ends. */
export function stuckRunsOf(
  { name, queue }: ControllerHealth,
  { run = 900_000 }: HealthLimits = {},
): readonly string[] {
  return queue.longestRun > run ? [`${name}: a run takes ${Math.round(queue.longestRun)} ms`] : [];
}

/** What keeps a controller from being called healthy, as sentences for people; empty when nothing does. */
export function problemsOf(health: ControllerHealth, limits: HealthLimits = {}): readonly string[] {
  const { silence: longestSilence = 300_000 } = limits;
  const { name } = health;
  const sources = health.sources.flatMap(({ resource, synced, silence = 0, lastError }) => {
    const because = lastError === undefined ? '' : `: ${lastError}`;
    if (!synced) return [`${name}: ${resource} not listed yet${because}`];
    return silence > longestSilence
      ? [`${name}: ${resource} not heard of for ${Math.round(silence)} ms${because}`]
      : [];
  });
  return [...sources, ...stuckRunsOf(health, limits)];
}
