import type { Clock } from '../sdk/index.ts';

/** The two steps of stopping: first nothing new begins, then, `drain` ms later, what still runs must end too. */
export interface Shutdown {
  readonly stopping: AbortSignal;
  readonly killed: AbortSignal;
  /** Follows `signal` while `work` runs; when it is through, nothing is left to be aborted. */
  during(signal: AbortSignal, work: () => Promise<void>): Promise<void>;
}

/** @param drain ms that running attempts have once they were told to stop */
export function createShutdown(clock: Clock, drain: number): Shutdown {
  const stopping = new AbortController();
  const killed = new AbortController();
  return {
    stopping: stopping.signal,
    killed: killed.signal,
    async during(signal, work) {
      let cancel = () => {};
      const stop = () => {
        stopping.abort(signal.reason);
        cancel = clock.after(drain, () => killed.abort(new Error(`not through ${drain} ms after being told to stop`)));
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      try {
        await work();
      } finally {
        cancel();
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
