/** Leader election with a Lease, as in client-go. */

import type { Logger } from 'pino';
import type { Lease } from '../../api/kinds.ts';
import type { ObjectKey } from '../../api/object.ts';
import type { Client } from '../../client/client.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { withDeadline } from '../../deadline.ts';
import { backoffs, jitter } from '../../retry.ts';
import { messageOf } from '../../thrown.ts';
import type { Observer } from '../engine/observer.ts';
import { failuresOf, OperatorError, type Runnable, runOperator } from '../operator.ts';
import { checkedTimes, type LeaderTimes } from './leader-times.ts';
import { LeaseLock } from './lease-lock.ts';
import { followLease } from './lease-watch.ts';

/** Options of {@link withLeaderElection}. */
export interface LeaderElectionOptions extends LeaderTimes {
  readonly client: Client;
  /** Lease that all candidates share. Its namespace must exist. */
  readonly lease: ObjectKey;
  /** Identity of this process; must be unique among all candidates, ever, unless there is a `processId`. */
  readonly identity: string;
  /**
   * Unique id of this process, for an identity that an earlier process may have had, such as the name of a pod whose container was restarted. A lease
   * of the earlier process must expire first. @default the identity is unique
   */
  readonly processId?: string;
  /** Labels of the lease. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Controllers that only the leader runs. */
  readonly controllers: readonly Runnable[];
  /** ms within which the controllers must end once they are stopped. @default 15 000 */
  readonly drain?: number;
  /** @default 'leader election' */
  readonly name?: string;
  readonly observer?: Pick<Observer, 'elected'>;
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: () => number;
  readonly logger?: Logger;
}

/** Runnable that runs its controllers while it leads. */
export interface ElectedRunnable extends Runnable {
  isLeader(): boolean;
}

/** Thrown when the lease could not be renewed in time, or was taken: another candidate may lead by now, so all controllers were stopped. */
export class LeadershipLostError extends Error {
  static {
    LeadershipLostError.prototype.name = 'LeadershipLostError';
  }
}

const policy = backoffs.leaderElection;

class Election implements ElectedRunnable {
  readonly name: string;
  readonly #options: LeaderElectionOptions;
  readonly #times: Required<LeaderTimes>;
  readonly #clock: Clock;
  readonly #lock: LeaseLock;
  #isLeader = false;
  /** Other holder that was last logged. */
  #loggedHolder = '';
  /** Aborts when the lease was released after the last attempt. */
  #released = new AbortController();

  constructor(options: LeaderElectionOptions) {
    const { name = 'leader election', clock = systemClock } = options;
    this.name = name;
    this.#options = options;
    this.#times = checkedTimes(options);
    if (options.identity === '') throw new TypeError('leader election: identity is empty');
    this.#clock = clock;
    this.#lock = new LeaseLock({ ...options, clock, leaseDuration: this.#times.leaseDuration });
  }

  isLeader(): boolean {
    return this.#isLeader;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#options.observer?.elected?.(this.#options.lease.name, false);
    if (!(await this.#acquire(signal))) return;
    this.#setLeading(true);
    try {
      await this.#runControllers(signal);
    } finally {
      this.#setLeading(false);
    }
  }

  /** Tries to acquire the lease until it succeeds; false when the signal aborts before. */
  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { logger, identity } = this.#options;
    const over = new AbortController();
    const following = this.#watchLease(AbortSignal.any([signal, over.signal]));
    try {
      while (!signal.aborted) {
        this.#released = new AbortController();
        const wake = AbortSignal.any([signal, this.#released.signal]);
        if (await this.#try(signal, this.#times.renewDeadline)) return true;
        this.#logHolder();
        await this.#clock.sleep(this.#retryDelay(), wake).catch(() => undefined);
      }
    } finally {
      over.abort();
      await following;
    }
    logger?.debug({ identity }, 'stopped waiting to lead');
    // A response may have been lost: release the lease in case it was acquired.
    await this.#release();
    return false;
  }

  /** Logs the other holder, once for each. */
  #logHolder(): void {
    const { logger, identity, lease } = this.#options;
    const { holder } = this.#lock;
    if (!this.#lock.isTaken() || holder === this.#loggedHolder) return;
    this.#loggedHolder = holder;
    const expiresIn = Math.ceil(this.#lock.expiresIn());
    logger?.info({ identity, lease, holder, expiresIn }, 'waiting to lead: another one holds the lease');
  }

  /** Watches the lease while another candidate holds it, so that its release and its renewals are observed without delay. */
  #watchLease(signal: AbortSignal): Promise<void> {
    const { client, lease, logger } = this.#options;
    const onChange = (now: Lease | undefined): void => {
      if (this.#lock.observe(now)) this.#released.abort();
    };
    const retryInterval = this.#times.retryPeriod;
    return followLease({ client, lease, clock: this.#clock, retryInterval, signal, onChange, logger });
  }

  /** Returns the ms until the next attempt: the retry period, or less if the lease expires earlier. */
  #retryDelay(): number {
    const retryAfter = jitter(this.#times.retryPeriod, policy, this.#options.random ?? Math.random);
    const left = Math.ceil(this.#lock.expiresIn());
    return left > 0 ? Math.min(left, retryAfter) : retryAfter;
  }

  /** Runs the controllers while renewing the lease, until the signal aborts, a controller ends, or the lease is lost. */
  async #runControllers(signal: AbortSignal): Promise<void> {
    const { controllers, drain } = this.#options;
    const lost = new AbortController();
    const over = new AbortController();
    const stop = AbortSignal.any([signal, lost.signal]);
    const options = { controllers, signal: stop, clock: this.#clock, ...(drain !== undefined && { drain }) };
    const working = runOperator(options).finally(() => over.abort());
    // The lease is renewed while the controllers drain after the signal: no other candidate may start.
    const isLost = await this.#renew(over.signal);
    if (isLost) lost.abort(new LeadershipLostError('the lease was lost'));
    try {
      await working;
    } catch (error) {
      if (!isLost) throw error;
      throw new OperatorError(
        [this.#lost(), ...failuresOf(error)].map((failed) => ({ name: this.name, error: failed })),
      );
    } finally {
      if (!isLost) await this.#release();
    }
    if (isLost) throw this.#lost();
  }

  #lost(): LeadershipLostError {
    const { namespace = '', name } = this.#options.lease;
    const why = this.#lock.isTaken()
      ? `taken by ${JSON.stringify(this.#lock.holder)}`
      : `not renewed within ${this.#times.renewDeadline} ms`;
    return new LeadershipLostError(`the Lease ${namespace}/${name} was ${why}`);
  }

  /** Renews the lease until the signal aborts (false), or until renewals have failed for too long (true). */
  async #renew(signal: AbortSignal): Promise<boolean> {
    const { retryPeriod, renewDeadline } = this.#times;
    let renewedAt = this.#clock.monotonic();
    const left = () => renewedAt + renewDeadline - this.#clock.monotonic();
    while (left() > 0) {
      await this.#clock.sleep(Math.min(retryPeriod, left()), signal).catch(() => undefined);
      if (signal.aborted) return false;
      const began = this.#clock.monotonic();
      if (left() > 0 && (await this.#try(signal, left()))) renewedAt = began;
      else if (this.#lock.isTaken()) break;
    }
    return !signal.aborted;
  }

  /** Makes one attempt of at most `deadline` ms, in which a request without an answer takes half a renewal deadline at most; a failure is logged and returns false. */
  async #try(signal: AbortSignal, deadline: number): Promise<boolean> {
    try {
      return await withDeadline({ clock: this.#clock, deadline, signal }, (limited) =>
        this.#lock.acquireOrRenew({ signal: limited, deadline: this.#times.renewDeadline / 2 }),
      );
    } catch (error) {
      const { logger, identity } = this.#options;
      if (!signal.aborted) logger?.warn({ err: error, identity }, 'lease could not be acquired or renewed');
      return false;
    }
  }

  async #release(): Promise<void> {
    try {
      await this.#lock.release(this.#times.renewDeadline);
    } catch (error) {
      this.#options.logger?.warn({ reason: messageOf(error) }, 'lease could not be released, others wait for its end');
    }
  }

  #setLeading(isLeader: boolean): void {
    const { identity, logger, observer, lease } = this.#options;
    this.#isLeader = isLeader;
    observer?.elected?.(lease.name, isLeader);
    logger?.info({ identity, lease }, isLeader ? 'leading' : 'no longer leading');
  }
}

/**
 * Runs controllers in one of several processes at a time, elected by a Lease as in client-go.
 *
 * # Expected flow
 * 1. Watch the lease, and try every `retryPeriod`, until it has no holder, or no renewal by its holder was observed for `leaseDuration`.
 *    A release and the expiry are followed by an attempt at once. Without the right to watch the lease it is only polled.
 * 2. Run the controllers, and renew the lease every `retryPeriod`.
 * 3. When stopped: drain the controllers while still renewing, then release the lease, so that the next candidate starts at once.
 *
 * # Guarantees
 * Durations are measured on the monotonic clock of this process, from the observation of a change of the lease, so clock skew has no effect.
 * A leader that cannot renew within `renewDeadline` after the start of its last successful renewal stops its controllers.
 *
 * # Caveats
 * Writes are not fenced by the server: a process that was suspended for longer than a lease may make one more write when it resumes. The guard of
 * this package is safe in that case, too.
 *
 * @throws TypeError for inconsistent durations; from `run`: LeadershipLostError, OperatorError
 */
export function withLeaderElection(options: LeaderElectionOptions): ElectedRunnable {
  return new Election(options);
}
