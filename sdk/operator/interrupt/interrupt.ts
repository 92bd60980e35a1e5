/** Stop requests: signals, and the end of the parent npm process. */

import { type Clock, systemClock } from '../../clock.ts';
import { type ProcessTree, processTree, watchNpm } from './npm-parent.ts';

/** Signals that request a stop: Ctrl-C, a process manager's request, a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Signal = (typeof signals)[number];

/** Source of signals: `process`, or a test double. */
export interface SignalSource {
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
}

/** Stop request: the first signal stops gracefully, the second exits the process. */
export interface Interrupt extends Disposable {
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP, or when the npm process that runs this program has ended. */
  readonly signal: AbortSignal;
}

/** Options of {@link createInterrupt}. */
export interface InterruptOptions {
  /** @default this process */
  readonly source?: SignalSource;
  /** @default the system clock */
  readonly clock?: Clock;
  /** Called at the second signal; must not return. @default the process exits with 130 */
  readonly exit?: () => void;
  /** @default the process tree of this machine */
  readonly tree?: ProcessTree;
}

/**
 * ms after the first signal during which a repeated one is ignored. A terminal sends Ctrl-C to the whole process group and npm forwards its signals,
 * so a program under `npm start` receives one key press twice.
 */
const signalRepeatWindow = 300;

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
  let firstSignalAt: number | undefined;
  const stop = (): void => {
    firstSignalAt ??= clock.monotonic();
    controller.abort(new DOMException(interrupted, 'AbortError'));
  };
  const onSignal = (): void => {
    if (firstSignalAt === undefined) stop();
    else if (clock.monotonic() - firstSignalAt > signalRepeatWindow) exit();
  };
  const stopWatching = watchNpm(tree, clock, stop);
  for (const signal of signals) source.on(signal, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      stopWatching();
      for (const signal of signals) source.off(signal, onSignal);
    },
  };
}
