import { Queue, type QueueOptions } from '../../../../../sdk/operator/queue/queue.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

/** A queue on a manual clock with runs that end on command. */
export function aQueue(options: Omit<Partial<QueueOptions>, 'run'> = {}) {
  const clock = createManualClock();
  const started: { readonly key: string; readonly at: number }[] = [];
  const running = new Map<string, () => void>();
  let overlaps = 0;
  const queue = new Queue({
    clock,
    ...options,
    run: (key) => {
      if (running.has(key)) overlaps += 1;
      started.push({ key, at: clock.monotonic() });
      return new Promise<void>((resolve) => running.set(key, resolve));
    },
  });
  const finish = async (key: string) => {
    const end = running.get(key);
    running.delete(key);
    end?.();
    await clock.advance(0);
  };
  return {
    clock,
    queue,
    started,
    running,
    finish,
    keys: () => started.map(({ key }) => key),
    overlaps: () => overlaps,
  };
}
