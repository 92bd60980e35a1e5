import type { Fault } from '../faults.ts';
import type { Identity } from '../guarded.ts';
import type { LifeOptions } from '../life.ts';
import type { Protocol } from '../protocol.ts';

/** One life whose faults are written down, not drawn. */
export interface Schedule extends Pick<LifeOptions, 'replicas' | 'joinAfter' | 'horizon' | 'traits' | 'expects'> {
  readonly faults: readonly Fault[];
}

/** Schedules that follow one pattern. The same arguments give the same schedules in the same order: a number names one for ever. */
export interface Scenario {
  readonly name: string;
  /** What happens, in one sentence. */
  readonly about: string;
  schedules(protocol: Protocol, identity: Identity): readonly Schedule[];
}

type Kind<On extends Fault['on']> = Extract<Fault, { on: On }>['kind'];

export const atTime = (at: number, kind: Kind<'time'>, ms = 0): Fault => ({ on: 'time', at, kind, ms });
export const atEffect = (at: number, kind: Kind<'effect'>, ms = 0): Fault => ({ on: 'effect', at, kind, ms });
export const atCall = (at: number, kind: Kind<'call'>, ms = 0): Fault => ({ on: 'call', at, kind, ms });
export const atRequest = (at: number, kind: Kind<'request'>, ms = 0): Fault => ({ on: 'request', at, kind, ms });

/** The numbers from `from` to `to`, both included. */
export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
