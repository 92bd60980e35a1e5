/** Timers that functions of an integration set, such as time-outs of their requests. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Clock } from '../../../sdk/index.ts';
import { type Invocation, invocation } from './invocations.ts';

const thirdParty = new AsyncLocalStorage<true>();

/** Runs the third party's part of a call, whose timers are not the integration's. */
export const atThirdParty = <T>(act: () => T): T => thirdParty.run(true, act);

/** Returns the invocation whose code runs here; undefined within the third party, and outside of all functions. */
export const byIntegration = (): Invocation | undefined => (thirdParty.getStore() ? undefined : invocation.getStore());

/** Fires all timers of an invocation, as if their time had passed. */
export function fireTimers(by: Invocation | undefined): void {
  for (const fire of [...(by?.timers ?? [])]) fire();
}

/** Returns the clock, whose timers {@link fireTimers} can fire. */
export const trackedClock = (clock: Clock): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  sleep(ms, signal) {
    const timers = byIntegration()?.timers;
    if (timers === undefined) return clock.sleep(ms, signal);
    const early = Promise.withResolvers<void>();
    timers.add(early.resolve);
    const over = () => timers.delete(early.resolve);
    return Promise.race([clock.sleep(ms, signal), early.promise]).finally(over);
  },
  after(ms, fn) {
    const timers = byIntegration()?.timers;
    if (timers === undefined) return clock.after(ms, fn);
    const fire = () => {
      cancel();
      fn();
    };
    const stop = clock.after(ms, fire);
    const cancel = () => {
      timers.delete(fire);
      stop();
    };
    timers.add(fire);
    return cancel;
  },
});

type Timer = ReturnType<typeof setTimeout>;

/** The global functions that set timers, as they are without the kit. */
interface GlobalTimers {
  readonly setTimeout: typeof setTimeout;
  readonly clearTimeout: typeof clearTimeout;
  readonly timeout: typeof AbortSignal.timeout;
}

/** Longest time of a timer, in ms, that lets other code run and waits for nothing. */
const maxYield = 1;

/** Records the mistake of a function that waits by the system's timers; none where a call of it has failed, since it may be its time-out. */
function noteWait(by: Invocation | undefined, ms: number): void {
  if (!trackers.isVirtual || by === undefined || by.isOver || ms <= maxYield) return;
  if (by.calls.some(({ fault }) => fault !== undefined)) return;
  by.mistakes.add(
    `${by.name} waits by setTimeout, which does not end when context.signal aborts, so that it acts on after its lease: wait by clock.sleep(ms, context.signal) of run.clock; better, do not wait within a function: answer ready: false, "deleting" or requeueAfter, and be asked again`,
  );
}

/** Returns global functions whose timers {@link fireTimers} can fire. */
function trackedTimers({ setTimeout: set, clearTimeout: clear, timeout }: GlobalTimers): GlobalTimers {
  const cancels = new WeakMap<object, () => void>();
  const setTracked = (fn: (...args: readonly unknown[]) => void, ms?: number, ...args: readonly unknown[]): Timer => {
    const timers = byIntegration()?.timers;
    if (timers === undefined) return set(fn, ms, ...args);
    const fire = () => {
      clear(timer);
      timers.delete(fire);
      fn(...args);
    };
    const by = byIntegration();
    const timer = set(() => {
      noteWait(by, ms ?? 0);
      fire();
    }, ms);
    timers.add(fire);
    if (typeof timer === 'object') cancels.set(timer, () => timers.delete(fire));
    return timer;
  };
  return {
    setTimeout: Object.assign(setTracked, set) as typeof setTimeout,
    clearTimeout(timer) {
      if (typeof timer === 'object' && timer !== null) cancels.get(timer)?.();
      clear(timer);
    },
    timeout(ms) {
      const timers = byIntegration()?.timers;
      if (timers === undefined) return timeout.call(AbortSignal, ms);
      const early = new AbortController();
      timers.add(() => early.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')));
      return AbortSignal.any([timeout.call(AbortSignal, ms), early.signal]);
    },
  };
}

/** Users of the tracked functions, and whether the time of their scenarios is virtual. */
const trackers: { users: number; isVirtual: boolean; restore(): void } = {
  users: 0,
  isVirtual: false,
  restore: () => undefined,
};

/** Has waits by `setTimeout` of `node:timers/promises` recorded, too, also where a module has imported it by name. @returns function that ends it */
function trackPromisedTimers(): () => void {
  const { setTimeout: wait } = timersPromises;
  const put = (one: typeof wait): void => {
    timersPromises.setTimeout = one;
    syncBuiltinESMExports();
  };
  put((ms, ...rest) => {
    const by = byIntegration();
    return wait(ms, ...rest).then((value) => {
      noteWait(by, ms ?? 0);
      return value;
    });
  });
  return () => put(wait);
}

function put({ setTimeout: set, clearTimeout: clear, timeout }: GlobalTimers): void {
  globalThis.setTimeout = set;
  globalThis.clearTimeout = clear;
  AbortSignal.timeout = timeout;
}

/** Has timers of the global functions fired by {@link fireTimers}, too. @returns function that ends it; the last one puts the functions back */
export function trackGlobalTimers(isVirtual: boolean): () => void {
  if (trackers.users === 0) {
    const before = {
      setTimeout: globalThis.setTimeout,
      clearTimeout: globalThis.clearTimeout,
      timeout: AbortSignal.timeout,
    };
    put(trackedTimers(before));
    const untrack = trackPromisedTimers();
    trackers.isVirtual = isVirtual;
    trackers.restore = () => {
      untrack();
      put(before);
    };
  }
  trackers.users += 1;
  return () => {
    trackers.users -= 1;
    if (trackers.users === 0) trackers.restore();
  };
}
