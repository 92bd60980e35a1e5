import type { Logger } from 'pino';
import type { Kind } from '../api/kind.ts';
import type { KubeObject } from '../api/object.ts';
import type { Client } from '../client/client.ts';
import type { ClientObserver } from '../client/observer.ts';
import type { Clock } from '../clock.ts';
import { SecretRegistry } from '../secret-registry.ts';
import { Lines } from './limits.ts';
import { Locks } from './locks.ts';
import { noSeal, type Seal } from './seal.ts';
import { Sightings } from './sightings.ts';

/** Writes events about an object, best effort. */
export interface EventSink {
  event(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/** How long things may take, all in ms. */
export interface GuardTimes {
  /** How long an attempt may work without a beat. @default 30 000 */
  readonly lease: number;
  /** How long before the end of the lease nothing is sent any more. @default a fifth of the lease */
  readonly margin: number;
  /** How long a request to a third party that was given up may still be carried out there. @default 15 000 */
  readonly maxRequest: number;
  /** How long one attempt may work at most, however often it beats: one that never comes to an end is given up then. @default 20 leases */
  readonly attempt: number;
  /** How long a call of `connect`, `reconcile` or `terminate` may take, the time inside of `guard`, `ensure` and `destroy` not counted. @default 2 leases */
  readonly call: number;
  /** How far the wall clocks of two machines may be apart: what a key's validity is shortened by. @default 3 600 000 */
  readonly skew: number;
}

/** What the sequencer injects into every controller: one per process. */
export interface ProviderHost {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** Where events go; what is known as a secret is taken out of their messages. */
  readonly events: EventSink;
  /** What is kept out of conditions, journals, events and logs. */
  readonly secrets: SecretRegistry;
  readonly logger: Logger | undefined;
  /** The objects of a kind that `owner` owns, from a cache that is never older than our own writes; undefined for kinds that are not cached. */
  readonly owned: <T extends KubeObject>(kind: Kind<T>, owner: KubeObject) => readonly T[] | undefined;
  /** Names this run of the process; another run never has the same. */
  readonly holder: string;
  readonly times: GuardTimes;
  /** Aborts when no new attempt may begin (shutdown); a running one finishes. */
  readonly stopping: AbortSignal;
  /** Aborts when running attempts must end too (the drain bound has passed). */
  readonly killed: AbortSignal;
  readonly locks: Locks;
  readonly sightings: Sightings;
  /** When things outside are looked at next for changes made there, by uid, condition and slot; monotonic ms. */
  readonly looks: Map<string, number>;
  /** Who waits for which credential. */
  readonly lines: Lines;
  /** Secrets of things that could not be written to their Secret yet, by uid, condition and slot. */
  readonly unkept: Map<string, Readonly<Record<string, string>>>;
  /** Is told of writes that the API server refuses. */
  readonly observer: Pick<ClientObserver, 'refused'>;
  /** Signs what is kept in metadata. */
  seal(): Seal;
}

export interface ProviderHostOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventSink;
  readonly holder: string;
  readonly random?: () => number;
  readonly logger?: Logger | undefined;
  readonly times?: Partial<GuardTimes>;
  readonly stopping?: AbortSignal;
  readonly killed?: AbortSignal;
  /** @default an empty one */
  readonly secrets?: SecretRegistry;
  /** @default nothing is cached */
  readonly owned?: ProviderHost['owned'];
  /** @default nobody */
  readonly observer?: ProviderHost['observer'];
  /** @default nothing is signed: ids in metadata are not believed */
  readonly seal?: ProviderHost['seal'];
}

const never = new AbortController().signal;

/** The lease as it is journalled: whole seconds, never less than it is. */
export const leaseSecondsOf = ({ times }: Pick<ProviderHost, 'times'>): number => Math.ceil(times.lease / 1000);

/** Names one attempt of this process: no other attempt ever has the same. */
export const holderOf = ({ holder, random }: Pick<ProviderHost, 'holder' | 'random'>): string =>
  `${holder}/${Math.floor(random() * 2 ** 48).toString(36)}`;

/** Fills in the defaults. @throws RangeError for times that contradict each other */
export function createProviderHost({
  times = {},
  secrets = new SecretRegistry(),
  ...options
}: ProviderHostOptions): ProviderHost {
  const lease = times.lease ?? 30_000;
  const margin = times.margin ?? lease / 5;
  if (!(lease > 0 && margin > 0 && margin < lease))
    throw new RangeError(`guard times: margin (${margin} ms) must lie between 0 and lease (${lease} ms)`);
  return {
    random: Math.random,
    stopping: never,
    killed: never,
    owned: () => undefined,
    seal: () => noSeal,
    observer: {},
    logger: undefined,
    ...options,
    secrets,
    events: {
      event: (...[about, type, reason, message]) =>
        options.events.event(about, type, reason, secrets.redact(String(message))),
    },
    times: {
      lease,
      margin,
      maxRequest: times.maxRequest ?? 15_000,
      attempt: times.attempt ?? 20 * lease,
      call: times.call ?? 2 * lease,
      skew: times.skew ?? 3_600_000,
    },
    locks: new Locks(),
    sightings: new Sightings(options.clock),
    looks: new Map(),
    unkept: new Map(),
    lines: new Lines(options.logger),
  };
}
