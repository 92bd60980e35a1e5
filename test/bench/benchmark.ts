import type { Code } from './code.ts';
import type { ServerName } from './servers.ts';
import type { Table } from './table.ts';

/** How much is measured: `tiny` only shows that a benchmark works. */
export type Scale = 'full' | 'quick' | 'tiny';

/** Where a benchmark runs. */
export interface Lab {
  readonly scale: Scale;
  /** The servers to measure on, in this order. */
  readonly servers: readonly ServerName[];
  /** What runs in the processes that are measured: built, but where only the sources are there. */
  readonly code: Code;
  /** Ends what runs; every process that was started goes too. */
  readonly signal: AbortSignal;
  /** Says what is being measured now. */
  readonly progress: (what: string) => void;
}

/** One question and how its answer is measured. */
export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  run(lab: Lab): Promise<readonly Table[]>;
}
