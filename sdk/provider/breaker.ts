/** What a call to a third party says about whoever answers for its credential. */
export type Verdict =
  /** It answered, if only to say no. */
  | { readonly kind: 'answered' }
  /** No answer, or one that says that it is ill. */
  | { readonly kind: 'failed' }
  /** It asks for patience: nothing before `retryAfter` ms have passed. */
  | { readonly kind: 'throttled'; readonly retryAfter: number }
  /** Nothing was learned. */
  | { readonly kind: 'unknown' };

/** When calls are held back, and for how long. */
export interface BreakerOptions {
  /** How many calls in a row fail or are throttled before nothing more is sent. @default 5 */
  readonly failures?: number;
  /** ms until one call is sent to see whether it works again; doubled each time it does not. @default 30 000 */
  readonly pause?: number;
  /** ms; no pause is longer. @default 600 000 */
  readonly longestPause?: number;
}

/** `closed`: calls go out; `open`: none does; `half-open`: one may, or is under way. */
export type BreakerState = 'closed' | 'open' | 'half-open';

type State =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly until: number; readonly pause: number }
  | { readonly kind: 'half-open'; readonly pause: number; readonly probing: boolean };

/** ms after which somebody who waits for the outcome of a probe looks again. */
const probePatience = 5_000;

/** Decides whether calls with one credential may go out now. It has no clock: `now` is monotonic ms. */
export class Breaker {
  readonly #failures: number;
  readonly #pause: number;
  readonly #longest: number;
  #state: State = { kind: 'closed', failures: 0 };
  /** Until when it was asked for patience. */
  #patience = Number.NEGATIVE_INFINITY;

  constructor({ failures = 5, pause = 30_000, longestPause = 600_000 }: BreakerOptions = {}) {
    this.#failures = failures;
    this.#pause = pause;
    this.#longest = longestPause;
  }

  state(now: number): BreakerState {
    const { kind } = this.#state;
    return kind === 'open' && now >= this.notBefore ? 'half-open' : kind;
  }

  /** Monotonic ms: no call goes out before. */
  get notBefore(): number {
    return this.#state.kind === 'open' ? Math.max(this.#state.until, this.#patience) : this.#patience;
  }

  /** Whether nothing is to be remembered of it. */
  isQuiet(now: number): boolean {
    return this.#state.kind === 'closed' && this.#state.failures === 0 && now >= this.#patience;
  }

  /** ms until a call may go out; 0: now. */
  wait(now: number): number {
    if (this.#state.kind === 'half-open' && this.#state.probing) return probePatience;
    return Math.max(0, this.notBefore - now);
  }

  /** A call may go out: where it is the first after a pause, it is the probe. */
  begin(now: number): void {
    if (this.state(now) === 'half-open' && this.#state.kind !== 'closed')
      this.#state = { kind: 'half-open', pause: this.#state.pause, probing: true };
  }

  /** A call has come to an end. */
  end(verdict: Verdict, now: number): void {
    if (verdict.kind === 'throttled') this.#patience = Math.max(this.#patience, now + verdict.retryAfter);
    this.#state = this.#next(verdict, now);
  }

  #next({ kind }: Verdict, now: number): State {
    const state = this.#state;
    if (state.kind === 'open') return state;
    if (kind === 'unknown') return state.kind === 'half-open' ? { ...state, probing: false } : state;
    if (kind === 'answered') return { kind: 'closed', failures: 0 };
    if (state.kind === 'half-open') return this.#open(now, Math.min(state.pause * 2, this.#longest));
    const failures = state.failures + 1;
    return failures < this.#failures ? { kind: 'closed', failures } : this.#open(now, this.#pause);
  }

  #open(now: number, pause: number): State {
    return { kind: 'open', until: now + pause, pause };
  }
}
