import type { Clock } from '../clock.ts';

/** Aborts a piece of work that stays silent. */
export interface Watchdog {
  /** Aborts when the outer signal does, or with `reason()` after too long a silence. */
  readonly signal: AbortSignal;
  /** A sign of life. */
  heard(): void;
  /** Silence is no longer a fault from here on. */
  rest(): void;
  /** The work is over. */
  stop(): void;
}

export interface WatchdogOptions {
  readonly clock: Clock;
  /** ms of silence that are too long. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** What the work is aborted with. */
  readonly reason: () => Error;
}

/** Starts to listen; one timer at a time, whatever the number of signs of life. */
export function createWatchdog({ clock, patience, signal, reason }: WatchdogOptions): Watchdog {
  const abort = new AbortController();
  const passOn = () => abort.abort(signal.reason);
  if (signal.aborted) passOn();
  signal.addEventListener('abort', passOn, { once: true });
  let heardAt = clock.monotonic();
  let cancel: () => void;
  const look = (): void => {
    const left = patience - (clock.monotonic() - heardAt);
    if (left <= 0) abort.abort(reason());
    else cancel = clock.after(left, look);
  };
  cancel = clock.after(patience, look);
  return {
    signal: abort.signal,
    heard: () => {
      heardAt = clock.monotonic();
    },
    rest: () => cancel(),
    stop: () => {
      cancel();
      signal.removeEventListener('abort', passOn);
    },
  };
}
