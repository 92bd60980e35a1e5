/** Effects of the sequencer's runs, and the faults and crashes to inject into them. */

import type { CallFault, Fault } from './faults.ts';
import type { FunctionName } from './invocations.ts';

/** Effect of a run of the sequencer: a write to the API server, or a call to the third party. */
export interface Effect {
  /** Name in the terms of an integration's author: `the intent`, `POST /records`. */
  readonly name: string;
  readonly kind: 'write' | 'call';
  /** Number of the sequencer's run, from 1. */
  readonly run: number;
  /** True when it began at the time at which the last one succeeded: a crash between the two is tried once. */
  readonly follows: boolean;
}

/** Point of a scenario: just before or just after an effect, counted from 1. */
export interface CrashPoint {
  readonly effect: number;
  readonly side: 'before' | 'after';
}

/** Faults and crashes of a scenario; none by default. */
export interface FaultPlan {
  readonly crash?: CrashPoint;
  /** Returns the fault of a call by its number, from 1. */
  readonly fault?: (nth: number, call: Pick<Call, 'name' | 'isHttp' | 'by'>) => CallFault | undefined;
  /** Name of the effect after which all further ones fail. */
  readonly cutOffAfter?: string;
  /** Time that the scenario takes without its fault, in ms of the clock: an attempt ends after that time and three leases. @default the guard's limit */
  readonly usualDuration?: number | undefined;
  /** True to record for each call whether it changed the third party's state. @default false */
  readonly recordsChanges?: boolean;
}

/** Recorded call. */
export interface Call {
  /** Number in its scenario, from 1. */
  readonly nth: number;
  /** Number of the last call that had begun when it ended; undefined while in progress. */
  lastBegun: number | undefined;
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  /** True when it is a request by `run.fetch`. */
  readonly isHttp: boolean;
  /** Function of the integration that made it, if known. */
  readonly by: FunctionName | undefined;
  readonly run: number;
  readonly fault: Fault | undefined;
  /** Result: `answered`, `HTTP 404` or the message of an error; undefined while in progress. */
  end: string | undefined;
  /** True when it changed the third party's state, if changes are recorded. */
  changed: boolean;
  /** Name of an earlier call of the same function that changed something, if changes are recorded. */
  readonly after: string | undefined;
  /** Name and arguments as text, to compare calls; undefined where they have no text. */
  readonly contents: string | undefined;
  /** Time of the scenario's clock, in ms. */
  readonly at: number;
  /** Retry-After of its response, in ms, if any. */
  retryAfter: number | undefined;
}

/** Effect to be carried out. */
export interface PendingEffect<T> {
  readonly name: string;
  readonly kind: Effect['kind'];
  readonly args: readonly unknown[];
  readonly signal?: AbortSignal | undefined;
  /** @default false */
  readonly isHttp?: boolean;
  carryOut(): Promise<T>;
}

/** Process of the sequencer, as its effects see it. */
export interface SequencerProcess {
  readonly number: number;
  /** True once it has crashed: its requests do not arrive, and nothing responds to it. */
  dead: boolean;
}
