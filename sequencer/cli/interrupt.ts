import type { Clock } from '../../sdk/index.ts';

/** The wishes to stop: Ctrl-C, a supervisor’s, and that the terminal was closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Signal = (typeof signals)[number];

/** Where signals come from: `process`, or a stand-in. */
export interface SignalSource {
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
}

/** The wish to stop: once politely, twice at once. */
export interface Interrupt extends Disposable {
  /** Aborts with the first SIGINT, SIGTERM or SIGHUP. */
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

/** Listens for SIGINT, SIGTERM and SIGHUP until disposed. */
export function createInterrupt({ source, clock, exit }: InterruptOptions): Interrupt {
  const controller = new AbortController();
  let first: number | undefined;
  const onSignal = (): void => {
    if (first === undefined) {
      first = clock.monotonic();
      controller.abort(new DOMException('interrupted', 'AbortError'));
    } else if (clock.monotonic() - first > samePress) exit();
  };
  for (const signal of signals) source.on(signal, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) source.off(signal, onSignal);
    },
  };
}
