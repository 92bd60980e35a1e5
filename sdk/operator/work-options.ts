import type { Logger } from 'pino';
import type { Client } from '../client/client.ts';
import type { Recorder } from '../client/recorder.ts';
import type { Clock } from '../clock.ts';
import type { Observer } from './observer.ts';

/** How a controller works, whatever it calls. */
export interface WorkOptions {
  readonly client: Client;
  /** How many objects are worked on at once. @default 10 */
  readonly workers?: number;
  /** ms after which the signal of a run aborts; the run holds its object until it ends. @default 300 000 */
  readonly deadline?: number;
  /** ms that runs may go on after the signal has aborted; then their own signals abort. @default 10 000 */
  readonly drain?: number;
  /** Takes the events of the runs; a recorder of your own must be closed by you. @default one of the controller's, named after it */
  readonly events?: Pick<Recorder, 'event'>;
  /** Sees what is done: metrics and traces. @default nobody */
  readonly observer?: Observer;
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: () => number;
  readonly logger?: Logger;
}

/** The names of all {@link WorkOptions}. */
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

/** What is wrong with them; undefined when nothing is. */
export function mistakeInWork({ workers = 1, deadline = 1, drain = 0 }: WorkOptions): string | undefined {
  if (!Number.isInteger(workers) || workers < 1)
    return `workers must be a whole number of at least 1, found ${workers}`;
  if (!(deadline > 0)) return `deadline must be more than 0 ms, found ${deadline}`;
  if (!(drain >= 0)) return `drain must be 0 ms or more, found ${drain}`;
  return undefined;
}
