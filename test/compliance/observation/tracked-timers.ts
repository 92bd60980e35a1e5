/** Timers that functions of an integration set, such as time-outs of their requests. */

import { AsyncLocalStorage } from 'node:async_hooks';
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
    const timer = set(fire, ms);
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

const replaced: { users: number; restore(): void } = { users: 0, restore: () => undefined };

function put({ setTimeout: set, clearTimeout: clear, timeout }: GlobalTimers): void {
  globalThis.setTimeout = set;
  globalThis.clearTimeout = clear;
  AbortSignal.timeout = timeout;
}

/** Has timers of the global functions fired by {@link fireTimers}, too. @returns function that ends it; the last one puts the functions back */
export function trackGlobalTimers(): () => void {
  if (replaced.users === 0) {
    const before = {
      setTimeout: globalThis.setTimeout,
      clearTimeout: globalThis.clearTimeout,
      timeout: AbortSignal.timeout,
    };
    put(trackedTimers(before));
    replaced.restore = () => put(before);
  }
  replaced.users += 1;
  return () => {
    replaced.users -= 1;
    if (replaced.users === 0) replaced.restore();
  };
}
