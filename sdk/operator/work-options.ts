/** Options that all controllers share. */

import type { Logger } from 'pino';
import type { Client } from '../client/client.ts';
import type { Recorder } from '../client/recorder.ts';
import type { Clock } from '../clock.ts';
import type { Observer } from './observer.ts';

/** Options that all controllers share. */
export interface WorkOptions {
  readonly client: Client;
  /** Number of objects processed concurrently. @default 10 */
  readonly workers?: number;
  /** ms after which the signal of a run aborts; the run occupies its object until it ends. @default 300 000 */
  readonly deadline?: number;
  /** ms that runs may go on after the controller's signal has aborted; then their own signals abort. @default 10 000 */
  readonly drain?: number;
  /** Recorder of the runs' events; close a custom one yourself. @default one of the controller's, named after it */
  readonly events?: Pick<Recorder, 'event'>;
  /** Observer for metrics and traces. @default none */
  readonly observer?: Observer;
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: () => number;
  readonly logger?: Logger;
}

/** Names of all {@link WorkOptions}. */
export const workOptions: readonly (keyof WorkOptions)[] = [
  'client',
  'workers',
  'deadline',
  'drain',
  'events',
  'observer',
  'clock',
  'random',
  'logger',
];

/** Returns the first mistake in the options; undefined when they are valid. */
export function mistakeInWork({ workers = 1, deadline = 1, drain = 0 }: WorkOptions): string | undefined {
  if (!Number.isInteger(workers) || workers < 1)
    return `workers must be a whole number of at least 1, found ${workers}`;
  if (!(deadline > 0)) return `deadline must be more than 0 ms, found ${deadline}`;
  if (!(drain >= 0)) return `drain must be 0 ms or more, found ${drain}`;
  return undefined;
}
