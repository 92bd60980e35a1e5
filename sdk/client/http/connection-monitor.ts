/** Health and back-off of a watch connection. */

import type { Logger } from 'pino';
import { type Clock, systemClock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { backoffDelay, backoffs } from '../../retry.ts';
import { messageOf } from '../../thrown.ts';

/** ms after which the end of a connection counts as normal. */
const recoveredAfter = 5000;
/** ms of silence after which a failed attempt is logged: a healthy server sends a bookmark a minute. */
const silentAfter = 75_000;

/** Health of a watch connection. */
export interface ConnectionHealth {
  /** ms since the server last sent an object, a list or a bookmark (one a minute). Undefined: never. */
  readonly silence: number | undefined;
  /** Number of consecutive attempts that failed or ended immediately. */
  readonly failures: number;
  /** Message of the last failure, kept after recovery. */
  readonly lastError: string | undefined;
}

/** Result of an attempt: its failure and the delay before the next. */
export interface TryResult {
  readonly failure: unknown;
  /** Consecutive failures; 0 when healthy. */
  readonly failures: number;
  /** ms until the next attempt. */
  readonly delay: number;
}

export interface ConnectionMonitorOptions {
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Logs a silence once when it is noticed (warn) and once when it ends (info), and the end of failures that were warnings (info). */
  readonly logger?: Logger | undefined;
}

/** Tracks connection attempts and backs off by `backoffs.connection`, or longer if the server asks for it. */
export class ConnectionMonitor {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger | undefined;
  readonly #createdAt: number;
  #startedAt = 0;
  #lastActivityAt: number | undefined;
  /** Start of the logged silence; undefined without one. */
  #silentSince: string | undefined;
  /** Time of the first warning since the connection last worked; undefined without one. */
  #failingSince: string | undefined;
  #failures = 0;
  /** Failed attempts since the server was last heard. */
  #silentAttempts = 0;
  #lastError: string | undefined;

  constructor({ clock = systemClock, random = Math.random, logger }: ConnectionMonitorOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
    this.#createdAt = clock.monotonic();
  }

  /** Starts an attempt. */
  begin(): void {
    this.#startedAt = this.#clock.monotonic();
  }

  /** Records that data has arrived from the server. */
  recordActivity(): void {
    this.#lastActivityAt = this.#clock.monotonic();
    this.#silentAttempts = 0;
    if (this.#lastActivityAt - this.#startedAt >= recoveredAfter) this.#failures = 0;
    const since = this.#silentSince ?? (this.#failures === 0 ? this.#failingSince : undefined);
    if (since === undefined) return;
    this.#logger?.info({ since }, 'the API server responds again');
    this.#silentSince = undefined;
    this.#failingSince = undefined;
  }

  /** Logs a failure. After warnings, one line (info) reports that the connection works again. */
  report({ failure, failures, delay }: TryResult, text: string, level: 'warn' | 'debug'): void {
    if (level === 'warn') this.#failingSince ??= new Date(this.#clock.now()).toISOString();
    this.#logger?.[level]({ err: failure, failures, delay }, text);
  }

  /** Ends an attempt. An immediate end without an error counts as a failure, too. */
  end(error?: unknown): TryResult {
    const lasted = this.#clock.monotonic() - this.#startedAt;
    if (lasted >= recoveredAfter) this.#failures = 0;
    if (error === undefined && lasted >= recoveredAfter) return { failure: undefined, failures: 0, delay: 0 };
    const failure = error ?? new Error(`the server ended the watch after ${Math.round(lasted)} ms`);
    const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
    const delay = Math.max(retryAfter, backoffDelay(backoffs.connection, this.#failures, this.#random));
    this.#failures += 1;
    this.#lastError = messageOf(failure);
    this.#logSilence(failure);
    return { failure, failures: this.#failures, delay };
  }

  health(): ConnectionHealth {
    return {
      silence: this.#lastActivityAt === undefined ? undefined : this.#clock.monotonic() - this.#lastActivityAt,
      failures: this.#failures,
      lastError: this.#lastError,
    };
  }

  /** A single silent attempt is tolerated: a healthy server may omit a bookmark. */
  #logSilence(failure: unknown): void {
    this.#silentAttempts += 1;
    const silence = this.#clock.monotonic() - (this.#lastActivityAt ?? this.#createdAt);
    if (this.#silentSince !== undefined || silence < silentAfter || this.#silentAttempts < 2) return;
    this.#silentSince = new Date(this.#clock.now() - silence).toISOString();
    this.#logger?.warn({ err: failure, since: this.#silentSince }, 'no response from the API server, retrying');
  }
}
