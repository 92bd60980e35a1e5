/** Types of benchmarks. */

import type { Code } from './harness/code.ts';
import type { ServerName } from './harness/servers.ts';
import type { Table } from './report/table.ts';

/** Amount of work: `tiny` only shows that a benchmark works. */
export type Scale = 'full' | 'quick' | 'tiny';

/** Environment of a benchmark. */
export interface Lab {
  readonly scale: Scale;
  /** Servers to measure, in this order. */
  readonly servers: readonly ServerName[];
  /** Code of the measured processes: built, or the sources where only these exist. */
  readonly code: Code;
  /** Aborts the run; all started processes end too. */
  readonly signal: AbortSignal;
  /** Reports the current measurement. */
  readonly progress: (what: string) => void;
}

/** A question, and the measurement that answers it. */
export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  run(lab: Lab): Promise<readonly Table[]>;
}
