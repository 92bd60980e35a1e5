/** Types of directed schedules. */

import type { Fault } from '../faults/faults.ts';
import type { LifeOptions } from '../lives/life.ts';
import type { Identity } from '../protocols/guarded.ts';
import type { Protocol } from '../protocols/protocol.ts';

/** One life with given faults instead of drawn ones. */
export interface Schedule extends Pick<LifeOptions, 'replicas' | 'joinAfter' | 'horizon' | 'traits' | 'expects'> {
  readonly faults: readonly Fault[];
}

/** Schedules of one pattern. The same arguments give the same schedules in the same order, so a number identifies a schedule permanently. */
export interface Scenario {
  readonly name: string;
  /** One sentence on the events. */
  readonly about: string;
  schedules(protocol: Protocol, identity: Identity): readonly Schedule[];
}

type Kind<On extends Fault['on']> = Extract<Fault, { on: On }>['kind'];

export const atTime = (at: number, kind: Kind<'time'>, ms = 0): Fault => ({ on: 'time', at, kind, ms });
export const atEffect = (at: number, kind: Kind<'effect'>, ms = 0): Fault => ({ on: 'effect', at, kind, ms });
export const atCall = (at: number, kind: Kind<'call'>, ms = 0): Fault => ({ on: 'call', at, kind, ms });
export const atRequest = (at: number, kind: Kind<'request'>, ms = 0): Fault => ({ on: 'request', at, kind, ms });

/** Numbers from `from` to `to`, both included. */
export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
