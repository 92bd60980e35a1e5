/** Health of controllers. */

import type { OwnWritesHealth } from '../../client/cache/own-writes.ts';
import type { ReflectorHealth } from '../../client/cache/reflector.ts';
import type { QueueHealth } from '../queue/queue.ts';

/** Health of a controller. */
export interface ControllerHealth {
  readonly name: string;
  /** True once every source was listed; runs begin then. */
  readonly synced: boolean;
  /** Sources: the controller's own kind first, then the kinds it owns or watches. */
  readonly sources: readonly ReflectorHealth[];
  readonly queue: QueueHealth;
  readonly ownWrites: OwnWritesHealth;
  /** Number of runs since the start. */
  readonly runs: number;
  readonly failures: number;
  /** Number of objects whose last run failed. */
  readonly failing: number;
  /** Number of times an object was given up until its next change. */
  readonly givenUp: number;
}

/** Limits beyond which a controller counts as unhealthy. */
export interface HealthLimits {
  /** ms without any event from the server, which sends a bookmark every minute. @default 300 000 */
  readonly silence?: number;
  /** Maximum ms of one run. @default 900 000 */
  readonly run?: number;
}

/** Returns the runs that exceed the limit, as sentences; only a restart ends such a run. */
export function stuckRunsOf(
  { name, queue }: ControllerHealth,
  { run = 900_000 }: HealthLimits = {},
): readonly string[] {
  return queue.longestRun > run ? [`${name}: a run takes ${Math.round(queue.longestRun)} ms`] : [];
}

/** Returns the reasons why a controller is unhealthy, as sentences; empty when it is healthy. */
export function problemsOf(health: ControllerHealth, limits: HealthLimits = {}): readonly string[] {
  const { silence: longestSilence = 300_000 } = limits;
  const { name } = health;
  const sources = health.sources.flatMap(({ resource, synced, silence = 0, lastError }) => {
    const because = lastError === undefined ? '' : `: ${lastError}`;
    if (!synced) return [`${name}: ${resource} not listed yet${because}`];
    return silence > longestSilence
      ? [`${name}: ${resource} no list or watch event for ${Math.round(silence)} ms${because}`]
      : [];
  });
  return [...sources, ...stuckRunsOf(health, limits)];
}
