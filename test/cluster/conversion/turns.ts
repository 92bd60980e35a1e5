import type { Clock } from '../../../sdk/clock.ts';
import { resumed } from './unconverted.ts';

/** ms between attempts at what could not be converted. */
const pause = 1000;
/** ms after which a server begins anew with what it keeps, and ends its watches. */
const patience = 30_000;

/** What happens when one thing could not be converted for so long. */
export interface TurnsOptions {
  readonly clock: Clock;
  readonly giveUp: () => void;
}

/** Does one thing after the other, each once everything is converted that it needs. What cannot be converted holds up what comes after it. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting: (() => void)[] = [];
  readonly #over = new AbortController();
  #isBusy = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Does it, at the earliest now. It must not do anything before everything is there that it needs. */
  take(work: () => void): void {
    this.#waiting.push(work);
    if (!this.#isBusy) void this.#go();
  }

  /** Nothing is done any more. */
  stop(): void {
    this.#over.abort();
    this.#waiting.length = 0;
  }

  async #go(): Promise<void> {
    this.#isBusy = true;
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) {
      const doing = this.#done(work);
      if (!(doing instanceof Promise ? await doing : doing)) break;
    }
    this.#isBusy = false;
  }

  /** Whether it was done before patience ran out. */
  async #done(work: () => void): Promise<boolean> {
    const { clock, giveUp } = this.#options;
    const { signal } = this.#over;
    const once = (): void => {
      if (!signal.aborted) work();
    };
    for (const start = clock.monotonic(); ; ) {
      try {
        await resumed(once);
        return true;
      } catch {
        if (signal.aborted || clock.monotonic() - start >= patience) break;
        await clock.sleep(pause, signal).catch(() => {});
      }
    }
    if (!signal.aborted) giveUp();
    return false;
  }
}
