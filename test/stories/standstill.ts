import type { Interceptor, Sink } from '../cluster/index.ts';

/** Makes an in-memory cluster stand still as a stopped process does: connections stay open, and nothing comes over them. */
export interface Standstill {
  readonly interceptor: Interceptor;
  pause(): void;
  /** What was asked or would have been told meanwhile is answered now. */
  resume(): void;
}

/** Not standing still yet; its interceptor must be the cluster's. */
export function createStandstill(): Standstill {
  const held: (() => void)[] = [];
  let still = false;
  /** Does it now, or, after what is held already, when the cluster goes on. */
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
