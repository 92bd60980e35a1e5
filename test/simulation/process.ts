import type { Clock } from '../../sdk/clock.ts';
import type { FaultPlan } from './faults.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** What everything in one life shares. */
export interface World {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly plan: FaultPlan;
  /** Adds a line to the trace. */
  note(who: string, what: string): void;
}

/** How a process's clocks stand. */
export interface ProcessOptions {
  /** ms by which its wall clock is wrong. @default 0 */
  readonly skew?: number;
  /** Its monotonic clock stands still while it pauses: as in a machine that sleeps, and never as assumed. @default false */
  readonly suspends?: boolean;
  /** Its timers are none of the effects that faults befall. @default false */
  readonly unseen?: boolean;
}

const epoch = Date.UTC(2026, 0, 1);

/**
 * One run of a sequencer process as the world sees it: its clocks, whether it is alive, whether it is frozen. Nothing enters it while it pauses;
 * nothing enters or leaves it once it is dead.
 */
export class Process {
  readonly name: string;
  readonly clock: Clock;
  readonly #world: World;
  readonly #suspends: boolean;
  readonly #unseen: boolean;
  readonly #onEnd: (() => void)[] = [];
  #skew: number;
  #pausedUntil = 0;
  #suspended = 0;
  #dead = false;

  constructor(world: World, name: string, { skew = 0, suspends = false, unseen = false }: ProcessOptions = {}) {
    this.name = name;
    this.#world = world;
    this.#skew = skew;
    this.#suspends = suspends;
    this.#unseen = unseen;
    this.clock = this.#createClock();
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Ends it, without a word to anybody. */
  die(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#world.note(this.name, 'dies');
    for (const listener of this.#onEnd) listener();
  }

  /** Calls `listener` when it dies. */
  onEnd(listener: () => void): void {
    this.#onEnd.push(listener);
  }

  /** Freezes it: its clocks go on. */
  pause(ms: number): void {
    const { now } = this.#world.scheduler;
    const from = Math.max(now, this.#pausedUntil);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
    if (this.#suspends) this.#suspended += Math.max(0, this.#pausedUntil - from);
    this.#world.note(this.name, `pauses for ${ms} ms`);
  }

  /** Moves its wall clock. */
  jump(ms: number): void {
    this.#skew += ms;
  }

  /** Calls `fn` in the process: now, or when its pause is over; never once it is dead. */
  enter(fn: () => void): void {
    if (this.#dead) return;
    const wait = this.#pausedUntil - this.#world.scheduler.now;
    if (wait > 0) this.#world.scheduler.after(wait, () => this.enter(fn));
    else fn();
  }

  /** Resolves in the process as soon as it runs; never once it is dead. */
  entered(): Promise<void> {
    return new Promise((resolve) => this.enter(resolve));
  }

  /** Calls `fn` in `ms`, as an effect of its own: a crash may come just before it, or just after it. */
  after(ms: number, fn: () => void): () => void {
    let cancelled = false;
    const fire = (): void => {
      if (cancelled) return;
      const faults = this.#unseen ? [] : this.#world.plan.next('timer');
      const crash = faults.find(({ kind }) => kind === 'crash before' || kind === 'crash after');
      for (const fault of faults) this.#world.plan.strike(fault);
      if (crash?.kind === 'crash before') {
        this.die();
        return;
      }
      fn();
      const pause = faults.find(({ kind }) => kind === 'pause');
      if (pause !== undefined) this.pause(pause.ms);
      if (crash !== undefined) this.#world.scheduler.after(0, () => this.die());
    };
    const cancel = this.#world.scheduler.after(ms, () => this.enter(fire));
    return () => {
      cancelled = true;
      cancel();
    };
  }

  #createClock(): Clock {
    const { scheduler } = this.#world;
    return {
      now: () => epoch + scheduler.now + this.#skew,
      monotonic: () => 1_000 + scheduler.now - this.#suspended,
      after: (ms, fn) => this.after(ms, fn),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          const onAbort = (): void => {
            cancel();
            reject(signal?.reason);
          };
          const cancel = this.after(ms, () => {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          });
          signal?.addEventListener('abort', onAbort, { once: true });
        }),
    };
  }
}
