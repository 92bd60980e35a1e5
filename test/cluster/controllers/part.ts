import type { Change } from '../store.ts';

/** What came of doing one thing: something was written, nothing was, or there was nothing to do. */
export type Outcome = 'wrote' | 'passed' | 'empty';

/** One controller at work: it hears changes, and does what they call for when it is asked to. */
export interface Part {
  take(change: Change): void;
  /** Does one thing that waits. */
  next(): Outcome | Promise<Outcome>;
  /** How much waits. */
  readonly waiting: number;
  /** Forgets everything, timers too. */
  stop(): void;
}

/** Several parts as one: each hears everything, and does its things in turn. */
export function combined(parts: readonly Part[]): Part {
  return {
    take(change) {
      for (const part of parts) part.take(change);
    },
    next: () => parts.find(({ waiting }) => waiting > 0)?.next() ?? 'empty',
    get waiting() {
      return parts.reduce((sum, { waiting }) => sum + waiting, 0);
    },
    stop() {
      for (const part of parts) part.stop();
    },
  };
}
