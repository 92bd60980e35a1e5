/** Simulates a sequencer process: clocks, pauses, crashes and shutdown. */

import type { Clock } from '../../../../sdk/clock.ts';
import type { Fault } from '../faults/faults.ts';
import type { FaultPlan } from '../faults/plan.ts';
import type { Owners } from '../third-party/owners.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import type { Streams } from './streams.ts';

/** State shared by everything in one life. */
export interface World {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly plan: FaultPlan;
  readonly streams: Streams;
  readonly owners: Owners;
  /** Carries out an act of users, administrators or foreign writers. */
  act(fault: Fault): Promise<void>;
  /** Adds a line to the trace. */
  note(who: string, what: string): void;
}

/** Options of a process's clocks. */
export interface ProcessOptions {
  /** Error of its wall clock, ms. @default 0 */
  readonly skew?: number;
  /** Rate of its clocks: 1.01 gains ten ms in a second. @default 1 */
  readonly rate?: number;
  /** The monotonic clock stops during a pause, as on a suspended machine; this breaks the guard's assumption. @default false */
  readonly suspends?: boolean;
  /** Its timers do not count as effects that faults may hit. @default false */
  readonly unseen?: boolean;
}

/** ms that a process has to finish its work after SIGTERM. */
const drain = 3_000;

const epoch = Date.UTC(2026, 0, 1);

/**
 * One run of a sequencer process: its clocks, and whether it is alive or frozen. Nothing enters it while it is paused; nothing enters or
 * leaves it once it is dead.
 */
export class Process {
  readonly name: string;
  readonly clock: Clock;
  readonly #world: World;
  readonly #suspends: boolean;
  readonly #rate: number;
  readonly #unseen: boolean;
  readonly #onEnd: (() => void)[] = [];
  #skew: number;
  #pausedUntil = 0;
  #suspended = 0;
  #dead = false;
  readonly #stopping = new AbortController();
  readonly #killed = new AbortController();

  constructor(world: World, name: string, options: ProcessOptions = {}) {
    const { skew = 0, rate = 1, suspends = false, unseen = false } = options;
    this.name = name;
    this.#world = world;
    this.#skew = skew;
    this.#rate = rate;
    this.#suspends = suspends;
    this.#unseen = unseen;
    this.clock = this.#createClock();
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Ends it at once, without shutdown. */
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

  /** Aborts on SIGTERM: no new work may begin. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborts when the shutdown period is over, shortly before the process ends. */
  get killed(): AbortSignal {
    return this.#killed.signal;
  }

  /** Sends SIGTERM: the process finishes its work and ends. */
  stop(): void {
    if (this.#stopping.signal.aborted) return;
    this.#world.note(this.name, 'is told to stop');
    this.#stopping.abort(new Error('told to stop'));
    this.#world.scheduler.after(drain, () => this.enter(() => this.#killed.abort(new Error('not through in time'))));
    this.#world.scheduler.after(drain + 500, () => this.die());
  }

  /** Freezes it; its clocks continue. */
  pause(ms: number): void {
    const { now } = this.#world.scheduler;
    const from = Math.max(now, this.#pausedUntil);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
    if (this.#suspends) this.#suspended += Math.max(0, this.#pausedUntil - from);
    this.#world.note(this.name, `pauses for ${ms} ms`);
  }

  /** Moves its wall clock by `ms`. */
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

  /** Calls `fn` in `ms`, as an effect of its own: a crash may come just before or just after it. */
  after(ms: number, fn: () => void): () => void {
    let cancelled = false;
    const fire = (): void => {
      if (cancelled) return;
      const faults = this.#unseen ? [] : this.#world.plan.next('timer');
      const crash = faults.find(({ kind }) => kind === 'crash before' || kind === 'crash after');
      for (const fault of faults) this.#world.plan.strike(fault, this.#world.scheduler.now);
      if (crash?.kind === 'crash before') {
        this.die();
        return;
      }
      fn();
      if (faults.some(({ kind }) => kind === 'stop')) this.stop();
      const pause = faults.find(({ kind }) => kind === 'pause');
      if (pause !== undefined) this.pause(pause.ms);
      if (crash !== undefined) this.#world.scheduler.after(0, () => this.die());
    };
    const cancel = this.#world.scheduler.after(ms / this.#rate, () => this.enter(fire));
    return () => {
      cancelled = true;
      cancel();
    };
  }

  #createClock(): Clock {
    const { scheduler } = this.#world;
    return {
      now: () => epoch + scheduler.now * this.#rate + this.#skew,
      monotonic: () => 1_000 + (scheduler.now - this.#suspended) * this.#rate,
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
