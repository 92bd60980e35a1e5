/** Kinds of faults of a life, and the random draw of them. */

import type { Random } from '../processes/random.ts';

/** Faults of a request to the API server. */
export const requestFaults = [
  'request lost',
  'request late',
  'answer lost',
  'refused 409',
  'refused 422',
  'failed 500',
  'failed 500 after',
  'unavailable 503',
  'throttled 429',
] as const;

/** Faults of a call to the third party. */
export const callFaults = [
  'call refused',
  'call throttled',
  'call lost',
  'call late',
  'call slow',
  'call answer lost',
] as const;

/** Faults of a request in directed schedules only: it takes that long and is answered. */
export const directedRequestFaults = ['request slow'] as const;

/**
 * Faults of a call in directed schedules only: a read returns the state of so many ms ago, or the process stalls between its last check of
 * the clock and the call.
 */
export const directedCallFaults = ['call stale', 'call stalls'] as const;

/** Faults of a process, at an effect of its own. */
export const processFaults = ['crash before', 'crash after', 'pause', 'stop'] as const;

/** Timed acts of users and foreign writers. */
export const worldFaults = [
  'delete',
  'recreate',
  'spec change',
  'status wiped',
  'mirror wiped',
  'conditions wiped',
  'label changed',
  'finalizers reordered',
  'foreign condition',
  'stranger’s thing',
  'wall clock jumps',
] as const;

/** Acts of users, administrators and foreign writers in directed schedules only. */
export const directedFaults = [
  'spec put back',
  'unhandled',
  'asked again',
  'person answers',
  'person retries',
  'answer put back',
  'status put back',
  'status and mirror put back',
  'claim removed',
  'metadata replaced',
  'journal wiped',
  'condition renamed',
  'changed hands',
  'claimed by both',
  'secret’s name taken',
  'replaced',
  'etcd backed up',
  'etcd restored',
] as const;

/** Acts of tenants and backups, in directed schedules only. */
export const tenantFaults = [
  'annotations forged',
  'ids forged',
  'answer forged',
  'rogue deleted',
  'copied',
  'copied without finalizers',
  'copy deleted',
  'restored from backup',
] as const;

/** Acts of tenants that only directed schedules make: random lives keep what their seeds draw. */
export const directedTenantFaults = ['moved from another cluster', 'status copied'] as const;

/** Timed faults of watches: only whole sequencers open any. */
export const watchFaults = ['watch expired', 'watch silent', 'stale list'] as const;

/** Writes of the sequencer that a policy (an admission webhook, a quota, a missing right) may refuse. */
export const refusedWrites = [
  'note',
  'claim',
  'intent',
  'beat',
  'checkpoint',
  'mirror',
  'outcome',
  'release',
  'phase',
  'secret',
] as const;

/** Forms of a refusal. */
export const refusals = ['refused 400', 'refused 403', 'refused 422', 'unavailable 503'] as const;

export type WatchFault = (typeof watchFaults)[number];
export type RequestFault = (typeof requestFaults | typeof directedRequestFaults)[number];
export type CallFault = (typeof callFaults | typeof directedCallFaults)[number];
export type ProcessFault = (typeof processFaults)[number];
export type TenantFault = (typeof tenantFaults | typeof directedTenantFaults)[number];
export type WorldFault = (typeof worldFaults | typeof directedFaults)[number] | TenantFault;
export type RefusedWrite = (typeof refusedWrites)[number];
export type Refusal = (typeof refusals)[number];

/** A fault of a life. */
export type Fault =
  /** `at`: the n-th request, call or effect (request, call or timer) of the life, from 0. `ms`: how long or how late. */
  | { readonly on: 'request'; readonly at: number; readonly kind: RequestFault; readonly ms: number }
  | { readonly on: 'call'; readonly at: number; readonly kind: CallFault; readonly ms: number }
  | {
      readonly on: 'effect';
      readonly at: number;
      readonly kind: ProcessFault | RequestFault | CallFault | WorldFault;
      readonly ms: number;
    }
  /** From `at` ms on, for `ms`, every write of this kind is refused. */
  | {
      readonly on: 'write';
      readonly at: number;
      readonly kind: Refusal;
      readonly ms: number;
      readonly write: RefusedWrite;
    }
  /** `at`: ms since the start of the life. */
  | { readonly on: 'time'; readonly at: number; readonly kind: WorldFault | WatchFault; readonly ms: number };

const ofTheWorld: readonly string[] = [...worldFaults, ...directedFaults, ...tenantFaults, ...directedTenantFaults];

/** Reports whether users, administrators or foreign writers cause the fault. */
export const isOfTheWorld = ({ kind }: Fault): boolean => ofTheWorld.includes(kind);

/** Formats a fault as text. */
export function textOfFault(fault: Fault): string {
  const { on, at, kind, ms } = fault;
  const when = on === 'time' || on === 'write' ? `at ${at} ms` : `${on} ${at}`;
  return `${when}: ${on === 'write' ? `${fault.write} ` : ''}${kind}${ms > 0 ? ` (${ms} ms)` : ''}`;
}

/** Fault rates: the share of requests, of calls and of effects, and the average number of foreign acts in a life. */
export interface Rates {
  /** @default 0.08 */
  readonly request: number;
  /** @default 0.35 */
  readonly call: number;
  /** @default 0.03 */
  readonly process: number;
  /** @default 5 */
  readonly world: number;
  /** Acts of tenants, administrators, policies and backups. @default 0 */
  readonly adversary: number;
}

/** Harsh rates, the default. */
export const harsh: Rates = { request: 0.08, call: 0.35, process: 0.03, world: 5, adversary: 0 };

/** Bounds on the faults of a life, ms. */
export interface Bounds {
  readonly lease: number;
  /** Longest delay after which a request that was given up may still be carried out. */
  readonly late: number;
  /** Longest delay of reads at the third party. */
  readonly listLag: number;
  /** Duration of the period with faults. */
  readonly horizon: number;
  /** Processes open watches. @default false */
  readonly watched?: boolean;
}

/** Largest number of effects at which a fault is drawn. */
const maxLength = 600;

const onEffects = (on: 'request' | 'call' | 'effect', rate: number, random: Random): readonly number[] => {
  const stream = random.fork(on);
  return Array.from({ length: maxLength }, (_, at) => at).filter(() => stream.chance(rate));
};

/** Draws the faults of one life. */
export function drawFaults(random: Random, rates: Rates, bounds: Bounds): readonly Fault[] {
  const { lease, late, horizon, watched = false } = bounds;
  const acts = [...worldFaults, ...(watched ? watchFaults : [])];
  const choice = random.fork('choice');
  const upTo = (limit: number): number => 1 + choice.below(limit);
  const requests = onEffects('request', rates.request, random).map((at): Fault => {
    const kind = choice.pick(requestFaults);
    return { on: 'request', at, kind, ms: kind === 'request late' ? upTo(late) : 0 };
  });
  const calls = onEffects('call', rates.call, random).map((at): Fault => {
    const kind = choice.pick(callFaults);
    const timed = kind === 'call late' || kind === 'call slow' || kind === 'call throttled';
    return { on: 'call', at, kind, ms: timed ? upTo(late) : 0 };
  });
  const processes = onEffects('effect', rates.process, random).map((at): Fault => {
    const kind = choice.pick(processFaults);
    return { on: 'effect', at, kind, ms: kind === 'pause' ? upTo(4 * lease) : 0 };
  });
  const world = Array.from({ length: Math.round(rates.world * 2 * random.fork('count').next()) }, (): Fault => {
    const kind = choice.pick(acts);
    const at = upTo(horizon);
    if (kind === 'wall clock jumps') return { on: 'time', at, kind, ms: upTo(3_600_000) };
    return { on: 'time', at, kind, ms: kind === 'watch silent' ? upTo(300_000) : 0 };
  });
  return [...requests, ...calls, ...processes, ...world];
}
