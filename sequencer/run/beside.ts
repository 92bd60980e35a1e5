import { type Runnable, runOperator } from '../../sdk/index.ts';

/** Runs parts of an operator as one that is named like the first: the end of one is the end of all. */
export function beside(main: Runnable, others: readonly Runnable[], drain: number): Runnable {
  if (others.length === 0) return main;
  const run = (signal: AbortSignal): Promise<void> =>
    runOperator({ controllers: [main, ...others], signal, drain, earlyEnd: 'fail' });
  return { name: main.name, run };
}
