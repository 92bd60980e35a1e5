/** Graceful shutdown in two steps. */

import type { Clock } from '../../sdk/index.ts';

/** Shutdown in two steps: no new work starts; `drain` ms later, running work is aborted. */
export interface Shutdown {
  readonly stopping: AbortSignal;
  readonly killed: AbortSignal;
  /** Follows `signal` while `work` runs, and cancels the timer when it ends. */
  during(signal: AbortSignal, work: () => Promise<void>): Promise<void>;
}

/** @param drain ms for which running attempts may continue after the stop */
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
        cancel = clock.after(drain, () => killed.abort(new Error(`not ended ${drain} ms after the stop signal`)));
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
