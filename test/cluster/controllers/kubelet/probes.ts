import { isFields } from '../../objects/object.ts';
import type { Container } from '../pods/pod.ts';

/** How long a container still takes until its probes say that it has started, and that it is ready: ms, 0 for no longer. */
export interface Probing {
  readonly startedIn: number;
  readonly readyIn: number;
}

/** ms from the start of a container until a probe that always succeeds has succeeded often enough. */
function delayOf(probe: unknown): number {
  if (!isFields(probe)) return 0;
  const { initialDelaySeconds = 0, successThreshold = 1, periodSeconds = 10 } = probe;
  return (Number(initialDelaySeconds) + (Number(successThreshold) - 1) * Number(periodSeconds)) * 1000;
}

/** What the probes of a container say that has run for so many ms, when all of them succeed. */
export function probing({ startupProbe, readinessProbe }: Container, ranFor: number): Probing {
  const start = delayOf(startupProbe);
  const left = (delay: number): number => Math.max(0, delay - ranFor);
  return { startedIn: left(start), readyIn: left(Math.max(start, delayOf(readinessProbe))) };
}
