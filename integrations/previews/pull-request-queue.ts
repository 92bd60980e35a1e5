/** Queue of pull requests to reconcile. */

import type { Clock } from '../../sdk/index.ts';
import type { PullRequestSelection } from './reconcile-previews.ts';

/** Maximum number of single pull requests in the queue; more of them select all. */
const maxSingle = 100;

/** Queue of unique pull requests to reconcile. */
export class PullRequestQueue {
  readonly #numbers = new Set<number>();
  #all = false;
  #awake = Promise.withResolvers<void>();

  /** Adds a pull request, several, or all. */
  add(selected: number | PullRequestSelection): void {
    if (selected === 'all') this.#all = true;
    else for (const number of typeof selected === 'number' ? [selected] : selected) this.#numbers.add(number);
    if (this.#all || this.#numbers.size > 0) this.#awake.resolve();
  }

  /** Waits until something was added, for that time in ms at most, and takes it off; all when the time is over. @throws the reason of the signal */
  async take(clock: Clock, time: number, signal: AbortSignal): Promise<PullRequestSelection> {
    const over = new AbortController();
    const sleep = clock.sleep(time, AbortSignal.any([signal, over.signal])).then(
      () => this.add('all'),
      () => undefined,
    );
    const stopped = Promise.withResolvers<void>();
    const stop = (): void => stopped.resolve();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([this.#awake.promise, sleep, stopped.promise]);
    signal.removeEventListener('abort', stop);
    over.abort();
    signal.throwIfAborted();
    const taken = this.#all || this.#numbers.size > maxSingle ? 'all' : new Set(this.#numbers);
    this.#numbers.clear();
    this.#all = false;
    this.#awake = Promise.withResolvers<void>();
    return taken;
  }
}
