/** Idle timeout of work. */

import type { Clock } from '../../clock.ts';

/** Aborts work that is silent for too long. */
export interface Watchdog {
  /** Aborts when the outer signal does, or with `reason()` after too long a silence. */
  readonly signal: AbortSignal;
  /** Records activity. */
  recordActivity(): void;
  /** Disables the timeout. */
  disarm(): void;
  /** Stops the timer when the work is over. */
  stop(): void;
}

/** Options of {@link createWatchdog}. */
export interface WatchdogOptions {
  readonly clock: Clock;
  /** ms of silence after which the work is aborted. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Returns the abort reason. */
  readonly reason: () => Error;
}

/** Creates a watchdog and starts its timer. Uses one timer at a time. */
export function createWatchdog({ clock, timeout, signal, reason }: WatchdogOptions): Watchdog {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  let lastActivityAt = clock.monotonic();
  let cancel: () => void;
  const check = (): void => {
    const left = timeout - (clock.monotonic() - lastActivityAt);
    if (left <= 0) controller.abort(reason());
    else cancel = clock.after(left, check);
  };
  cancel = clock.after(timeout, check);
  return {
    signal: controller.signal,
    recordActivity: () => {
      lastActivityAt = clock.monotonic();
    },
    disarm: () => cancel(),
    stop: () => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    },
  };
}
