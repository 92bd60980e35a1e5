/** Handles Ctrl-C and other requests to stop. */

import { type Clock, systemClock } from '../../clock.ts';
import { type ProcessTree, processTree, watchNpm } from './npm-parent.ts';

/** Signals that request a stop: Ctrl-C, a supervisor's, and a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Signal = (typeof signals)[number];

/** Source of signals: `process`, or a stand-in. */
export interface SignalSource {
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
}

/** Request to stop: the first signal stops gracefully, the second at once. */
export interface Interrupt extends Disposable {
  /** Aborts with the first SIGINT, SIGTERM or SIGHUP, or when the npm that runs this program has ended. */
  readonly signal: AbortSignal;
}

/** Options of {@link createInterrupt}. */
export interface InterruptOptions {
  /** @default this process */
  readonly source?: SignalSource;
  /** @default the system clock */
  readonly clock?: Clock;
  /** Called with the second signal; must not return. @default the process exits with 130 */
  readonly exit?: () => void;
  /** @default the processes of the machine */
  readonly tree?: ProcessTree;
}

/**
 * ms after the first signal within which another one belongs to the same key press: a terminal sends Ctrl-C to the whole process group, and npm
 * passes on what it got, so a program under `npm start` receives it twice.
 */
const samePress = 300;

const interrupted = 'interrupted';

/** Reports whether an error is the reason of an {@link Interrupt}'s signal. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError' && error.message === interrupted;

/** Handles SIGINT, SIGTERM and SIGHUP until disposed. */
export function createInterrupt({
  source = process,
  clock = systemClock,
  exit = () => process.exit(130),
  tree = processTree,
}: InterruptOptions = {}): Interrupt {
  const controller = new AbortController();
  let first: number | undefined;
  const stop = (): void => {
    first ??= clock.monotonic();
    controller.abort(new DOMException(interrupted, 'AbortError'));
  };
  const onSignal = (): void => {
    if (first === undefined) stop();
    else if (clock.monotonic() - first > samePress) exit();
  };
  const leave = watchNpm(tree, clock, stop);
  for (const signal of signals) source.on(signal, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      leave();
      for (const signal of signals) source.off(signal, onSignal);
    },
  };
}
