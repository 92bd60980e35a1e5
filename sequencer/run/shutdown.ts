/** Graceful shutdown in two steps, and its times. */

import type { Clock } from '../../sdk/index.ts';

/** ms added to the drain of inner parts, so that they can report unfinished runs. */
export const grace = 5000;

/** Default ms in which walks must end. */
export const defaultDrain = 10_000;

/** Returns the ms within which a served sequencer ends after the stop signal, regardless of its walks. */
export const shutdownTimeout = (drain = defaultDrain): number => drain + 3 * grace;

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
