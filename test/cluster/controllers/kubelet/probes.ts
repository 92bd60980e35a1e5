/** Timing of startup and readiness probes that always succeed. */

import { isFields } from '../../apimachinery/object.ts';
import type { Container } from '../pods/pod.ts';

/** Time left until a container is started, and ready, in ms. */
export interface Probing {
  readonly startedIn: number;
  readonly readyIn: number;
}

/** Returns the ms from a container's start until a probe has succeeded often enough. */
function delayOf(probe: unknown): number {
  if (!isFields(probe)) return 0;
  const { initialDelaySeconds = 0, successThreshold = 1, periodSeconds = 10 } = probe;
  return (Number(initialDelaySeconds) + (Number(successThreshold) - 1) * Number(periodSeconds)) * 1000;
}

/** Returns the probe results of a container that has run for `ranFor` ms. */
export function probing({ startupProbe, readinessProbe }: Container, ranFor: number): Probing {
  const start = delayOf(startupProbe);
  const left = (delay: number): number => Math.max(0, delay - ranFor);
  return { startedIn: left(start), readyIn: left(Math.max(start, delayOf(readinessProbe))) };
}
