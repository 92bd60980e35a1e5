/** Runnables that start and stop together. */

import { type Runnable, runOperator } from '../../sdk/index.ts';

/** Combines runnables into one with the name of the first; when one of them ends, all are stopped. */
export function runnableGroup(main: Runnable, others: readonly Runnable[], drain: number): Runnable {
  if (others.length === 0) return main;
  const run = (signal: AbortSignal): Promise<void> =>
    runOperator({ controllers: [main, ...others], signal, drain, earlyEnd: 'fail' });
  return { name: main.name, run };
}
