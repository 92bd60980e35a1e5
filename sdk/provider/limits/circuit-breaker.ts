/** Circuit breaker of one credential. */

import { type Backoff, backoffDelay, backoffs } from '../../retry.ts';

/** Result of a call, as evidence of the third party's health. */
export type CallOutcome =
  /** The third party responded, if only with a refusal. */
  | { readonly kind: 'answered' }
  /** No response, or a server error. */
  | { readonly kind: 'failed' }
  /** Throttled: no call before `retryAfter` ms have passed. */
  | { readonly kind: 'throttled'; readonly retryAfter: number }
  /** No evidence. */
  | { readonly kind: 'unknown' };

/** Options of a {@link CircuitBreaker}. */
export interface CircuitBreakerOptions {
  /** Consecutive failed or throttled calls after which the circuit opens. @default 5 */
  readonly failures?: number;
  /** ms after which one probe call is sent; doubled each time it fails. @default backoffs.circuitProbe */
  readonly pause?: number;
  /** Longest pause in ms. @default backoffs.circuitProbe */
  readonly maxPause?: number;
}

/** `closed`: calls are allowed; `open`: none is; `half-open`: one probe is allowed or in progress. */
export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

type Circuit =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly until: number; readonly probes: number }
  | { readonly kind: 'half-open'; readonly probes: number; readonly probing: boolean };

const usual = backoffs.circuitProbe;
/** ms after which a caller that waits for the outcome of a probe asks again. */
const probeWait = 5_000;

/** Decides whether calls with one credential are allowed now. It has no clock: `now` is monotonic ms. */
export class CircuitBreaker {
  readonly #failures: number;
  readonly #pauses: Backoff;
  #state: Circuit = { kind: 'closed', failures: 0 };
  /** Monotonic ms until which the third party is throttling. */
  #throttledUntil = Number.NEGATIVE_INFINITY;

  constructor({ failures = 5, pause = usual.initialDelay, maxPause = usual.maxDelay }: CircuitBreakerOptions = {}) {
    this.#failures = failures;
    this.#pauses = { ...usual, initialDelay: pause, maxDelay: Math.max(pause, maxPause) };
  }

  state(now: number): CircuitBreakerState {
    const { kind } = this.#state;
    return kind === 'open' && now >= this.notBefore ? 'half-open' : kind;
  }

  /** Monotonic ms before which no call is allowed. */
  get notBefore(): number {
    return this.#state.kind === 'open' ? Math.max(this.#state.until, this.#throttledUntil) : this.#throttledUntil;
  }

  /** Reports whether there is no state to keep. */
  isQuiet(now: number): boolean {
    return this.#state.kind === 'closed' && this.#state.failures === 0 && now >= this.#throttledUntil;
  }

  /** Returns the ms until a call is allowed; 0: now. */
  wait(now: number): number {
    if (this.#state.kind === 'half-open' && this.#state.probing) return probeWait;
    return Math.max(0, this.notBefore - now);
  }

  /** Notes a call that starts; the first after a pause is the probe. */
  begin(now: number): void {
    if (this.state(now) === 'half-open' && this.#state.kind !== 'closed')
      this.#state = { kind: 'half-open', probes: this.#state.probes, probing: true };
  }

  /** Notes the result of a call. */
  end(outcome: CallOutcome, now: number): void {
    if (outcome.kind === 'throttled') this.#throttledUntil = Math.max(this.#throttledUntil, now + outcome.retryAfter);
    this.#state = this.#next(outcome, now);
  }

  #next({ kind }: CallOutcome, now: number): Circuit {
    const state = this.#state;
    if (state.kind === 'open') return state;
    if (kind === 'unknown') return state.kind === 'half-open' ? { ...state, probing: false } : state;
    if (kind === 'answered') return { kind: 'closed', failures: 0 };
    if (state.kind === 'half-open') return this.#open(now, state.probes + 1);
    const failures = state.failures + 1;
    return failures < this.#failures ? { kind: 'closed', failures } : this.#open(now, 0);
  }

  /** Opens the circuit after a number of probes that have failed. */
  #open(now: number, probes: number): Circuit {
    return { kind: 'open', until: now + backoffDelay(this.#pauses, probes), probes };
  }
}
