/** Exponential back-off: policies of all retries of the package, and the delays that they result in. */

import { refuseUnknown } from './options.ts';

/** Policy of retries; times in ms. */
export interface Backoff {
  /** Delay before the first retry; doubles with each. */
  readonly initialDelay: number;
  /** Longest delay. */
  readonly maxDelay: number;
  /**
   * Random share of a delay, so that clients do not retry at the same time: with 0.5, delays are between half of it and all of it. Policies whose
   * jitter lengthens the delay say so: with 0.5, delays are between once and one and a half times it.
   */
  readonly jitter: number;
  /** Maximum number of retries. @default no limit */
  readonly retries?: number;
  /** Number of first retries without any delay. @default 0 */
  readonly immediate?: number;
}

/** Policies of all retries of the package, by use. */
export const backoffs = {
  /** Failed reconciles of an informer controller, and of the sequencer. */
  run: { initialDelay: 1000, maxDelay: 300_000, jitter: 0.2 },
  /** Failed calls of a watch controller's watchers and reconcilers (grafana-app-sdk's DefaultRetryPolicy). */
  handlerCall: { initialDelay: 5000, maxDelay: 160_000, jitter: 0.2, retries: 6 },
  /** Reconciles after a conflict or a stale read. */
  race: { initialDelay: 20, maxDelay: 1000, jitter: 0.5, immediate: 3 },
  /** Failed operations under `withRetry`, within their run (operatorkit's DefaultBackOffFactory). */
  operation: { initialDelay: 1000, maxDelay: 1000, jitter: 0, retries: 3 },
  /** Repeated failures of a stepper: the delay is the age of the failure (OKT). */
  sameFailure: { initialDelay: 1000, maxDelay: 21_600_000, jitter: 0 },
  /** Failed writes of the success condition. */
  successCondition: { initialDelay: 5000, maxDelay: 5000, jitter: 0 },
  /** Patches of finalizers after concurrent changes. */
  finalizerPatch: { initialDelay: 0, maxDelay: 0, jitter: 0, retries: 3, immediate: 3 },
  /** Lists and watches. */
  connection: { initialDelay: 200, maxDelay: 30_000, jitter: 0.5 },
  /** Failed custom event sources. */
  eventSource: { initialDelay: 1000, maxDelay: 60_000, jitter: 0.2 },
  /** Requests that a server throttles without Retry-After; jitter lengthens the delay. */
  throttledRequest: { initialDelay: 1000, maxDelay: 1000, jitter: 0.25, retries: 5 },
  /** Writes of Kubernetes Events. */
  eventWrite: { initialDelay: 1000, maxDelay: 2000, jitter: 0, retries: 2 },
  /** Failed watches of a CustomResourceDefinition that is not established yet. */
  definitionWatch: { initialDelay: 500, maxDelay: 500, jitter: 0 },
  /** Failed watches that notice when a running operator's CustomResourceDefinitions are replaced by older ones. */
  definitionChanges: { initialDelay: 5000, maxDelay: 5000, jitter: 0 },
  /** Attempts to become the leader, and renewals; jitter lengthens the delay, as in client-go. */
  leaderElection: { initialDelay: 2000, maxDelay: 2000, jitter: 1.2 },
  /** Failed writes of the outcome of a guarded task. */
  outcomeWrite: { initialDelay: 100, maxDelay: 5000, jitter: 0.5 },
  /** Probes of a third party whose circuit is open. */
  circuitProbe: { initialDelay: 30_000, maxDelay: 600_000, jitter: 0 },
  /** Failed reads of the seal's key when the sequencer starts. */
  sealRead: { initialDelay: 500, maxDelay: 30_000, jitter: 0 },
  /** Failed reads of the pull requests of a repository. */
  previewLook: { initialDelay: 5000, maxDelay: 300_000, jitter: 0.2 },
  /** Failed orders of certificates: the next order for the same names. */
  certificateOrder: { initialDelay: 900_000, maxDelay: 900_000, jitter: 0 },
  /** Failed reads, writes and distribution of webhook certificates. */
  certificates: { initialDelay: 1000, maxDelay: 60_000, jitter: 0.5 },
  /** Failed exports of spans. */
  spanExport: { initialDelay: 5000, maxDelay: 60_000, jitter: 0.2 },
  /** Failed checks of permissions and CustomResourceDefinitions at the start. */
  preflight: { initialDelay: 10_000, maxDelay: 10_000, jitter: 0 },
} as const satisfies Readonly<Record<string, Backoff>>;

/** Bounds in ms of Retry-After: a shorter delay would be a busy loop, a longer one a standstill. */
const retryAfterBounds = { shortest: 1_000, longest: 3_600_000 };

/** Limits the delay in ms of a Retry-After to between a second and an hour. */
export const boundedRetryAfter = (ms: number): number =>
  Math.min(Math.max(ms, retryAfterBounds.shortest), retryAfterBounds.longest);

/** Returns the delay in ms before retry number `attempt` (0 is the first): doubled each time, capped, then shortened by a random share, if `random` is given. */
export function backoffDelay(
  { initialDelay, maxDelay, jitter, immediate = 0 }: Backoff,
  attempt: number,
  random: () => number = () => 0,
): number {
  if (attempt < immediate) return 0;
  const delay = Math.min(maxDelay, initialDelay * 2 ** Math.min(attempt - immediate, 1000));
  return delay * (1 - jitter * random());
}

/** Reports whether a policy allows retry number `attempt` (0 is the first). */
export const allowsRetry = ({ retries = Infinity }: Backoff, attempt: number): boolean => attempt < retries;

/** Returns a delay lengthened by a random share, for retries that must not be earlier. */
export const jitter = (delay: number, { jitter }: Pick<Backoff, 'jitter'>, random: () => number): number =>
  delay * (1 + jitter * random());

/** Options of {@link exponentialBackoff} and `withRetry`; absent ones default to the named policy of {@link backoffs}. */
export interface BackoffOptions extends Partial<Backoff> {
  /** @default Math.random */
  readonly random?: () => number;
}

const knownOptions = ['retries', 'initialDelay', 'maxDelay', 'jitter', 'immediate', 'random'];

/** Describes the first invalid number; undefined when all are valid. */
function invalidNumberIn({
  initialDelay,
  maxDelay,
  jitter,
  retries,
  immediate,
}: Required<Backoff>): string | undefined {
  if (!(retries >= 0)) return `retries must be 0 or more, found ${retries}`;
  if (!(initialDelay >= 0)) return `initialDelay must be 0 ms or more, found ${initialDelay}`;
  if (!(maxDelay >= initialDelay)) return `maxDelay must be at least initialDelay (${initialDelay}), found ${maxDelay}`;
  if (!(immediate >= 0)) return `immediate must be 0 or more, found ${immediate}`;
  return jitter >= 0 && jitter <= 1 ? undefined : `jitter must be between 0 and 1, found ${jitter}`;
}

/** Policy with the defaults of options, and the error for invalid options. */
interface BackoffDefaults {
  readonly policy: Backoff;
  /** @default a TypeError */
  readonly refuse?: (mistake: string) => Error;
}

/**
 * Completes options with the defaults of a policy. The default of `maxDelay` is raised to a larger `initialDelay`, and equals it if the policy's
 * delay is constant.
 * @throws TypeError naming `where` for unknown options, `refuse`'s error for invalid ones
 */
export function backoffOf(
  where: string,
  options: BackoffOptions,
  { policy, refuse = (mistake) => new TypeError(mistake) }: BackoffDefaults,
): Required<BackoffOptions> {
  refuseUnknown(where, options, knownOptions);
  const { initialDelay = policy.initialDelay, jitter = policy.jitter, random = Math.random } = options;
  const longest = policy.maxDelay === policy.initialDelay ? initialDelay : Math.max(policy.maxDelay, initialDelay);
  const { maxDelay = longest, retries = policy.retries ?? Infinity, immediate = policy.immediate ?? 0 } = options;
  const backoff = { initialDelay, maxDelay, jitter, retries, immediate, random };
  const mistake = invalidNumberIn(backoff);
  if (mistake !== undefined) throw refuse(`${where}: ${mistake}`);
  return backoff;
}

/**
 * Returns the ms until a failed reconcile is retried; undefined: not before the object changes. `attempt` is the number of consecutive failures
 * before this one. Pure except for jitter.
 */
export type RetryPolicy = (error: unknown, attempt: number) => number | undefined;

/**
 * Creates a policy that doubles the delay with each failure, up to a cap, with jitter. @default `backoffs.run`
 * @throws TypeError for invalid options
 */
export function exponentialBackoff(options: BackoffOptions = {}): RetryPolicy {
  const backoff = backoffOf('exponentialBackoff', options, { policy: backoffs.run });
  if (backoff.initialDelay === 0)
    throw new TypeError('exponentialBackoff: initialDelay must be more than 0 ms, found 0');
  return (_error, attempt) =>
    allowsRetry(backoff, attempt) ? backoffDelay(backoff, attempt, backoff.random) : undefined;
}

/** Never retries: a failed run waits for a change. */
export const noRetry: RetryPolicy = () => undefined;

/** Default retry policy of a watch controller (grafana-app-sdk's DefaultRetryPolicy), `backoffs.handlerCall`. */
export const defaultRetryPolicy: RetryPolicy = exponentialBackoff(backoffs.handlerCall);
