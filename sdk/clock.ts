/** Clock of the package: wall time, monotonic time and timers. */

/** Source of time and timers of the package; tests replace it. */
export interface Clock {
  /** Wall clock in ms since the epoch. Only for timestamps that people read; never compared with another machine's. */
  now(): number;
  /** Monotonic ms since a fixed point; for all decisions about durations. */
  monotonic(): number;
  /** Resolves after `ms`, at most 2^31 - 1 (24.8 days); rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `fn` after `ms`, at most 2^31 - 1, unless the returned cancel function is called before. Does not keep the process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** Longest delay of setTimeout in ms; a longer one fires immediately. */
const maxTimer = 2 ** 31 - 1;

/** Clamps a delay to the range of setTimeout: 0 to about 24.8 days. */
const clampedDelay = (ms: number): number => Math.max(0, Math.min(ms, maxTimer));

/** Clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, clampedDelay(ms));
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  after: (ms, fn) => {
    const timer = setTimeout(fn, clampedDelay(ms));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
