/** Dependencies and time limits that all controllers of a process share. */

import type { Logger } from 'pino';
import type { Kind } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import type { OutsideObserver } from '../../api/outside-observer.ts';
import type { Workspace } from '../../api/workspace.ts';
import type { Client } from '../../client/client.ts';
import type { ClientObserver } from '../../client/http/observer.ts';
import type { Clock } from '../../clock.ts';
import { redactAndCut } from '../../cut-text.ts';
import { SecretRegistry } from '../../secret-registry.ts';
import { RateLimiters } from '../limits/rate-limits.ts';
import { FencingTokens } from './fencing-tokens.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { ObservedTimes } from './observed-times.ts';
import { noSeal, type Seal } from './seal.ts';
import { verifyingWrites } from './verify-writes.ts';

/** Longest message of an event that is passed on, in characters: several times what an event holds. */
const maxMessageLength = 4_096;

/** Returns the message of an event, which a plug-in may give any length, without secrets. */
export const redactedMessage = (secrets: Pick<SecretRegistry, 'redact'>, message: unknown): string =>
  redactAndCut(String(message), maxMessageLength, (text) => secrets.redact(text));

/** Writes events about an object, best effort. */
export interface EventSink {
  event(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/** Time limits of attempts and calls, in ms. */
export interface GuardTimes {
  /** Lease of an attempt, renewed by heartbeats; an hour at most. @default 30 000 */
  readonly lease: number;
  /** Time before the end of the lease from which nothing is sent. @default a fifth of the lease */
  readonly margin: number;
  /** Time within which an abandoned request to a third party may still be carried out. @default 15 000 */
  readonly maxRequest: number;
  /** Longest attempt, however often it renews its lease; it is given up then. @default 20 leases */
  readonly attempt: number;
  /** Longest call of `connect`, `reconcile` or `terminate`, without the time inside `guard`, `ensure` and `destroy`. @default 2 leases */
  readonly call: number;
  /** Largest clock skew between two machines, by which a key's validity is shortened. @default 3 600 000 */
  readonly skew: number;
}

/** Refusal of a mirror by the server. */
export interface RefusedMirror {
  /** Time of the last refusal; monotonic ms. */
  readonly since: number;
  /** The server's words. */
  readonly message: string;
}

/** Dependencies of all controllers: one per process. */
export interface ProviderHost {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** Sink of events; secrets are redacted in their messages. */
  readonly events: EventSink;
  /** Registry of secrets to redact in conditions, journals, events and logs. */
  readonly secrets: SecretRegistry;
  readonly logger: Logger | undefined;
  /**
   * Returns the objects of a kind that `owner` owns, from a cache that includes this process's own writes; undefined for kinds that are not cached.
   */
  readonly owned: <T extends KubeObject>(kind: Kind<T>, owner: KubeObject) => readonly T[] | undefined;
  /** Returns the other workspaces that ask an integration, by its claim, for a unique name, the oldest first. */
  readonly othersWith: (claim: string, workspace: Workspace, name: string) => readonly Workspace[];
  /** Identity of this process run; unique. */
  readonly holder: string;
  readonly times: GuardTimes;
  /** Aborts when no new attempt may begin (shutdown); a running one finishes. */
  readonly stopping: AbortSignal;
  /** Aborts when running attempts must end too (the drain deadline has passed). */
  readonly killed: AbortSignal;
  readonly mutex: KeyedMutex;
  readonly observedTimes: ObservedTimes;
  readonly fencingTokens: FencingTokens;
  /** Times of the next drift checks, by uid, condition and slot; monotonic ms. */
  readonly driftChecks: Map<string, number>;
  /** Rate limiters of the credentials. */
  readonly rateLimiters: RateLimiters;
  /** Secrets of objects that could not be written to their Secret yet, by uid, condition and slot. */
  readonly unsavedSecrets: Map<string, Readonly<Record<string, string>>>;
  /** Mirrors that the server has refused, by uid and condition. */
  readonly refusedMirrors: Map<string, RefusedMirror>;
  /** Claims that this process has added while nothing was begun under them, by uid, claim and operation key. */
  readonly addedClaims: Set<string>;
  /** Receives the writes that the API server refuses, and the calls to third parties. */
  readonly observer: Pick<ClientObserver, 'refused'> & OutsideObserver;
  /** Returns the seal that signs records in metadata. */
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
  /** @default no other workspaces are known */
  readonly othersWith?: ProviderHost['othersWith'];
  /** @default none */
  readonly observer?: ProviderHost['observer'];
  /** @default nothing is signed: ids in metadata are not trusted */
  readonly seal?: ProviderHost['seal'];
}

/** Longest lease of an attempt, in ms. A longer one in the journal of another holder counts as this: forged ones would lock a workspace for years. */
export const maxGuardLease = 3_600_000;

const never = new AbortController().signal;

/** Returns the lease as it is journalled: in seconds, rounded up. */
export const leaseSecondsOf = ({ times }: Pick<ProviderHost, 'times'>): number => Math.ceil(times.lease / 1000);

/** Returns a unique identity for one attempt of this process. */
export const newHolder = ({ holder, random }: Pick<ProviderHost, 'holder' | 'random'>): string =>
  `${holder}/${Math.floor(random() * 2 ** 48).toString(36)}`;

/** Returns the times with the defaults set. @throws RangeError for a margin or a lease out of its limits */
function guardTimesOf({ lease = 30_000, margin = lease / 5, ...times }: Partial<GuardTimes>): GuardTimes {
  if (!(lease > 0 && margin > 0 && margin < lease))
    throw new RangeError(`guard times: margin (${margin} ms) must lie between 0 and lease (${lease} ms)`);
  if (lease > maxGuardLease)
    throw new RangeError(`guard times: lease (${lease} ms) must not exceed ${maxGuardLease} ms`);
  const { maxRequest = 15_000, attempt = 20 * lease, call = 2 * lease, skew = 3_600_000 } = times;
  return { lease, margin, maxRequest, attempt, call, skew };
}

/** Creates a host with the defaults set. @throws RangeError for contradictory times */
export function createProviderHost({
  times = {},
  secrets = new SecretRegistry(),
  ...options
}: ProviderHostOptions): ProviderHost {
  return {
    random: Math.random,
    stopping: never,
    killed: never,
    owned: () => undefined,
    othersWith: () => [],
    seal: () => noSeal,
    observer: {},
    logger: undefined,
    ...options,
    client: verifyingWrites(options.client),
    secrets,
    events: {
      event: (...[about, type, reason, message]) =>
        options.events.event(about, type, reason, redactedMessage(secrets, message)),
    },
    times: guardTimesOf(times),
    mutex: new KeyedMutex(),
    observedTimes: new ObservedTimes(options.clock),
    fencingTokens: new FencingTokens(),
    driftChecks: new Map(),
    unsavedSecrets: new Map(),
    refusedMirrors: new Map(),
    addedClaims: new Set(),
    rateLimiters: new RateLimiters(options.logger),
  };
}
