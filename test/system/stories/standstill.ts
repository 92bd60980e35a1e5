/** Stalls an in-memory cluster. */

import type { Interceptor, Sink } from '../../cluster/index.ts';

/** Stalls an in-memory cluster like a stopped process: connections stay open, and no data comes over them. */
export interface Standstill {
  readonly interceptor: Interceptor;
  pause(): void;
  /** Answers what was requested or would have been sent meanwhile. */
  resume(): void;
}

/** Creates it, not stalled yet; its interceptor must be the cluster's. */
export function createStandstill(): Standstill {
  const held: (() => void)[] = [];
  let still = false;
  /** Runs `act` now, or, after earlier held calls, when the cluster resumes. */
  const inTurn = (act: () => void): void => {
    if (still || held.length > 0) held.push(act);
    else act();
  };
  const slow = (sink: Sink): Sink => ({
    write: (chunk) => inTurn(() => sink.write(chunk)),
    end: () => inTurn(() => sink.end()),
  });
  return {
    interceptor: async (request, next) => {
      await new Promise<void>((resolve) => inTurn(resolve));
      const response = await next(request);
      const { stream } = response;
      return stream === undefined ? response : { ...response, stream: (sink) => stream(slow(sink)) };
    },
    pause: () => {
      still = true;
    },
    resume: () => {
      still = false;
      for (const act of held.splice(0)) act();
    },
  };
}
