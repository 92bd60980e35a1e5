/** Bounds the time of calls into integrations. */

import { timestamp } from '../../api/condition.ts';
import { ContractError } from '../../errors.ts';
import { errorThrownBy } from '../../thrown.ts';
import type { ProviderHost } from '../host/host.ts';
import { type IntegrationRef, integrationIn } from '../value-mistakes.ts';

/** Function of an integration that the sequencer calls. */
export type IntegrationFunction = 'connect' | 'reconcile' | 'terminate';

/** ms without a response after which a wait is reported. */
export const reportAfter = 10_000;

/** Call in progress. */
export interface PendingCall {
  readonly name: IntegrationFunction;
  /** Wall clock, ms. */
  readonly since: number;
  /** Wall clock, ms: the time at which the call is given up. */
  readonly until: number;
}

/** Formats the condition's reason for a call in progress. */
export const pendingCallText = ({ name, since, until }: PendingCall): string =>
  `${name} has not answered since ${timestamp(since)}, and is given up at ${timestamp(until)}`;

const nothing = (): void => {};

/**
 * Limits the calls into a plug-in for one walk. Only the plug-in's own time counts: work run by {@link IntegrationCall.runUntimed} has limits of its own.
 * A call that takes too long is abandoned, and nothing may be done on its behalf from then on.
 */
export class IntegrationCall {
  readonly #host: Pick<ProviderHost, 'clock' | 'killed' | 'times'>;
  readonly #integration: IntegrationRef;
  readonly #abort = new AbortController();
  #left = 0;
  #since = 0;
  #name: IntegrationFunction | undefined;
  #nested = 0;
  #stopTimer = nothing;
  #onPending: (unanswered: PendingCall) => void = nothing;

  constructor(host: Pick<ProviderHost, 'clock' | 'killed' | 'times'>, integration: IntegrationRef) {
    this.#host = host;
    this.#integration = integration;
  }

  /** Aborts when the call is given up. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /**
   * Calls the plug-in. `onPending` is called once if there is no response for some time, and must not throw.
   * @throws the plug-in's error; ContractError once it has taken too long; the reason for which the process must end
   */
  async run<T>(
    name: IntegrationFunction,
    call: () => T | Promise<T>,
    onPending: (unanswered: PendingCall) => void,
  ): Promise<T> {
    const { clock, killed, times } = this.#host;
    const over = Promise.withResolvers<never>();
    const end = () => over.reject(this.signal.aborted ? this.signal.reason : killed.reason);
    this.#onPending = onPending;
    this.#name = name;
    this.#left = times.call;
    this.#since = clock.now();
    this.signal.addEventListener('abort', end, { once: true });
    killed.addEventListener('abort', end, { once: true });
    if (killed.aborted) end();
    this.#startTimer();
    try {
      return await Promise.race([(async () => call())(), over.promise]);
    } catch (error) {
      throw errorThrownBy(name, error);
    } finally {
      this.#stopTimer();
      this.#name = undefined;
      this.signal.removeEventListener('abort', end);
      killed.removeEventListener('abort', end);
    }
  }

  /** Runs work of the sequencer that the plug-in has requested: its time does not count. @throws the call's error once it has been given up */
  async runUntimed<T>(work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    this.#nested += 1;
    this.#stopTimer();
    try {
      return await work();
    } finally {
      this.#nested -= 1;
      if (this.#nested === 0 && this.#name !== undefined) this.#startTimer();
    }
  }

  /** Starts the plug-in's time until it is halted. */
  #startTimer(): void {
    const { clock, times } = this.#host;
    const from = clock.monotonic();
    const spent = times.call - this.#left;
    const cancelEnd = clock.after(this.#left, () => this.#giveUp());
    const cancelTell = spent < reportAfter ? clock.after(reportAfter - spent, () => this.#report()) : nothing;
    this.#stopTimer = () => {
      cancelEnd();
      cancelTell();
      this.#left -= clock.monotonic() - from;
      this.#stopTimer = nothing;
    };
  }

  #report(): void {
    const name = this.#name;
    if (name === undefined) return;
    const until = this.#host.clock.now() + this.#host.times.call - reportAfter;
    this.#onPending({ name, since: this.#since, until });
  }

  #giveUp(): void {
    const { times } = this.#host;
    const found = `no answer since ${timestamp(this.#since)}`;
    const advice = 'pass controller.signal to its requests';
    const message = `${this.#name} must answer within ${times.call} ms; found ${found}: ${advice}`;
    this.#abort.abort(new ContractError(`${integrationIn(this.#integration)}: ${message}`));
  }
}
