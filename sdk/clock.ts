/** Where all time comes from: nothing in this package reads the system's time in any other way, so a test can own it. */
export interface Clock {
  /** Wall clock, in ms since the epoch. Only for what people read (timestamps); never compared with another machine's. */
  now(): number;
  /** Monotonic ms since some fixed point. For every decision about durations. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `fn` after `ms` unless the returned cancel function is called before. Never keeps a process alive by itself. */
  after(ms: number, fn: () => void): () => void;
}

/** setTimeout fires at once for more than this many ms. */
const longestTimer = 2 ** 31 - 1;

/** The machine's clock. */
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
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(ms, longestTimer),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  after: (ms, fn) => {
    const timer = setTimeout(fn, Math.min(ms, longestTimer));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
