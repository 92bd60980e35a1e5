/** Aborts work that is silent for too long. */

import type { Clock } from '../../clock.ts';

/** Aborts work that is silent for too long. */
export interface Watchdog {
  /** Aborts when the outer signal does, or with `reason()` after too long a silence. */
  readonly signal: AbortSignal;
  /** Records activity. */
  heard(): void;
  /** Disables the timeout. */
  disarm(): void;
  /** Stops the timer when the work is over. */
  stop(): void;
}

export interface WatchdogOptions {
  readonly clock: Clock;
  /** ms of silence after which the work is aborted. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Returns the abort reason. */
  readonly reason: () => Error;
}

/** Starts the timer; activity does not create further ones. */
export function createWatchdog({ clock, timeout, signal, reason }: WatchdogOptions): Watchdog {
  const abort = new AbortController();
  const passOn = () => abort.abort(signal.reason);
  if (signal.aborted) passOn();
  signal.addEventListener('abort', passOn, { once: true });
  let heardAt = clock.monotonic();
  let cancel: () => void;
  const look = (): void => {
    const left = timeout - (clock.monotonic() - heardAt);
    if (left <= 0) abort.abort(reason());
    else cancel = clock.after(left, look);
  };
  cancel = clock.after(timeout, look);
  return {
    signal: abort.signal,
    heard: () => {
      heardAt = clock.monotonic();
    },
    disarm: () => cancel(),
    stop: () => {
      cancel();
      signal.removeEventListener('abort', passOn);
    },
  };
}
