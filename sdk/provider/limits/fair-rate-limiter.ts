/** Fair token bucket: groups take turns. */

import { type CallOutcome, CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts';

/** Rate limits of a {@link FairRateLimiter}. */
export interface RateLimitOptions {
  /** Average calls per second. */
  readonly rate: number;
  /** Calls that may be made at once after an idle time. @default the calls of one second, at least one */
  readonly burst?: number;
  readonly breaker?: CircuitBreakerOptions;
}

/** Caller: each `key` keeps its place in the queue; permits are shared fairly between groups. */
export interface PermitRequest {
  readonly key: string;
  readonly group: string;
}

/** Permit for one call. */
export interface Permit {
  /** Notes that the call is sent. Counts once. */
  begin(now: number): void;
  /** Notes the result of the call. */
  end(outcome: CallOutcome, now: number): void;
  /** Returns the permit: an unused one goes to the next waiter; a begun one without a result counts as failed. */
  release(now: number): void;
}

/** Permit, or the ms after which the caller is expected to be next. */
export type PermitOrWait = { readonly permit: Permit } | { readonly wait: number };

interface WaitingRequest {
  readonly key: string;
  /** Time at which the caller is to return. */
  promised: number;
}

/** Waiters of one group in FIFO order, and how many permits it got. */
interface GroupQueue {
  readonly waiters: WaitingRequest[];
  permits: number;
}

/** Returns the waiter of a key, appended if new, and marks it as present. */
function waiterIn({ waiters }: GroupQueue, key: string, now: number): WaitingRequest {
  const known = waiters.find((one) => one.key === key);
  if (known !== undefined) {
    known.promised = now;
    return known;
  }
  const waiter = { key, promised: now };
  waiters.push(waiter);
  return waiter;
}

/** ms after its time for which a place is reserved for a waiter that has not returned. */
const grace = 5_000;
/** ms after its time when the place of a waiter that has not returned is dropped. */
const placeLifetime = 600_000;
/** Tolerance for floating point. */
const epsilon = 1e-6;

/**
 * Rate limiter of one credential: a token bucket, a circuit breaker and a fair queue. Callers do not block: one that must wait gets the time at which to return
 * and keeps its place. There are no timers and no clock: `now` is monotonic ms, and the state is computed on each call.
 *
 * # Guarantees
 * In any time span, no more calls than `burst` plus `rate` times the span. No waiting group is ahead of another by more than one permit (deficit
 * round robin with equal costs). A waiter keeps its place until `placeLifetime` after its time.
 */
export class FairRateLimiter {
  readonly #rate: number;
  readonly #burst: number;
  readonly #breaker: CircuitBreaker;
  readonly #queues = new Map<string, GroupQueue>();
  #tokens: number;
  /** Tokens of permits that have not begun. */
  #reserved = 0;
  #filled: number;
  /** Permits of the group served last; a group that starts to wait starts from here. */
  #round = 0;

  /** @param now monotonic ms */
  constructor({ rate, burst = Math.max(1, rate), breaker }: RateLimitOptions, now: number) {
    this.#rate = rate / 1000;
    this.#burst = burst;
    this.#breaker = new CircuitBreaker(breaker);
    this.#tokens = burst;
    this.#filled = now;
  }

  /** Returns the state of the circuit breaker. */
  state(now: number): ReturnType<CircuitBreaker['state']> {
    return this.#breaker.state(now);
  }

  /** Reports whether no call is allowed at all: the circuit is open, or the third party is throttling. */
  isBlocked(now: number): boolean {
    return this.pause(now) > 0;
  }

  /** Returns the ms for which no call is allowed at all; 0: calls are allowed. */
  pause(now: number): number {
    return this.#breaker.wait(now);
  }

  /** Number of callers that wait for a permit. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiters }) => sum + waiters.length, 0);
  }

  /** Reports whether there are no waiters and there is no state to keep. */
  isIdle(now: number): boolean {
    this.#fill(now);
    this.#forget(now);
    const full = this.#tokens >= this.#burst && this.#reserved === 0;
    return full && this.#queues.size === 0 && this.#breaker.isQuiet(now);
  }

  /** Requests a permit. */
  reserve({ key, group }: PermitRequest, now: number): PermitOrWait {
    this.#fill(now);
    this.#forget(now);
    const queue = this.#queueOf(group);
    const waiter = waiterIn(queue, key, now);
    const missing = this.#ahead(queue, waiter, now) + 1 - (this.#tokens - this.#reserved);
    const pause = this.#breaker.wait(now);
    if (pause === 0 && missing <= epsilon) return { permit: this.#grant(queue, waiter, now) };
    const wait = Math.max(1, Math.ceil(pause + Math.max(0, missing) / this.#rate));
    waiter.promised = now + wait;
    return { wait };
  }

  #fill(now: number): void {
    const passed = Math.max(0, now - Math.max(this.#filled, this.#breaker.notBefore));
    this.#tokens = Math.min(this.#burst, this.#tokens + passed * this.#rate);
    this.#filled = Math.max(this.#filled, now);
  }

  /** Drops places of waiters that did not return, and groups without waiters or debt. */
  #forget(now: number): void {
    for (const [group, { waiters, permits }] of this.#queues) {
      const gone = waiters.findIndex(({ promised }) => promised + placeLifetime < now);
      if (gone !== -1) waiters.splice(gone, 1);
      if (waiters.length === 0 && permits <= this.#round) this.#queues.delete(group);
    }
    if ([...this.#queues.values()].every(({ waiters }) => waiters.length === 0)) this.#queues.clear();
  }

  #queueOf(group: string): GroupQueue {
    const queue = this.#queues.get(group) ?? { waiters: [], permits: this.#round };
    if (queue.waiters.length === 0) queue.permits = Math.max(queue.permits, this.#round);
    this.#queues.set(group, queue);
    return queue;
  }

  /** Counts the waiters served before this one, in round-robin order. Overdue waiters are not counted. */
  #ahead(queue: GroupQueue, waiter: WaitingRequest, now: number): number {
    const waiting = ({ waiters }: GroupQueue): readonly WaitingRequest[] =>
      waiters.filter(({ promised }) => promised + grace >= now);
    const rank = queue.permits + waiting(queue).indexOf(waiter);
    let ahead = 0;
    let before = true;
    for (const other of this.#queues.values()) {
      if (other === queue) before = false;
      const sooner = rank - other.permits + (before ? 1 : 0);
      ahead += Math.min(waiting(other).length, Math.max(0, sooner));
    }
    return ahead;
  }

  #grant(queue: GroupQueue, waiter: WaitingRequest, granted: number): Permit {
    queue.waiters.splice(queue.waiters.indexOf(waiter), 1);
    this.#round = Math.max(this.#round, queue.permits);
    queue.permits += 1;
    this.#reserved += 1;
    this.#breaker.begin(granted);
    let phase: 'reserved' | 'under way' | 'over' = 'reserved';
    const begin = (now: number): void => {
      if (phase !== 'reserved') return;
      phase = 'under way';
      this.#fill(now);
      this.#reserved -= 1;
      this.#tokens -= 1;
    };
    const end = (outcome: CallOutcome, now: number): void => {
      if (phase === 'over') return;
      phase = 'over';
      this.#fill(now);
      this.#breaker.end(outcome, now);
      if (this.#breaker.wait(now) > 0) this.#tokens = Math.min(this.#tokens, 1);
    };
    const release = (now: number): void => {
      const unused = phase === 'reserved';
      if (unused) this.#reserved -= 1;
      end({ kind: unused ? 'unknown' : 'failed' }, now);
    };
    return { begin, end, release };
  }
}
