import type { Logger } from 'pino';
import { type Clock, systemClock } from '../clock.ts';
import { ApiError, messageOf } from '../errors.ts';
import { backoffDelay } from './backoff.ts';

const retryBackoff = { initialDelay: 200, maxDelay: 30_000, jitter: 0.5 };
/** ms that a connection must live for its end to be a normal one. */
const calmAfter = 5000;
/** ms without a word after which a failed try is logged as silence: a healthy server sends a bookmark a minute. */
const silentAfter = 75_000;

/** How a long conversation with a server is going. */
export interface PulseHealth {
  /** ms since the server last said anything: an object, a list, or a bookmark (one a minute). Undefined: never. */
  readonly silence: number | undefined;
  /** Tries in a row that failed or ended at once. */
  readonly failures: number;
  /** Of the last failure, also after it was overcome. */
  readonly lastError: string | undefined;
}

/** What came of a try: the error, if the next must wait, and for how long. */
export interface Verdict {
  readonly failure: unknown;
  /** Failures in a row; 0 when all is well. */
  readonly failures: number;
  /** ms until the next try. */
  readonly delay: number;
}

export interface PulseOptions {
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Where a silence is logged, once when it is noticed (warn) and once when it is over (info). */
  readonly logger?: Logger | undefined;
}

/** Tells good tries from bad ones and spaces the bad ones out: 0.2 s doubling to 30 s, with jitter, or later if the server asks for it. */
export class Pulse {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger | undefined;
  readonly #createdAt: number;
  #startedAt = 0;
  #heardAt: number | undefined;
  /** When the silence that was logged began; undefined: none was. */
  #silentSince: string | undefined;
  #failures = 0;
  #lastError: string | undefined;

  constructor({ clock = systemClock, random = Math.random, logger }: PulseOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
    this.#createdAt = clock.monotonic();
  }

  /** A try begins. */
  begin(): void {
    this.#startedAt = this.#clock.monotonic();
  }

  /** The server said something. */
  heard(): void {
    this.#heardAt = this.#clock.monotonic();
    if (this.#heardAt - this.#startedAt >= calmAfter) this.#failures = 0;
    if (this.#silentSince === undefined) return;
    this.#logger?.info({ since: this.#silentSince }, 'the API server is heard again');
    this.#silentSince = undefined;
  }

  /** The try is over, by an error or without one. Ending without one is a failure too if it came at once. */
  end(error?: unknown): Verdict {
    const lasted = this.#clock.monotonic() - this.#startedAt;
    if (lasted >= calmAfter) this.#failures = 0;
    if (error === undefined && lasted >= calmAfter) return { failure: undefined, failures: 0, delay: 0 };
    const failure = error ?? new Error(`the server ended the watch after ${Math.round(lasted)} ms`);
    const wish = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
    const delay = Math.max(wish, backoffDelay(retryBackoff, this.#failures, this.#random));
    this.#failures += 1;
    this.#lastError = messageOf(failure);
    this.#noteSilence(failure);
    return { failure, failures: this.#failures, delay };
  }

  health(): PulseHealth {
    return {
      silence: this.#heardAt === undefined ? undefined : this.#clock.monotonic() - this.#heardAt,
      failures: this.#failures,
      lastError: this.#lastError,
    };
  }

  #noteSilence(failure: unknown): void {
    const silence = this.#clock.monotonic() - (this.#heardAt ?? this.#createdAt);
    if (this.#silentSince !== undefined || silence < silentAfter) return;
    this.#silentSince = new Date(this.#clock.now() - silence).toISOString();
    this.#logger?.warn({ err: failure, since: this.#silentSince }, 'nothing is heard of the API server, trying again');
  }
}
