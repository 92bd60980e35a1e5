/** Schedules the events of a simulated life in virtual time. */

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly fn: () => void;
}

/** The single event queue of a simulated life, in virtual time and one total order. */
export interface Scheduler {
  /** Virtual ms since the start of the life. */
  readonly now: number;
  /** Number of events executed. */
  readonly steps: number;
  /** Calls `fn` in `ms`; events of the same time run in the order of their requests. @returns a function that cancels it */
  after(ms: number, fn: () => void): () => void;
  /** Resolves in `ms`. */
  sleep(ms: number): Promise<void>;
  /**
   * Runs events one at a time, each with all that follows from it without time passing, until `until()` returns true (called after every
   * step), no event is left, or the time reaches `limit`.
   */
  run(limit: number, until?: () => boolean): Promise<void>;
}

/** Runs every pending promise callback; a simulation has no open I/O, so nothing else can come between. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates a scheduler at time 0. `onStep` is called after every step. */
export function createScheduler(onStep: () => void): Scheduler {
  const queue: Entry[] = [];
  let now = 0;
  let order = 0;
  let steps = 0;
  const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
  const after = (ms: number, fn: () => void): (() => void) => {
    order += 1;
    const entry: Entry = { at: now + Math.max(0, ms), order, fn };
    let index = queue.length;
    while (index > 0 && isBefore(entry, queue[index - 1]!)) index -= 1;
    queue.splice(index, 0, entry);
    return () => {
      const found = queue.indexOf(entry);
      if (found !== -1) queue.splice(found, 1);
    };
  };
  return {
    get now() {
      return now;
    },
    get steps() {
      return steps;
    },
    after,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    async run(limit, until = () => false) {
      await settle();
      onStep();
      while (queue.length > 0 && queue[0]!.at <= limit && !until()) {
        const entry = queue.shift()!;
        now = entry.at;
        steps += 1;
        entry.fn();
        await settle();
        onStep();
      }
      if (queue.length === 0 || queue[0]!.at > limit) now = until() ? now : Math.max(now, limit);
    },
  };
}
