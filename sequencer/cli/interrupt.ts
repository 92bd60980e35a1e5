import type { Clock } from '../../sdk/index.ts';

/** Where signals come from: `process`, or a stand-in. */
export interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** The wish to stop: once politely, twice at once. */
export interface Interrupt extends Disposable {
  /** Aborts with the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** What an interrupt is made of. */
export interface InterruptOptions {
  readonly source: SignalSource;
  readonly clock: Clock;
  /** Called with the second signal; must not return to what was going on. */
  readonly exit: () => void;
}

/**
 * ms after the first signal in which another one is the same key press: a terminal sends Ctrl-C to the whole process
 * group, and npm passes on what it got, so a program under `npm start` hears one key press twice.
 */
const samePress = 300;

/** Listens for SIGINT and SIGTERM until disposed. */
export function createInterrupt({ source, clock, exit }: InterruptOptions): Interrupt {
  const controller = new AbortController();
  let first: number | undefined;
  const onSignal = (): void => {
    if (first === undefined) {
      first = clock.monotonic();
      controller.abort(new DOMException('interrupted', 'AbortError'));
    } else if (clock.monotonic() - first > samePress) exit();
  };
  source.on('SIGINT', onSignal);
  source.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      source.off('SIGINT', onSignal);
      source.off('SIGTERM', onSignal);
    },
  };
}
